import type { DataChange, LiveLock } from '../../core/index.ts';
import type { LeaseState } from './lease-state.ts';

/** Everything an element shows of a lease. Immutable: a change makes a new one. */
export interface LeaseView {
  readonly state: LeaseState;
  /** The lock as last heard: one's own while `mine`, the other's while `held` or `lost`. */
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
  readonly canTakeOver: boolean;
  /** A renewal failed, and the lease is not over yet: still editable, "reconnecting". */
  readonly reconnecting: boolean;
  /** What the server said, in state `error`. */
  readonly error: { readonly code: string; readonly message: string } | null;
}
