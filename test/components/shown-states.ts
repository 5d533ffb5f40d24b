import type { LeaseView } from '../../components/client/index.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { type FakeLockClient, heldBy, lockOf } from './fake-lock-client.ts';

/** One of the things that a guard and its banner can look like. */
export interface ShownState {
  readonly name: string;
  /** What is heard of the lease, in this order. */
  readonly views: readonly Partial<LeaseView>[];
  readonly settings?: Partial<Pick<LockGuard, 'blocking' | 'claim'>>;
  /** The application does not manage to load the record. */
  readonly failsToLoad?: boolean;
  /** The question before taking over is open. */
  readonly asks?: boolean;
}

/** Every state, with `holder` as the other person. */
export function shownStates(holder = 'Anna Smith'): readonly ShownState[] {
  const minute = 60_000;
  const acquiredAtUtc = new Date(Date.now() - 20 * minute).toISOString();
  const ends = { endsAtMs: Date.now() + 5 * minute };
  const mine: Partial<LeaseView> = { state: 'mine', lock: lockOf('Me', { acquiredAtUtc }), ...ends };
  const held = heldBy(holder, { lock: lockOf(holder, { acquiredAtUtc }), ...ends });
  const takeOver = { canTakeOver: true };
  const change = { entityType: 'Order', entityUid: '1', at: 1 };
  const by = { oid: 'anna', name: holder, kind: 'user' } as const;
  return [
    { name: 'idle', views: [], settings: { claim: 'manual' } },
    { name: 'claiming', views: [] },
    { name: 'mine', views: [mine] },
    { name: 'held', views: [held] },
    { name: 'held, take-over allowed', views: [{ ...held, ...takeOver }] },
    { name: 'held, readonly', views: [held], settings: { blocking: 'readonly' } },
    { name: 'the question', views: [{ ...held, ...takeOver }], asks: true },
    { name: 'free', views: [held, { lock: null, endsAtMs: null }] },
    { name: 'lost', views: [mine, { ...held, ...takeOver, state: 'lost' }] },
    { name: 'changed', views: [{ ...mine, stale: true }] },
    {
      name: 'changed by somebody',
      views: [{ ...mine, foreignChange: { ...change, operation: 'Updated', by } }],
    },
    { name: 'deleted', views: [{ ...mine, foreignChange: { ...change, operation: 'Deleted', by } }] },
    { name: 'loadFailed', views: [mine], failsToLoad: true },
    { name: 'reconnecting', views: [{ ...mine, reconnecting: true }] },
    { name: 'otherWindow', views: [{ ...mine, otherSessions: 1 }] },
    { name: 'unknown', views: [{ state: 'unknown' }] },
    {
      name: 'error',
      views: [
        { state: 'error', error: { code: 'type-not-lockable', message: 'Type "Order" is not lockable.' } },
      ],
    },
    { name: 'released', views: [mine, { state: 'released', lock: null, endsAtMs: null }] },
  ];
}

/** What comes only after a while (the claim's, and what stays free) has come when the banner has something to say. */
const isSilent = ({ name }: ShownState): boolean => /^(idle|mine)$/.test(name);

/** Brings a guard into a state, and waits until that is drawn. */
export async function showState(state: ShownState, guard: LockGuard, client: FakeLockClient): Promise<void> {
  const { error } = console;
  if (state.failsToLoad === true) {
    // The guard reports the application's failure there.
    console.error = () => {};
    guard.addEventListener('lock-acquired', (event) =>
      event.waitUntil(Promise.reject(new Error('as planned'))),
    );
  }
  try {
    for (const view of state.views) {
      client.lease.become(view);
      await bannerOf(guard).updateComplete;
    }
    while (bannerOf(guard).matches(':state(quiet)') !== isSilent(state) || isStillHeld(state, guard)) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  } finally {
    console.error = error;
  }
  if (state.asks === true) partOf(guard, 'take-over')?.click();
}

/** The guard's built-in banner. */
export function bannerOf(guard: LockGuard): HTMLElementTagNameMap['lock-banner'] {
  const banner = guard.shadowRoot?.querySelector('lock-banner') ?? null;
  if (banner === null) throw new Error('The guard has not drawn its banner.');
  return banner;
}

/** A part of a guard's banner, null where it is not there now. */
export function partOf(guard: LockGuard, part: string): HTMLElement | null {
  return bannerOf(guard).shadowRoot?.querySelector<HTMLElement>(`[part=${part}]`) ?? null;
}

const isStillHeld = ({ name }: ShownState, guard: LockGuard): boolean =>
  name === 'free' && bannerOf(guard).shadowRoot?.querySelector('[part=action]') === null;
