import type { ChangeFeed, UnstampedChange } from './change-feed.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from './lock-answers.ts';
import { entityRef, keyPart, type EntityRef } from './entity-ref.ts';
import { LockError } from './lock-error.ts';
import { DEFAULT_MAX_LOCKS_PER_HOLDER, LockCap } from './lock-cap.ts';
import type { LockRegistry, LockableType } from './lock-registry.ts';
import { LockViews } from './lock-views.ts';
import type { ClaimStep, LeaseResult, LockStore, LockTarget, PageRequest } from './lock-store.ts';
import type { Log } from './log.ts';
import type { Principal } from './principal.ts';
import { StoreDoor } from './store-door.ts';
import { WriteChecks, type FencedRef, type WriteCheck } from './write-checks.ts';

/** A caller whose claim was answered `unknown` asks again this soon. */
const RETRY_UNKNOWN_MS = 10_000;

/** What the policy works with. */
export interface LockServiceOptions {
  /** Where locks live. */
  readonly store: LockStore;
  /** Where the application's own changes are published. */
  readonly feed: ChangeFeed;
  /** The types that opted in. */
  readonly registry: LockRegistry;
  /** Hears of a store that is away. */
  readonly log: Log;
  /** Live locks of one user over all types, counted per process. Default 500. */
  readonly maxLocksPerHolder?: number;
  /** Hears what every `checkWrite` came to, for metrics. Must not throw. */
  readonly onWriteChecked?: (check: WriteCheck, entityType: string) => void;
  /** Milliseconds; only spaces the warnings. */
  readonly now?: () => number;
}

/** What one open form asks for. */
export interface LeaseRequest {
  /** One acquisition by one open form; `""` for a caller that knows no sessions. */
  readonly sessionId: string;
  /** The fence of the caller's last acquisition, where it has one. */
  readonly fence?: number | undefined;
}

/**
 * Policy over a store: which types may be locked, who may claim and take over, and what happens when the store cannot
 * say. It fails open: any rejection of the store becomes `unknown`, an empty list marked `unavailable`, or a write that
 * proceeds. Throws only `LockError`s of the caller's making.
 */
export class LockService {
  /** The types that opted in. */
  readonly registry: LockRegistry;
  /** What each caller may see: the hub asks too. */
  readonly views: LockViews;
  readonly #store: LockStore;
  readonly #feed: ChangeFeed;
  readonly #door: StoreDoor;
  readonly #cap: LockCap;
  readonly #writes: WriteChecks;

  constructor(options: LockServiceOptions) {
    const { store, feed, registry, log, onWriteChecked = () => {}, now = Date.now } = options;
    this.#cap = new LockCap(options.maxLocksPerHolder ?? DEFAULT_MAX_LOCKS_PER_HOLDER, now);
    this.#store = store;
    this.#feed = feed;
    this.registry = registry;
    this.views = new LockViews(registry, log, now);
    this.#door = new StoreDoor(log, now);
    this.#writes = new WriteChecks({ store, door: this.#door, views: this.views, onChecked: onWriteChecked });
  }

  /** What the store calls itself. */
  get storeKind(): string {
    return this.#store.kind;
  }

  /** What the last call to the store came to. */
  get storeState(): 'ok' | 'unavailable' {
    return this.#door.state;
  }

