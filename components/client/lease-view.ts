import type { DataChange } from '../../core/entity-change.ts';
import type { LiveLock } from '../../core/entity-lock.ts';
import type { LeaseState } from './lease-state.ts';
import type { LockView } from './lock-view.ts';

/** Everything an element shows of a lease. Immutable: a change makes a new one. */
export interface LeaseView {
  /** What the lock is to this form. */
  readonly state: LeaseState;
  /** The entity's lock as last heard. `held`, `lost` and `released` show only somebody else's; null = free. */
  readonly lock: LiveLock | null;
  /** When that lock ends unless renewed, milliseconds by *this page's* `Date.now()`; null without a lock. */
  readonly endsAtMs: number | null;
  /** Another holder had the entity since this page's last fence (null = cannot say). */
  readonly changed: boolean | null;
  /** Evidence that the data this page shows is old: it must not be opened for editing as it is. */
  readonly stale: boolean;
  /** The last data change by somebody else that was heard since this page claimed: who, and what. */
  readonly foreignChange: DataChange | null;
  /** The same user's other open forms on this entity. */
  readonly otherSessions: number;
  /** Whether the user may take a held lock over. */
  readonly canTakeOver: boolean;
  /** A renewal failed, and the lease is not over yet: still editable, "reconnecting". */
  readonly reconnecting: boolean;
  /** What the server said, in state `error`. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What a lease looks like before anything happened. */
export const IDLE_VIEW: LeaseView = {
  state: 'idle',
  lock: null,
  endsAtMs: null,
  changed: null,
  stale: false,
  foreignChange: null,
  otherSessions: 0,
  canTakeOver: false,
  reconnecting: false,
  error: null,
};

/** What no longer holds when a record is not this page's. */
export const NOT_MINE = { reconnecting: false, error: null, otherSessions: 0, canTakeOver: false } as const;

/** `view` with what is named changed, and the lock to what is known of it; `view` itself where that changes nothing. */
export function nextView(view: LeaseView, change: Partial<LeaseView>, known: LockView | null): LeaseView {
  const { state } = { ...view, ...change };
  // One's own lock never shows as somebody else's: news of it may come before the answer, or after the release.
  const shown = known?.mine && /held|lost|released/.test(state) ? null : known;
  const next = { ...view, ...change, lock: shown?.lock ?? null, endsAtMs: shown?.endsAtMs ?? null };
  const names = Object.keys(next) as (keyof LeaseView)[];
  return names.some((name) => next[name] !== view[name]) ? next : view;
}
