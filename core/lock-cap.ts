import { refKey } from './entity-ref.ts';
import { LockError } from './lock-error.ts';
import type { ClaimStep, LockPage, LockTarget } from './lock-store.ts';

/** More live locks than anybody edits at once, and few enough that one user cannot fill the store. */
export const DEFAULT_MAX_LOCKS_PER_HOLDER = 500;

/** How often holders whose locks are all over are forgotten, in milliseconds. */
const SWEEP_EVERY_MS = 60_000;

interface CountedLock {
  /** Milliseconds of this process' clock. */
  readonly endsAtMs: number;
  /** The store is being asked for it, so it may not know it yet. */
  readonly isAsked: boolean;
}

/**
 * How many live locks each user holds, as far as this process has seen: enough to know when to ask the store. What
 * another process released is still counted here until its lease is over, so a full count is not the last word.
 */
export class LockCap {
  readonly max: number;
  readonly #now: () => number;
  readonly #holders = new Map<string, Map<string, CountedLock>>();
  #sweptAtMs = 0;

  /** Throws a RangeError for anything but a whole number above 0. */
  constructor(max: number, now: () => number) {
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new RangeError(`maxLocksPerHolder: expected a whole number above 0, got ${max}.`);
    }
    this.max = max;
    this.#now = now;
  }

  /**
   * Counts the lock that a step asks for. Where the holder seems to have as many as one may, `listHeld` has the last word
   * (null = it could not say: then there is room). Throws `LockError("too-many-locks")`.
   */
  async makeRoom(
    { tenant, ref, holder, leaseMs }: ClaimStep,
    listHeld: () => Promise<LockPage | null>,
  ): Promise<void> {
    const target = { tenant, ref };
    if (this.#isFullFor(target, holder.oid)) {
      const held = await listHeld();
      if (held !== null) this.#forgetKnown(tenant, holder.oid);
      for (const lock of held?.locks ?? []) this.hold({ tenant, ref: lock }, holder.oid, lock.expiresInMs);
      if (held !== null && this.#isFullFor(target, holder.oid)) {
        const detail = `You hold ${held.locks.length} records already. Close some of them first.`;
        throw new LockError('too-many-locks', detail);
      }
    }
    this.#count(target, holder.oid, { endsAtMs: this.#now() + leaseMs, isAsked: true });
  }

  /** The holder has this lock. */
  hold(target: LockTarget, oid: string, forMs: number): void {
    this.#count(target, oid, { endsAtMs: this.#now() + forMs, isAsked: false });
  }

  /** The store did not say whether the holder has this lock. */
  unknown(target: LockTarget, oid: string): void {
    const locks = this.#holders.get(holderKey(target.tenant, oid));
    if (locks?.get(refKey(target.ref))?.isAsked === true) locks.delete(refKey(target.ref));
  }

  /** The holder does not have this lock. */
  drop(target: LockTarget, oid: string): void {
    this.#holders.get(holderKey(target.tenant, oid))?.delete(refKey(target.ref));
  }

  #count({ tenant, ref }: LockTarget, oid: string, lock: CountedLock): void {
    this.#sweep();
    const key = holderKey(tenant, oid);
    let locks = this.#holders.get(key);
    if (locks === undefined) this.#holders.set(key, (locks = new Map<string, CountedLock>()));
    locks.set(refKey(ref), lock);
  }

  /** The store has been asked, and knows better: but for what it is being asked for now. */
  #forgetKnown(tenant: string, oid: string): void {
    const locks = this.#holders.get(holderKey(tenant, oid));
    for (const [key, { isAsked }] of locks ?? []) if (!isAsked) locks?.delete(key);
  }

  /** The holder seems to have as many as one may, and this one is not among them. */
  #isFullFor(target: LockTarget, oid: string): boolean {
    const locks = this.#holders.get(holderKey(target.tenant, oid));
    if (locks === undefined || locks.size < this.max || locks.has(refKey(target.ref))) return false;
    this.#prune(locks);
    return locks.size >= this.max;
  }

  #sweep(): void {
    const nowMs = this.#now();
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [key, locks] of this.#holders) {
      this.#prune(locks);
      if (locks.size === 0) this.#holders.delete(key);
    }
  }

  #prune(locks: Map<string, CountedLock>): void {
    const nowMs = this.#now();
    for (const [key, { endsAtMs }] of locks) if (endsAtMs <= nowMs) locks.delete(key);
  }
}

function holderKey(tenant: string, oid: string): string {
  return JSON.stringify([tenant, oid]);
}