  /** Throws `too-many-locks` where the user holds as many as one may, `not-found` where they may not see the record. */
  async claim(principal: Principal, ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer> {
    const type = await this.#mayHold(principal, ref);
    const step = this.#step(principal, ref, type, request);
    await this.#makeRoom(step);
    return this.#settle(principal, type, step, await this.#door.ask(() => this.#store.claim(step)));
  }

  /** Throws `too-many-locks` for a lapsed lock that would be resumed beyond what one may hold; never for a live one. */
  async renew(principal: Principal, ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer> {
    const type = await this.#mayHold(principal, ref);
    const step = this.#step(principal, ref, type, request);
    await this.#makeRoom(step);
    return this.#settle(principal, type, step, await this.#door.ask(() => this.#store.renew(step)));
  }

  /** Throws `take-over-denied` where the application's policy says no to taking the lock that stands now. */
  async takeOver(
    principal: Principal,
    ref: EntityRef,
    request: LeaseRequest & { readonly fromHolderOid: string },
  ): Promise<LeaseAnswer> {
    const type = await this.#mayHold(principal, ref);
    const target = targetOf(principal, ref);
    const seen = await this.#door.ask(() => this.#store.read(target));
    if (seen === null) return this.#unknown(principal, type);
    const { lock } = seen;
    const isForeign = lock !== null && lock.holderOid !== principal.oid;
    if (isForeign && !(await this.views.canTakeOver(principal, lock))) {
      const shown = this.views.lock(principal, lock);
      const from = shown.holderName === '' ? '' : ` from ${shown.holderName}`;
      throw new LockError('take-over-denied', `You may not take this record over${from}.`, { lock: shown });
    }
    const step = this.#step(principal, ref, type, request);
    // Only from the holder about whom the policy was asked: whoever gets the lock in between keeps it.
    const isAllowed = isForeign && lock.holderOid === request.fromHolderOid;
    const fromHolderOid = isAllowed ? request.fromHolderOid : principal.oid;
    await this.#makeRoom(step);
    const result = await this.#door.ask(() => this.#store.takeOver({ ...step, fromHolderOid }));
    return this.#settle(principal, type, step, result);
  }

  /**
   * Ends a session of the caller's own (`null`: all of them), now or after a grace. `held` and `gone` change
   * nothing.
   */
  async release(
    principal: Principal,
    ref: EntityRef,
    { sessionId, graceMs = 0 }: { readonly sessionId: string | null; readonly graceMs?: number },
  ): Promise<ReleaseAnswer> {
    this.registry.get(ref.entityType);
    const step = { ...targetOf(principal, ref), holderOid: principal.oid, sessionId, graceMs };
    const result = await this.#door.ask(() => this.#store.release(step));
    if (result?.outcome === 'released' && graceMs === 0) this.#cap.drop(step, principal.oid);
    const isHidden = result?.outcome === 'held' && !(await this.views.canSee(principal, step.ref));
    return { outcome: isHidden ? 'gone' : (result?.outcome ?? 'unknown') };
  }

  /** The lock of one record: a list of one, or of none. */
  async read(principal: Principal, ref: EntityRef): Promise<ListAnswer> {
    this.registry.get(ref.entityType);
    const target = targetOf(principal, ref);
    const found = await this.#door.ask(() => this.#store.read(target));
    return this.#list(
      principal,
      found && { locks: found.lock === null ? [] : [found.lock], asOf: found.asOf },
    );
  }

  /** The live locks of a type, page by page. */
  async list(principal: Principal, entityType: string, page: PageRequest): Promise<ListAnswer> {
    const type = this.registry.get(entityType);
    const tenant = tenantOf(principal);
    return this.#list(principal, await this.#door.ask(() => this.#store.list(tenant, type.entityType, page)));
  }

  /** All live locks of the caller, of every registered type. */
  async listMine(principal: Principal): Promise<ListAnswer> {
    const types = this.registry.entityTypes;
    const tenant = tenantOf(principal);
    return this.#list(
      principal,
      await this.#door.ask(() => this.#store.listHeldBy(tenant, types, principal.oid)),
    );
  }

  /**
   * Whether a write may go ahead: null, or the `LockError` that answers it (`entity-locked`, `stale-fence`).
   * Automation is never looked at. One call to the store; its failure lets the write pass.
   */
  async checkWrite(principal: Principal, ref: EntityRef, fence?: number): Promise<LockError | null> {
    return this.#writes.check(principal, this.#lockableTarget(principal, ref), fence);
  }

  /**
   * As `checkWrite`, and holds the record by this session (of `newWriteSession`) for the time of the write: also
   * `write-in-progress`. Release the session when the write is over.
   */
  async holdWrite(
    principal: Principal,
    ref: EntityRef,
    request: { readonly sessionId: string; readonly fence?: number | undefined },
  ): Promise<LockError | null> {
    return this.#writes.hold(principal, this.#lockableTarget(principal, ref), request);
  }

