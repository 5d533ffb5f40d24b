import type { EntityRef } from './entity-ref.ts';

/**
 * The stored record: exactly these six fields, in this order, dates ISO-8601 in UTC with `Z`, so that any service
 * can read it. `expiresAtUtc` is advisory: the key's TTL decides.
 */
export interface EntityLock extends EntityRef {
  /** The holder's object id, by which a page knows its own locks. */
  readonly holderOid: string;
  /** The holder's name, for people to read. */
  readonly holderName: string;
  /** Since when, ISO 8601 in UTC; a renewal keeps it. */
  readonly acquiredAtUtc: string;
  /** Until when unless renewed, ISO 8601 in UTC. For people; the store's own clock decides. */
  readonly expiresAtUtc: string;
}

/** A lock as it travels: the record, and what the store's own clock says of it. Nobody compares two clocks. */
export interface LiveLock extends EntityLock {
  /** Milliseconds left by the store's clock, at the moment `at`. 0 in a `Released` change. */
  readonly expiresInMs: number;
  /** The fencing token of this holder: grows whenever a *different* holder gets the entity. 0 = the store has none. */
  readonly fence: number;
  /** Microseconds of the store's clock when this was true. Orders news about one entity together with `fence`. */
  readonly at: number;
}

/** Who holds, or wants, a lock. Comes from the verified principal alone. */
export interface LockHolder {
  /** The user's object id. */
  readonly oid: string;
  /** What others read. */
  readonly name: string;
}

/** Builds a record whose lease starts at `nowMs` (milliseconds of the store's clock). `since` keeps an older start. */
export function newLockRecord(
  ref: EntityRef,
  holder: LockHolder,
  nowMs: number,
  leaseMs: number,
  since?: string,
): EntityLock {
  return {
    entityType: ref.entityType,
    entityUid: ref.entityUid,
    holderOid: holder.oid,
    holderName: holder.name,
    acquiredAtUtc: since ?? new Date(nowMs).toISOString(),
    expiresAtUtc: new Date(nowMs + leaseMs).toISOString(),
  };
}
