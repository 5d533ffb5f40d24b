import type { LiveLock } from './entity-lock.ts';
import type { EntityRef } from './entity-ref.ts';
import type { Principal } from './principal.ts';

export const LOCK_OPERATIONS = ['Acquired', 'Renewed', 'Released', 'TakenOver'] as const;
export type LockOperation = (typeof LOCK_OPERATIONS)[number];

/** Who made a change of data: enough to say "Anna saved" and to know one's own. */
export type ChangeAuthor = Pick<Principal, 'oid' | 'name' | 'kind'>;

/** A lock came, went on, or ended. `Released` carries the record that ended. A lapse publishes nothing. */
export interface LockChange extends EntityRef {
  readonly operation: LockOperation;
  readonly lock: LiveLock;
  readonly fence: number;
  /** Microseconds of the store's clock: the order in which the steps were committed. */
  readonly at: number;
}

/** The application's own news of an entity: `Created`, `Updated`, `Deleted`, or any other word of its own. */
export interface DataChange extends EntityRef {
  readonly operation: string;
  readonly at: number;
  readonly by?: ChangeAuthor;
}

/** What the hub broadcasts as `EntityChanged`. */
export type EntityChange = LockChange | DataChange;

/** Tells the two apart. */
export function isLockChange(change: EntityChange): change is LockChange {
  return (LOCK_OPERATIONS as readonly string[]).includes(change.operation) && 'lock' in change;
}
