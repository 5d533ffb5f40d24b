import type { GlobalComponents } from 'vue';
import type {} from 'rowlock/vue';

type Props<Tag extends keyof GlobalComponents> = GlobalComponents[Tag] extends abstract new () => {
  readonly $props: infer Found;
}
  ? Found
  : never;

export const right: Props<'lock-guard'> = {
  key: 1,
  class: 'form',
  'entity-type': 'Order',
  'entity-uid': '1',
  'release-on-leave': false,
  claim: 'edit',
  onLockLost: (event) => console.log(event.getValues()),
  onLockAcquired: (event) => event.waitUntil(fetch('/record')),
  onClick: () => undefined,
};
export const cell: Props<'locked-by-cell'> = { entityType: 'Order', entityUid: '1' };

export const wrong: readonly Props<'lock-guard'>[] = [
  // @ts-expect-error -- there is no such time to claim
  { claim: 'never' },
  // @ts-expect-error -- nothing to wait for
  { onLockHeld: (event) => event.waitUntil(fetch('/record')) },
];
// @ts-expect-error -- there is no such element
export type Missing = GlobalComponents['lock-gard'];
