import type { EntityRef } from './entity-ref.ts';
import type { LiveLock } from './entity-lock.ts';
import type { LockError } from './lock-error.ts';
import type { LockStore, LockTarget } from './lock-store.ts';
import type { LockViews } from './lock-views.ts';
import type { Principal } from './principal.ts';
import type { StoreDoor } from './store-door.ts';
import { refuseWrite, writeRefused, type WriteRefusal } from './write-rule.ts';
import { WRITE_LEASE_MS } from './write-session.ts';

/** What became of a write: `unchecked` = the store could not say, so it passed. */
export type WriteCheck = 'passed' | 'unchecked' | 'automation' | WriteRefusal;

/** A row of a bulk write, and the fence on which it rests. */
export interface FencedRef {
  /** The record. */
  readonly ref: EntityRef;
  /** The fence on which the write rests, where the caller sent one. */
  readonly fence?: number | undefined;
}

export interface WriteChecksParts {
  readonly store: LockStore;
  readonly door: StoreDoor;
  readonly views: LockViews;
  /** Hears what every check came to. Must not throw. */
  readonly onChecked: (check: WriteCheck, entityType: string) => void;
}

const HOLD_REFUSALS = { held: 'entity-locked', stale: 'stale-fence', busy: 'write-in-progress' } as const;

/**
 * Whether writes may go ahead. null = yes, otherwise the `LockError` that answers the write, in words for its caller.
 * Automation is never looked at; a store that cannot say lets everything pass. Each is one call to the store.
 */
export class WriteChecks {
  readonly #parts: WriteChecksParts;

  constructor(parts: WriteChecksParts) {
    this.#parts = parts;
  }

  async check(writer: Principal, target: LockTarget, fence?: number): Promise<LockError | null> {
    const { entityType } = target.ref;
    if (this.#isAutomation(writer, entityType)) return null;
    const { store, door } = this.#parts;
    const snapshot = await door.ask(() => store.read(target));
    if (snapshot === null) return this.#passes('unchecked', entityType);
    return this.#settle(writer, target.ref, refuseWrite(writer.oid, snapshot, fence), snapshot.lock);
  }

  /** As `check`, and holds the entity by this session where the write may go ahead. */
  async hold(
    writer: Principal,
    target: LockTarget,
    { sessionId, fence }: { readonly sessionId: string; readonly fence?: number | undefined },
  ): Promise<LockError | null> {
    const { entityType } = target.ref;
    if (this.#isAutomation(writer, entityType)) return null;
    const { store, door } = this.#parts;
    const holder = { oid: writer.oid, name: writer.name };
    const step = { ...target, holder, sessionId, leaseMs: WRITE_LEASE_MS };
    const result = await door.ask(() => store.holdWrite(fence === undefined ? step : { ...step, fence }));
    if (result === null) return this.#passes('unchecked', entityType);
    const { outcome, lock } = result;
    return this.#settle(writer, target.ref, outcome === 'acquired' ? null : HOLD_REFUSALS[outcome], lock);
  }

  /** One answer per row, in their order. */
  async checkMany(
    writer: Principal,
    tenant: string,
    rows: readonly FencedRef[],
  ): Promise<readonly (LockError | null)[]> {
    if (writer.kind === 'automation') {
      return rows.map(({ ref }) => this.#passes('automation', ref.entityType));
    }
    const { store, door } = this.#parts;
    const refs = rows.map(({ ref }) => ref);
    const snapshots = await door.ask(() => store.readMany(tenant, refs));
    return Promise.all(
      rows.map(async ({ ref, fence }, at) => {
        const snapshot = snapshots?.[at];
        if (snapshot === undefined) return this.#passes('unchecked', ref.entityType);
        return this.#settle(writer, ref, refuseWrite(writer.oid, snapshot, fence), snapshot.lock);
      }),
    );
  }

  async #settle(
    writer: Principal,
    { entityType }: EntityRef,
    refusal: WriteRefusal | null,
    lock: LiveLock | null,
  ): Promise<LockError | null> {
    const { onChecked, views } = this.#parts;
    onChecked(refusal ?? 'passed', entityType);
    return refusal === null ? null : writeRefused(refusal, await views.lockIfSeen(writer, lock));
  }

  #isAutomation({ kind }: Principal, entityType: string): boolean {
    if (kind === 'automation') this.#passes('automation', entityType);
    return kind === 'automation';
  }

  #passes(check: WriteCheck, entityType: string): null {
    this.#parts.onChecked(check, entityType);
    return null;
  }
}
