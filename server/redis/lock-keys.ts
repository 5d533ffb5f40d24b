import type { EntityRef, LockTarget } from '../../core/index.ts';

/** The four keys of one entity's lock, and its tenant's channel: all of one hash slot, by the tenant in braces. */
export interface LockKeys {
  /** The record, with the lease as its TTL. */
  readonly lock: string;
  /** The type's live locks: member = the lock key, score = end of the lease in ms of Redis' clock. */
  readonly index: string;
  /** `<fence> <holderOid>` of the last holder. */
  readonly fence: string;
  /** Session ids, score = end of their lease in ms of Redis' clock. */
  readonly sessions: string;
  readonly channel: string;
}

/**
 * Names the keys of one entity. Every part is percent-encoded, so that no brace, colon or empty part can move a key to
 * another slot or onto another entity's key. Tenant and ref are already checked by `keyPart()` and `entityRef()`.
 */
export function lockKeys({ tenant, ref }: LockTarget): LockKeys {
  const entity = `{${encodeURIComponent(tenant)}}:${encodeURIComponent(ref.entityType)}:${encodeURIComponent(ref.entityUid)}`;
  return {
    lock: `lock:${entity}`,
    index: indexKey(tenant, ref.entityType),
    fence: `lockfence:${entity}`,
    sessions: `locksess:${entity}`,
    channel: changeChannel(tenant),
  };
}

/** The sorted set that lists a type's live locks. */
export function indexKey(tenant: string, entityType: string): string {
  return `lockidx:{${encodeURIComponent(tenant)}}:${encodeURIComponent(entityType)}`;
}

/** The channel on which a tenant's changes travel. */
export function changeChannel(tenant: string): string {
  return `lockchange:{${encodeURIComponent(tenant)}}`;
}

/** The fence key that belongs to a lock key. */
export function fenceKeyOf(lockKey: string): string {
  return lockKey.replace(/^lock:/, 'lockfence:');
}

/** The entity that an index member names; null for a member that is not a lock key of this tenant and type. */
export function readLockKey(tenant: string, entityType: string, member: string): EntityRef | null {
  const prefix = `lock:{${encodeURIComponent(tenant)}}:${encodeURIComponent(entityType)}:`;
  if (!member.startsWith(prefix)) return null;
  try {
    return { entityType, entityUid: decodeURIComponent(member.slice(prefix.length)) };
  } catch {
    return null; // another writer's member with broken percent-encoding: it names no entity of ours
  }
}
