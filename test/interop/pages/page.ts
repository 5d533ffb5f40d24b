// The page of an application that has its own backend. Its address says who is signed in, what is open, and how.
import 'rowlock/define';
import { configure } from 'rowlock';
import { existingBackend } from './existing-backend.ts';

const settings = new URLSearchParams(location.search);
const setting = (name: string) => settings.get(name) ?? '';
const api = setting('api');
const user = setting('user');

const getToken = async () => {
  const response = await fetch(`/token?user=${user}&seconds=${setting('token-seconds') || '600'}`);
  return response.text();
};
configure({
  transport: existingBackend({
    api,
    getToken,
    userOid: user,
    renewAfterMs: Number(setting('renew-after-ms')),
  }),
});

const call = async (method: string, path: string, body?: unknown) =>
  fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${await getToken()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const guard = document.querySelector('lock-guard');
const note = document.querySelector('textarea');
if (guard && note) {
  const path = `/requests/${guard.entityUid}`;
  const load = async () => {
    const { note: text } = (await (await call('GET', path)).json()) as { note: string };
    note.value = text;
  };
  if (settings.has('claim-then-load')) {
    guard.addEventListener('lock-acquired', (event) => event.waitUntil(load()));
  } else {
    // Without the application's server there is nothing to show.
    load().catch(() => {});
  }
  document.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void call('PUT', path, { id: guard.entityUid, note: note.value });
  });
}
