import type { LiveLock, LockHolder } from './entity-lock.ts';
import type { EntityRef } from './entity-ref.ts';

/** One tenant's entity. Both parts are already checked by `entityRef()` and `keyPart()`. */
export interface LockTarget {
  /** The tenant, in the form in which it is part of a key. */
  readonly tenant: string;
  /** The entity. */
  readonly ref: EntityRef;
}

/** A claim of one session. */
export interface ClaimStep extends LockTarget {
  /** Who claims. */
  readonly holder: LockHolder;
  /** One acquisition by one open form; `""` for a caller that knows no sessions. */
  readonly sessionId: string;
  /** How long the lock lives from now. */
  readonly leaseMs: number;
  /** The caller's last fence, where it has one: decides `changed`, and whether a lapsed lock may be resumed. */
  readonly fence?: number;
}

/** A renewal names what its claim did. */
export type RenewStep = ClaimStep;

/** The end of sessions. */
export interface ReleaseStep extends LockTarget {
  /** Whose sessions. */
  readonly holderOid: string;
  /** The session that lets go; `null` = all of this holder's sessions (a final decision was made). */
  readonly sessionId: string | null;
  /** The session ends this much later instead of now, so that a reload can come back. 0 = now. */
  readonly graceMs: number;
}

/** A take-over from a holder that was seen. */
export interface TakeOverStep extends LockTarget {
  /** Who takes it. */
  readonly holder: LockHolder;
  /** The taker's session. */
  readonly sessionId: string;
  /** How long the lock lives from now. */
  readonly leaseMs: number;
  /** The holder the taker saw. Another one now ⇒ `held`. */
  readonly fromHolderOid: string;
}

/** What a claim, a renewal or a take-over came to. */
export interface LeaseResult {
  /** `lost` comes from renewals alone: the lease is over, or this session is not one of the lock's. */
  readonly outcome: 'acquired' | 'held' | 'lost';
  /** The lock as it stands after the step; null where the entity is free. */
  readonly lock: LiveLock | null;
  /** Another holder had the entity since the caller's fence (null = cannot say). */
  readonly changed: boolean | null;
  /** The same holder's other open forms on this entity; those about to end do not count. */
  readonly otherSessions: number;
}

/** The request's session comes from {@link newWriteSession}; `fence` is the one on which the write rests. */
export type HoldWriteStep = ClaimStep;

/** What holding a record for a write came to. */
export interface HoldWriteResult {
  /**
   * `busy` – another write of the same holder is under way; `stale` – another holder had the entity since the write's
   * fence (`refuseWrite` says when).
   */
  readonly outcome: 'acquired' | 'held' | 'busy' | 'stale';
  /** A live lock on the entity, where there is one to show. */
  readonly lock: LiveLock | null;
}

/** What a release came to. */
export interface ReleaseResult {
  /**
   * `released` – this session let go, and no other keeps the lock (with a grace: it ends when the grace does);
   * `kept` – the lock goes on for the holder's other sessions; `gone` – there was none; `held` – it is somebody else's.
   */
  readonly outcome: 'released' | 'kept' | 'gone' | 'held';
  /** The lock as it stands, or the one that ended. */
  readonly lock: LiveLock | null;
}

/** One entity at one moment of the store's clock. */
export interface LockSnapshot {
  /** The live lock; null = the entity is free. */
  readonly lock: LiveLock | null;
  /** The entity's present fence, 0 where the store has none. */
  readonly fence: number;
  /** Microseconds of the store's clock. */
  readonly asOf: number;
}

/** One page of a list. */
export interface LockPage {
  /** The live locks, those that end first first. */
  readonly locks: readonly LiveLock[];
  /** Microseconds of the store's clock: a client changes or removes only what is not newer. */
  readonly asOf: number;
  /** Opaque; absent on the last page. */
  readonly next?: string;
}

/** Which page of a list. */
export interface PageRequest {
  /** `next` of the page before; absent = the first page. */
  readonly cursor?: string;
  /** At most {@link MAX_PAGE_SIZE}. */
  readonly limit: number;
}

/** The largest page of a list: one MGET stays under every managed Redis' argument limit (3,999 on ElastiCache). */
export const MAX_PAGE_SIZE = 1_000;

/**
 * Where locks live. Every step is atomic; the store's clock is the only clock; a lock ends by its lease and by nothing
 * else; reading writes nothing. A store that cannot do its work rejects (with {@link StoreUnavailable} where it knows);
 * callers treat *any* rejection as "unavailable". Every implementation passes `test/contract`.
 */
export interface LockStore {
  /** `memory` or `redis`: what `/readyz` and the start message say. */
  readonly kind: string;
  /** Free ⇒ acquired; the holder's own ⇒ session added and lease extended; somebody else's ⇒ held. */
  claim(step: ClaimStep): Promise<LeaseResult>;
  /**
   * Extends a session's lease. Never adds a session. A lapsed lock is resumed only where this session is still listed
   * and nobody else came in between (its fence is still the caller's), or where the store itself lost the fence.
   */
  renew(step: RenewStep): Promise<LeaseResult>;
  /** Ends the holder's own listed session, and with the last live one the lock. A foreign or late release does nothing. */
  release(step: ReleaseStep): Promise<ReleaseResult>;
  /** Takes the lock from the holder that the taker saw, in one step. Free ⇒ acquired; another holder by now ⇒ held. */
  takeOver(step: TakeOverStep): Promise<LeaseResult>;
  /**
   * Holds the entity while one request writes. Free ⇒ acquired, as by a claim; the holder's own ⇒ a session beside the
   * open forms', unless another write of this holder is under way. Published only where the lock's end moves.
   */
  holdWrite(step: HoldWriteStep): Promise<HoldWriteResult>;
  /** The entity at this moment. */
  read(target: LockTarget): Promise<LockSnapshot>;
  /** Several entities of one tenant in one trip, in their order. At most {@link MAX_PAGE_SIZE} / 2. */
  readMany(tenant: string, refs: readonly EntityRef[]): Promise<readonly LockSnapshot[]>;
  /** One page of a type's live locks, those that end first in front. */
  list(tenant: string, entityType: string, page: PageRequest): Promise<LockPage>;
  /** All live locks of one holder among these types. */
  listHeldBy(tenant: string, entityTypes: readonly string[], holderOid: string): Promise<LockPage>;
}

/** The store did not do what it was asked: unreachable, silent, too late or refusing. `cause` has its own words. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** True where waiting does not help: a missing right, a wrong password, keys of two slots. Logged as an error. */
  readonly setupFault: boolean;

  constructor(reason: string, { cause, setupFault = false }: { cause?: unknown; setupFault?: boolean } = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.setupFault = setupFault;
  }
}
