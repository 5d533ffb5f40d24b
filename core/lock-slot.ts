import { nextFence } from './fence.ts';
import { newLockRecord, type EntityLock, type LiveLock, type LockHolder } from './entity-lock.ts';
import type { EntityRef } from './entity-ref.ts';
import { FENCE_LIFETIME_MS, MAX_GRACE_MS } from './lock-timing.ts';
import { isWriteSession } from './write-session.ts';

/** A step's one reading of the clock. */
export interface Moment {
  /** Microseconds. */
  readonly at: number;
  readonly ms: number;
}

/**
 * Everything the memory store keeps of one entity: the four keys of a Redis store in one object, with the same
 * lifetimes. Holds state and the moves between states; which move a verb makes is the store's affair.
 */
export class LockSlot {
  readonly ref: EntityRef;
  #record: EntityLock | null = null;
  #endsAtMs = 0;
  #fence = 0;
  #fenceHolder = '';
  #fenceEndsAtMs = 0;
  /** Session id → end of its lease, milliseconds. */
  readonly #sessions = new Map<string, number>();

  constructor(ref: EntityRef) {
    this.ref = ref;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** The lock, where it is live. */
  live(now: Moment): LiveLock | null {
    if (this.#record === null || this.#endsAtMs <= now.ms) return null;
    return this.#liveLock(this.#record, this.#endsAtMs - now.ms, now);
  }

  /** The present fence, 0 where there is none. */
  fence(now: Moment): number {
    return this.#fenceEndsAtMs > now.ms ? this.#fence : 0;
  }

  /** True when the last holder, live or not, was this one. */
  lastHeldBy(oid: string, now: Moment): boolean {
    return this.fence(now) !== 0 && this.#fenceHolder === oid;
  }

  /** Whether nothing of this slot matters any more. */
  isSpent(now: Moment): boolean {
    return this.live(now) === null && this.fence(now) === 0;
  }

  isListed(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** A write of the holder's is under way. */
  isWriting(now: Moment): boolean {
    return [...this.#sessions].some(([id, end]) => isWriteSession(id) && end > now.ms);
  }

  otherSessions(sessionId: string, now: Moment): number {
    let count = 0;
    for (const [id, end] of this.#sessions) if (id !== sessionId && end > now.ms + MAX_GRACE_MS) count += 1;
    return count;
  }

  /**
   * Gives the entity to `holder`, or goes on with it: lease, index and session follow; a different holder than the
   * last advances the fence and drops the last one's sessions. `keepFence` stands in where the store lost its own.
   */
  hold(holder: LockHolder, sessionId: string, leaseMs: number, now: Moment, keepFence?: number): LiveLock {
    const since = this.live(now)?.holderOid === holder.oid ? this.#record?.acquiredAtUtc : undefined;
    if (!this.lastHeldBy(holder.oid, now)) {
      this.#sessions.clear();
      this.#fence = keepFence ?? nextFence(this.fence(now), now.ms);
      this.#fenceHolder = holder.oid;
    }
    this.#fenceEndsAtMs = now.ms + FENCE_LIFETIME_MS;
    for (const [id, end] of this.#sessions) if (end <= now.ms - FENCE_LIFETIME_MS) this.#sessions.delete(id);
    this.#sessions.set(sessionId, now.ms + leaseMs);
    this.#endsAtMs = since === undefined ? now.ms + leaseMs : Math.max(this.#endsAtMs, now.ms + leaseMs);
    const record = newLockRecord(this.ref, holder, now.ms, this.#endsAtMs - now.ms, since);
    this.#record = record;
    return this.#liveLock(record, this.#endsAtMs - now.ms, now);
  }

  /** Ends one session (`null` = all) at `now + graceMs`. Answers the end that is left for the lock, in milliseconds. */
  endSession(sessionId: string | null, graceMs: number, now: Moment): number {
    if (sessionId === null) this.#sessions.clear();
    else if (graceMs > 0) {
      this.#sessions.set(sessionId, Math.min(this.#sessions.get(sessionId) ?? 0, now.ms + graceMs));
    } else this.#sessions.delete(sessionId);
    return Math.max(0, ...this.#sessions.values());
  }

  /** Moves the end of the live lock. */
  endAt(endsAtMs: number, now: Moment): LiveLock | null {
    const record = this.#record;
    if (record === null) return null;
    this.#endsAtMs = endsAtMs;
    this.#record = { ...record, expiresAtUtc: new Date(endsAtMs).toISOString() };
    return this.live(now);
  }

  /** Ends the lock now. Answers the record that ended. */
  end(now: Moment): LiveLock | null {
    const record = this.#record;
    this.#record = null;
    this.#endsAtMs = 0;
    return record === null ? null : this.#liveLock(record, 0, now);
  }

  #liveLock(record: EntityLock, expiresInMs: number, now: Moment): LiveLock {
    return { ...record, expiresInMs, fence: this.fence(now), at: now.at };
  }
}
