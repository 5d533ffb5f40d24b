import type { LiveLock } from './entity-lock.ts';
import { refKey, type EntityRef } from './entity-ref.ts';
import type { LockOperation } from './entity-change.ts';
import { changedSince, storeLostFence } from './fence.ts';
import { LockSlot, type Moment } from './lock-slot.ts';
import type * as Store from './lock-store.ts';
import { readCursor, writeCursor } from './page-cursor.ts';
import { MemoryChangeFeed } from './memory-change-feed.ts';

/** How often spent slots are swept out, at the most. */
const SWEEP_EVERY_MS = 60_000;

/**
 * The embedded store: one process, no Redis, the same semantics (`test/contract` runs the same suite on both).
 * JavaScript's single thread makes each step atomic. Changes leave through `feed` in commit order.
 */
export class MemoryLockStore implements Store.LockStore {
  readonly kind = 'memory';
  /** Where its changes are published. */
  readonly feed: MemoryChangeFeed;
  /** Tenant → type → entity key → slot. */
  readonly #tenants = new Map<string, Map<string, Map<string, LockSlot>>>();
  #lastSweepMs = 0;

  constructor(feed: MemoryChangeFeed = new MemoryChangeFeed()) {
    this.feed = feed;
  }

  async claim(step: Store.ClaimStep): Promise<Store.LeaseResult> {
    const now = this.#now();
    const slot = this.#slot(step, now);
    const live = slot.live(now);
    const changed = changedSince(step.fence, slot.fence(now), now.ms);
    if (live !== null && live.holderOid !== step.holder.oid) return held(live, changed);
    return this.#hold(slot, step, now, live === null ? 'Acquired' : 'Renewed', changed);
  }

  async renew(step: Store.RenewStep): Promise<Store.LeaseResult> {
    const now = this.#now();
    const slot = this.#slot(step, now);
    const live = slot.live(now);
    const changed = changedSince(step.fence, slot.fence(now), now.ms);
    if (live !== null && live.holderOid !== step.holder.oid) return held(live, changed);
    if (live !== null) {
      if (!slot.isListed(step.sessionId)) return { outcome: 'lost', lock: live, changed, otherSessions: 0 };
      return this.#hold(slot, step, now, 'Renewed', changed);
    }
    const { fence } = step;
    if (fence !== undefined && slot.fence(now) === 0 && storeLostFence(fence, now.ms)) {
      return this.#hold(slot, step, now, 'Acquired', changed, fence);
    }
    const mayResume =
      fence !== undefined &&
      fence === slot.fence(now) &&
      slot.lastHeldBy(step.holder.oid, now) &&
      slot.isListed(step.sessionId);
    if (!mayResume) return { outcome: 'lost', lock: null, changed, otherSessions: 0 };
    return this.#hold(slot, step, now, 'Acquired', changed);
  }

  async release(step: Store.ReleaseStep): Promise<Store.ReleaseResult> {
    const now = this.#now();
    const slot = this.#slot(step, now);
    const live = slot.live(now);
    if (live !== null && live.holderOid !== step.holderOid) return { outcome: 'held', lock: live };
    if (live === null) {
      if (slot.lastHeldBy(step.holderOid, now)) slot.endSession(step.sessionId, 0, now);
      return { outcome: 'gone', lock: null };
    }
    if (step.sessionId !== null && !slot.isListed(step.sessionId)) return { outcome: 'kept', lock: live };
    const others = step.sessionId === null ? 0 : slot.otherSessions(step.sessionId, now);
    const endsAtMs = slot.endSession(step.sessionId, step.graceMs, now);
    if (endsAtMs <= now.ms) {
      this.#emit(step.tenant, 'Released', slot.end(now));
      return { outcome: 'released', lock: null };
    }
    const lock = slot.endAt(endsAtMs, now);
    this.#emit(step.tenant, 'Renewed', lock);
    return { outcome: others > 0 || step.graceMs === 0 ? 'kept' : 'released', lock };
  }

  async takeOver(step: Store.TakeOverStep): Promise<Store.LeaseResult> {
    const now = this.#now();
    const slot = this.#slot(step, now);
    const live = slot.live(now);
    if (live !== null && live.holderOid !== step.holder.oid && live.holderOid !== step.fromHolderOid) {
      return held(live, null);
    }
    const operation =
      live === null ? 'Acquired' : live.holderOid === step.holder.oid ? 'Renewed' : 'TakenOver';
    return this.#hold(slot, step, now, operation, null);
  }

