// Registers the elements; everything else of the package comes along. Loading it twice is harmless.
import { ContextRoot } from '@lit/context';
import { LockBanner } from './lock-banner.ts';
import { LockGuard } from './lock-guard.ts';
import { LockProvider } from './lock-provider.ts';
import { LOCK_VERSION } from './lock-version.ts';
import { LockedByCell } from './locked-by-cell.ts';

export * from './index.ts';

const KEY = Symbol.for('rowlock.loaded');
const page = globalThis as { [KEY]?: { readonly version: string; hasWarned?: boolean } | undefined };
const loaded = (page[KEY] ??= { version: LOCK_VERSION });

if (loaded.version !== LOCK_VERSION && loaded.hasWarned !== true) {
  loaded.hasWarned = true;
  // eslint-disable-next-line no-console -- the page's author must know; there is no caller to tell
  console.warn(`Rowlock ${loaded.version} is loaded already and stays, not ${LOCK_VERSION}.`);
}

// Providers first, then guards: whoever is asked comes before whoever asks.
const elements: readonly (readonly [tag: string, element: CustomElementConstructor])[] = [
  ['lock-provider', LockProvider],
  ['lock-guard', LockGuard],
  ['lock-banner', LockBanner],
  ['locked-by-cell', LockedByCell],
];
// A server that renders pages imports this as well, and has no elements to register.
if (typeof document !== 'undefined') {
  // Keeps the questions of elements whose provider comes later; `body` is not there yet for a script in `head`.
  if (!customElements.get('lock-provider')) new ContextRoot().attach(document.documentElement);
  for (const [tag, element] of elements) if (!customElements.get(tag)) customElements.define(tag, element);
}
