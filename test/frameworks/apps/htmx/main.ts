import htmx from 'htmx.org';
import { defineRowlock, second, tokenOf, typedNote, uids } from '../shared/configure-rowlock';

/** The attributes of the answers call it. */
const note = (text: string): void => {
  const line = document.createElement('li');
  line.textContent = text;
  document.querySelector('ol')?.append(line);
};
Object.assign(globalThis, { htmx, note, typedNote });

// The server answers for the record that this page's address names.
document.addEventListener('htmx:configRequest', (event) => {
  const { parameters } = (event as CustomEvent<{ parameters: Record<string, string> }>).detail;
  for (const [name, value] of new URLSearchParams(location.search)) parameters[name] ??= value;
});
await defineRowlock();

if (second !== null) {
  const provider = document.createElement('lock-provider');
  provider.config = { getToken: () => tokenOf(second) };
  provider.innerHTML = `<locked-by-cell data-testid="second" entity-type="ApprovalRequest" entity-uid="${uids[0] ?? ''}"></locked-by-cell>`;
  document.querySelector('#second')?.append(provider);
}