  async holdWrite(step: Store.HoldWriteStep): Promise<Store.HoldWriteResult> {
    const now = this.#now();
    const slot = this.#slot(step, now);
    const live = slot.live(now);
    if (live !== null && live.holderOid !== step.holder.oid) return { outcome: 'held', lock: live };
    if (live !== null && slot.isWriting(now)) return { outcome: 'busy', lock: live };
    const { fence } = step;
    const present = slot.fence(now);
    const isLost = fence !== undefined && present === 0 && storeLostFence(fence, now.ms);
    if (fence !== undefined && fence !== present && !isLost) return { outcome: 'stale', lock: live };
    const endBefore = live === null ? 0 : slot.endsAtMs;
    const lock = slot.hold(step.holder, step.sessionId, step.leaseMs, now, isLost ? fence : undefined);
    if (slot.endsAtMs > endBefore) this.#emit(step.tenant, live === null ? 'Acquired' : 'Renewed', lock);
    return { outcome: 'acquired', lock };
  }

  async read({ tenant, ref }: Store.LockTarget): Promise<Store.LockSnapshot> {
    return this.#snapshot(tenant, ref, this.#now());
  }

  async readMany(tenant: string, refs: readonly EntityRef[]): Promise<readonly Store.LockSnapshot[]> {
    const now = this.#now();
    return refs.map((ref) => this.#snapshot(tenant, ref, now));
  }

  async list(tenant: string, entityType: string, page: Store.PageRequest): Promise<Store.LockPage> {
    const now = this.#now();
    const after = page.cursor === undefined ? null : readCursor(page.cursor);
    const slots = [...(this.#tenants.get(tenant)?.get(entityType)?.entries() ?? [])]
      .filter(([, slot]) => slot.live(now) !== null)
      .map(([member, slot]) => ({ member, slot, score: slot.endsAtMs }))
      .sort(byScoreThenMember)
      .filter((entry) => after === null || byScoreThenMember(entry, after) > 0);
    const shown = slots.slice(0, page.limit);
    const last = shown.at(-1);
    return {
      locks: shown.map(({ slot }) => slot.live(now)).filter((lock) => lock !== null),
      asOf: now.at,
      ...(last !== undefined && slots.length > shown.length ? { next: writeCursor(last) } : {}),
    };
  }

  async listHeldBy(
    tenant: string,
    entityTypes: readonly string[],
    holderOid: string,
  ): Promise<Store.LockPage> {
    const now = this.#now();
    const locks = entityTypes
      .flatMap((type) => [...(this.#tenants.get(tenant)?.get(type)?.values() ?? [])])
      .map((slot) => slot.live(now))
      .filter((lock) => lock !== null)
      .filter((lock) => lock.holderOid === holderOid);
    return { locks, asOf: now.at };
  }

  #hold(
    slot: LockSlot,
    step: Store.ClaimStep | Store.TakeOverStep,
    now: Moment,
    operation: LockOperation,
    changed: boolean | null,
    keepFence?: number,
  ): Store.LeaseResult {
    const lock = slot.hold(step.holder, step.sessionId, step.leaseMs, now, keepFence);
    this.#emit(step.tenant, operation, lock);
    return { outcome: 'acquired', lock, changed, otherSessions: slot.otherSessions(step.sessionId, now) };
  }

  #emit(tenant: string, operation: LockOperation, lock: LiveLock | null): void {
    if (lock === null) return;
    const { entityType, entityUid, fence, at } = lock;
    this.feed.emit(tenant, { entityType, entityUid, operation, lock, fence, at });
  }

  #now(): Moment {
    const at = this.feed.clock();
    return { at, ms: Math.floor(at / 1_000) };
  }

  #snapshot(tenant: string, ref: EntityRef, now: Moment): Store.LockSnapshot {
    const slot = this.#find({ tenant, ref });
    return { lock: slot?.live(now) ?? null, fence: slot?.fence(now) ?? 0, asOf: now.at };
  }

  #find({ tenant, ref }: Store.LockTarget): LockSlot | undefined {
    return this.#tenants.get(tenant)?.get(ref.entityType)?.get(refKey(ref));
  }

  #slot({ tenant, ref }: Store.LockTarget, now: Moment): LockSlot {
    this.#sweep(now);
    const types = entry(this.#tenants, tenant, () => new Map<string, Map<string, LockSlot>>());
    const slots = entry(types, ref.entityType, () => new Map<string, LockSlot>());
    return entry(slots, refKey(ref), () => new LockSlot(ref));
  }

  /** Forgets what has run out, so that the store does not grow with every entity ever opened. */
  #sweep(now: Moment): void {
    if (now.ms - this.#lastSweepMs < SWEEP_EVERY_MS) return;
    this.#lastSweepMs = now.ms;
    for (const types of this.#tenants.values())
      for (const slots of types.values())
        for (const [key, slot] of slots) if (slot.isSpent(now)) slots.delete(key);
  }
}

/** The value under `key`, made on first use. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function held(lock: LiveLock, changed: boolean | null): Store.LeaseResult {
  return { outcome: 'held', lock, changed, otherSessions: 0 };
}

function byScoreThenMember(
  a: { readonly score: number; readonly member: string },
  b: { readonly score: number; readonly member: string },
): number {
  return a.score - b.score || (a.member < b.member ? -1 : a.member > b.member ? 1 : 0);
}
