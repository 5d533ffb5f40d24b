import type { LiveLock } from './entity-lock.ts';
import type { EntityRef } from './entity-ref.ts';
import type { Principal } from './principal.ts';

/** The operations that speak of a lock. */
export const LOCK_OPERATIONS = ['Acquired', 'Renewed', 'Released', 'TakenOver'] as const;
/** One of `LOCK_OPERATIONS`. */
export type LockOperation = (typeof LOCK_OPERATIONS)[number];

/** Who made a change of data: enough to say "Anna saved" and to know one's own. */
export type ChangeAuthor = Pick<Principal, 'oid' | 'name' | 'kind'>;

/** A lock came, went on, or ended. `Released` carries the record that ended. A lapse publishes nothing. */
export interface LockChange extends EntityRef {
  /** What happened to the lock. */
  readonly operation: LockOperation;
  /** The lock after the change; for `Released`, the one that ended. */
  readonly lock: LiveLock;
  /** The entity's fence after the change. News about one entity is ordered by (`fence`, `at`). */
  readonly fence: number;
  /** Microseconds of the store's clock: the order in which the steps were committed. */
  readonly at: number;
}

/** The application's own news of an entity: `Created`, `Updated`, `Deleted`, or any other word of its own. */
export interface DataChange extends EntityRef {
  /** What happened to the data: `Created`, `Updated`, `Deleted`, or a word of the application's own. */
  readonly operation: string;
  /** Microseconds of the store's clock. */
  readonly at: number;
  /** Who changed it, where that is known. */
  readonly by?: ChangeAuthor;
}

/** What the hub broadcasts as `EntityChanged`. */
export type EntityChange = LockChange | DataChange;

/** Tells the two apart. */
export function isLockChange(change: EntityChange): change is LockChange {
  return (LOCK_OPERATIONS as readonly string[]).includes(change.operation) && 'lock' in change;
}
