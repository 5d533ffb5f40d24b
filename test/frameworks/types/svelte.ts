import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from 'rowlock/svelte';

export const right: SvelteHTMLElements['lock-guard'] = {
  class: 'form',
  'entity-type': 'Order',
  'entity-uid': '1',
  'release-on-leave': false,
  claim: 'edit',
  'onlock-lost': (event) => console.log(event.getValues()),
  'onlock-acquired': (event) => event.waitUntil(fetch('/record')),
  onclick: () => undefined,
};

export const wrong: readonly SvelteHTMLElements['lock-guard'][] = [
  // @ts-expect-error -- there is no such time to claim
  { claim: 'never' },
  // @ts-expect-error -- nothing to wait for
  { 'onlock-held': (event) => event.waitUntil(fetch('/record')) },
  // @ts-expect-error -- Svelte knows only the exact name
  { onLockLost: () => undefined },
];
