import type { LiveLock } from './entity-lock.ts';
import { isLockChange, type EntityChange } from './entity-change.ts';
import type { EntityRef } from './entity-ref.ts';
import type { LockRegistry, LockableType } from './lock-registry.ts';
import type { Log } from './log.ts';
import type { Principal } from './principal.ts';

/** One line per failing policy and five seconds, whatever the load. */
const TELL_EVERY_MS = 5_000;

/**
 * What one caller may see of locks, by the policies of their type: every answer, every push and every refusal passes
 * here. A policy that throws, rejects or answers nonsense shows nothing and allows nothing, and is logged.
 */
export class LockViews {
  readonly #registry: LockRegistry;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #toldAtMs = new Map<string, number>();

  constructor(registry: LockRegistry, log: Log, now: () => number) {
    this.#registry = registry;
    this.#log = log;
    this.#now = now;
  }

  /** Everybody sees the same of this type. */
  isSameForAll(entityType: string): boolean {
    const type = this.#registry.find(entityType);
    return type === undefined || (type.canSee === null && type.holderName === null);
  }

  /** Whether the viewer may know of locks on this entity. A policy that throws counts as no. */
  async canSee(viewer: Principal, { entityType, entityUid }: EntityRef): Promise<boolean> {
    const type = this.#registry.find(entityType);
    if (type === undefined || type.canSee === null) return true;
    try {
      const seen: unknown = await type.canSee(viewer, { entityType, entityUid });
      return seen === true;
    } catch (error) {
      this.#failed('canSee', type, error);
      return false;
    }
  }

  /** Asked about the lock as it is, whatever the taker sees of it. */
  async canTakeOver(taker: Principal, lock: LiveLock): Promise<boolean> {
    const type = this.#registry.get(lock.entityType);
    try {
      return await type.canTakeOver(taker, lock, lock);
    } catch (error) {
      this.#failed('canTakeOver', type, error);
      return false;
    }
  }

  /** The lock with the name that this viewer may read; one's own is always in full. */
  lock(viewer: Principal, lock: LiveLock): LiveLock {
    const holderName = this.#nameOf(viewer, lock, lock.holderOid, lock.holderName);
    return holderName === lock.holderName ? lock : { ...lock, holderName };
  }

  /** null where the viewer may not see it. */
  async lockIfSeen(viewer: Principal, lock: LiveLock | null): Promise<LiveLock | null> {
    return lock !== null && (await this.canSee(viewer, lock)) ? this.lock(viewer, lock) : null;
  }

  /** The locks that the viewer may see, with the names that the viewer reads. */
  async locks(viewer: Principal, locks: readonly LiveLock[]): Promise<readonly LiveLock[]> {
    if (locks.every(({ entityType }) => this.isSameForAll(entityType))) return locks;
    const seen = await Promise.all(locks.map((lock) => this.lockIfSeen(viewer, lock)));
    return seen.filter((lock) => lock !== null);
  }

  /** null where the viewer may not hear of it. */
  async change(viewer: Principal, change: EntityChange): Promise<EntityChange | null> {
    if (!(await this.canSee(viewer, change))) return null;
    if (isLockChange(change)) return { ...change, lock: this.lock(viewer, change.lock) };
    const { by } = change;
    if (by?.kind !== 'user') return change;
    return { ...change, by: { ...by, name: this.#nameOf(viewer, change, by.oid, by.name) } };
  }

  #nameOf(viewer: Principal, { entityType, entityUid }: EntityRef, oid: string, name: string): string {
    const type = this.#registry.find(entityType);
    if (type === undefined || type.holderName === null || oid === viewer.oid) return name;
    try {
      const shown: unknown = type.holderName({ oid, name }, viewer, { entityType, entityUid });
      if (typeof shown === 'string') return shown;
      throw new TypeError(`expected a text, got ${typeof shown}`);
    } catch (error) {
      this.#failed('holderName', type, error);
      return '';
    }
  }

  #failed(policy: string, { entityType }: LockableType, error: unknown): void {
    const nowMs = this.#now();
    const told = this.#toldAtMs.get(policy) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - told < TELL_EVERY_MS) return;
    this.#toldAtMs.set(policy, nowMs);
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.error('A policy of lockable() failed: what it guards is not shown or not allowed.', {
      policy,
      entityType,
      reason,
    });
  }
}