  /** As `checkWrite`, for many in one call to the store: an answer for each row. */
  async checkWrites(
    principal: Principal,
    rows: readonly FencedRef[],
  ): Promise<readonly (LockError | null)[]> {
    const targets = rows.map(({ ref, fence }) => ({ ...this.#lockableTarget(principal, ref), fence }));
    return this.#writes.checkMany(principal, tenantOf(principal), targets);
  }

  /** Tells everybody that data changed. Never rejects: news must not undo a write that succeeded. */
  async publish(tenant: string, change: UnstampedChange): Promise<void> {
    // Not through the door: the feed reaches this node's listeners whatever state the store is in, so its success says
    // nothing of the store; and a change that names no possible entity is the operator's affair, not the writer's.
    try {
      const ref = entityRef(change.entityType, change.entityUid);
      await this.#feed.publish(keyPart('tenant', tenant), { ...change, ...ref });
    } catch (error) {
      this.#door.warn('A change was not announced.', error);
    }
  }

  #lockableTarget(principal: Principal, ref: EntityRef): LockTarget {
    const target = targetOf(principal, ref);
    this.registry.get(target.ref.entityType);
    return target;
  }

  async #mayHold(principal: Principal, ref: EntityRef): Promise<LockableType> {
    const type = this.registry.get(ref.entityType);
    if (principal.kind !== 'user') {
      throw new LockError('automation-cannot-claim', 'Automation writes without locks and never holds one.');
    }
    if (await this.views.canSee(principal, targetOf(principal, ref).ref)) return type;
    throw new LockError('not-found', 'There is no such record, or none that you may see.');
  }

  /** Counts the lock that is about to be asked for, where there is room for it. */
  #makeRoom(step: ClaimStep): Promise<void> {
    const { tenant, holder } = step;
    const types = this.registry.entityTypes;
    return this.#cap.makeRoom(step, () =>
      this.#door.ask(() => this.#store.listHeldBy(tenant, types, holder.oid)),
    );
  }

  #settle(
    principal: Principal,
    type: LockableType,
    step: ClaimStep,
    result: LeaseResult | null,
  ): Promise<LeaseAnswer> {
    if (result?.outcome === 'acquired') {
      this.#cap.hold(step, principal.oid, result.lock?.expiresInMs ?? step.leaseMs);
    } else if (result === null) this.#cap.unknown(step, principal.oid);
    else this.#cap.drop(step, principal.oid);
    return this.#answer(principal, type, result);
  }

  async #answer(principal: Principal, type: LockableType, result: LeaseResult | null): Promise<LeaseAnswer> {
    if (result === null) return this.#unknown(principal, type);
    const { outcome, lock } = result;
    const canTakeOver =
      outcome === 'held' && lock !== null && (await this.views.canTakeOver(principal, lock));
    return {
      ...result,
      lock: lock && this.views.lock(principal, lock),
      renewAfterMs: type.timing.renewEveryMs,
      canTakeOver,
      me: { holderOid: principal.oid },
    };
  }

  #unknown({ oid }: Principal, { timing }: LockableType): LeaseAnswer {
    const renewAfterMs = Math.min(RETRY_UNKNOWN_MS, timing.renewEveryMs);
    const me = { holderOid: oid };
    return {
      outcome: 'unknown',
      lock: null,
      changed: null,
      otherSessions: 0,
      renewAfterMs,
      canTakeOver: false,
      me,
    };
  }

  #step(
    principal: Principal,
    ref: EntityRef,
    type: LockableType,
    { sessionId, fence }: LeaseRequest,
  ): ClaimStep {
    const { oid, name } = principal;
    const { leaseMs } = type.timing;
    return {
      ...targetOf(principal, ref),
      holder: { oid, name },
      sessionId,
      leaseMs,
      ...(fence === undefined ? {} : { fence }),
    };
  }

  async #list(
    viewer: Principal,
    page: Pick<ListAnswer, 'locks' | 'asOf' | 'next'> | null,
  ): Promise<ListAnswer> {
    const me = { holderOid: viewer.oid };
    if (page === null) return { locks: [], asOf: 0, me, store: 'unavailable' };
    return { ...page, locks: await this.views.locks(viewer, page.locks), me, store: 'ok' };
  }
}

/** In the one spelling: applications call this service too, with ids as they have them. Throws `bad-request`. */
function targetOf(principal: Principal, { entityType, entityUid }: EntityRef): LockTarget {
  return { tenant: tenantOf(principal), ref: entityRef(entityType, entityUid) };
}

function tenantOf({ tenant }: Principal): string {
  return keyPart('tenant', tenant);
}
