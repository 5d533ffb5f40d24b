import type { Cluster, Redis } from 'ioredis';
import {
  StoreUnavailable,
  changedSince,
  type LeaseResult,
  type LockPage,
  type LockSnapshot,
  type LockStore,
  type LockTarget,
  type Log,
  type ClaimStep,
  type EntityRef,
  type HoldWriteResult,
  type HoldWriteStep,
  type PageRequest,
  type ReleaseResult,
  type ReleaseStep,
  type RenewStep,
  type TakeOverStep,
} from '../../core/index.ts';
import { lockKeys, type LockKeys } from './lock-keys.ts';
import { lockScripts, type PublishMode, type ScriptReply } from './lua-scripts.ts';
import { runPipeline } from './run-pipeline.ts';
import type { RedisMoment } from './redis-gate.ts';
import type { RedisGates } from './redis-gates.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisLockLists } from './redis-lock-lists.ts';
import { readScores } from './sorted-set-reply.ts';
import { heldSince, readRecord, writeRecord } from './stored-record.ts';

export interface RedisLockStoreOptions {
  readonly link: RedisLink;
  readonly log: Log;
}

/**
 * Locks in Redis: each step is one script of `lua/`, Redis' clock is the only clock, reading writes nothing and so goes
 * on while Redis refuses writes. Every rejection is a `StoreUnavailable`, after half a second at the latest.
 */
export class RedisLockStore implements LockStore {
  readonly kind = 'redis';
  readonly #redis: Redis | Cluster;
  readonly #gates: RedisGates;
  readonly #publishMode: () => PublishMode;
  readonly #log: Log;
  readonly #scripts: ReturnType<typeof lockScripts>;
  readonly #lists: RedisLockLists;

  constructor({ link, log }: RedisLockStoreOptions) {
    this.#redis = link.redis;
    this.#gates = link.gates;
    this.#publishMode = () => link.publishMode();
    this.#log = log;
    this.#scripts = lockScripts(link.redis);
    this.#lists = new RedisLockLists(link.redis, link.gates);
  }

  /** One trip where the entity is free or held; a second one for the holder's own lock, to bring its record up to date. */
  async claim(step: ClaimStep): Promise<LeaseResult> {
    const keys = lockKeys(step);
    const reply = await this.#gates
      .of(step.tenant)
      .runScript((moment) => this.#scripts('claim', keys, this.#freshLease(step, keys, moment)));
    return leaseResult(step, await this.#refreshOwn(step, keys, reply), step.fence);
  }

  /** Two trips: the record is rebuilt from the stored one, so that it keeps its start. */
  async renew(step: RenewStep): Promise<LeaseResult> {
    const keys = lockKeys(step);
    const reply = await this.#gates.of(step.tenant).runScript(async (moment) => {
      const stored = await this.#redis.get(keys.lock);
      return this.#renew(step, keys, moment, stored, this.#publishMode());
    });
    return leaseResult(step, reply, step.fence);
  }

  /** One trip; with a grace two, since the record's end moves to the last end that is left. */
  async release(step: ReleaseStep): Promise<ReleaseResult> {
    const keys = lockKeys(step);
    const { sessionId, graceMs } = step;
    const reply = await this.#gates.of(step.tenant).runScript(async (moment) => {
      const { record, expectedRecord } =
        graceMs > 0 && sessionId !== null ? await this.#endLater(step, keys, moment) : UNCHANGED;
      return this.#scripts('release', keys, {
        holderOid: step.holderOid,
        sessionId: sessionId ?? '',
        deadlineMs: moment.deadlineMs,
        publish: this.#publishMode(),
        channel: keys.channel,
        which: sessionId === null ? 'all' : 'one',
        graceMs,
        record,
        expectedRecord,
      });
    });
    return { outcome: readOutcome(reply.status, RELEASE_OUTCOMES), lock: lockOf(step, reply) };
  }

  async takeOver(step: TakeOverStep): Promise<LeaseResult> {
    const keys = lockKeys(step);
    const { fromHolderOid } = step;
    const reply = await this.#gates.of(step.tenant).runScript((moment) =>
      this.#scripts('take-over', keys, {
        ...this.#freshLease(step, keys, moment),
        fromHolderOid,
      }),
    );
    return leaseResult(step, await this.#refreshOwn(step, keys, reply), undefined);
  }

  async holdWrite(step: HoldWriteStep): Promise<HoldWriteResult> {
    const keys = lockKeys(step);
    const { fence = 0 } = step;
    const reply = await this.#gates
      .of(step.tenant)
      .runScript((moment) =>
        this.#scripts('hold-write', keys, { ...this.#freshLease(step, keys, moment), fence }),
      );
    const outcome = readOutcome(reply.status === 'own' ? 'acquired' : reply.status, HOLD_OUTCOMES);
    return { outcome, lock: lockOf(step, reply) };
  }

  read(target: LockTarget): Promise<LockSnapshot> {
    return this.#lists.read(target);
  }

  readMany(tenant: string, refs: readonly EntityRef[]): Promise<readonly LockSnapshot[]> {
    return this.#lists.readMany(tenant, refs);
  }

  list(tenant: string, entityType: string, page: PageRequest): Promise<LockPage> {
    return this.#lists.list(tenant, entityType, page);
  }

  listHeldBy(tenant: string, entityTypes: readonly string[], holderOid: string): Promise<LockPage> {
    return this.#lists.listHeldBy(tenant, entityTypes, holderOid);
  }

  /** Every value by its name: to spread them together from parts was a third of the store's own work (measured). */
  #freshLease(
    { ref, holder, sessionId, leaseMs }: ClaimStep | TakeOverStep,
    { channel }: LockKeys,
    { nowMs, deadlineMs }: RedisMoment,
  ) {
    const record = writeRecord(ref, holder, nowMs, leaseMs);
    const publish = this.#publishMode();
    return { holderOid: holder.oid, sessionId, deadlineMs, publish, channel, leaseMs, record };
  }

  #renew(
    step: RenewStep,
    keys: LockKeys,
    moment: RedisMoment,
    stored: string | null,
    publish: PublishMode,
  ): Promise<ScriptReply> {
    const { ref, holder, sessionId, leaseMs, fence } = step;
    return this.#scripts('renew', keys, {
      holderOid: holder.oid,
      sessionId,
      deadlineMs: moment.deadlineMs,
      publish,
      channel: keys.channel,
      leaseMs,
      record: writeRecord(ref, holder, moment.nowMs, leaseMs, heldSince(stored, holder.oid)),
      expectedRecord: stored ?? '',
      callerFence: fence ?? 0,
    });
  }

  /**
   * A claim or take-over that met the holder's own lock kept its record, whose end is now behind. One compare-and-set
   * brings it up to date for whoever reads records. The step is done in any case; a failure is only reported.
   */
  async #refreshOwn(
    step: ClaimStep | TakeOverStep,
    keys: LockKeys,
    reply: ScriptReply,
  ): Promise<ScriptReply> {
    if (reply.status !== 'own') return reply;
    try {
      const renewed = await this.#gates
        .of(step.tenant)
        .runScript((moment) => this.#renew({ ...step, fence: 0 }, keys, moment, reply.record, 'off'));
      return renewed.status === 'acquired' ? { ...reply, record: renewed.record } : reply;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('A lock was claimed again, but its record kept the old end.', { reason });
      return reply;
    }
  }

  /** The record as it will be once this session has ended after its grace. */
  async #endLater(
    { ref, holderOid, sessionId, graceMs }: ReleaseStep,
    { lock, sessions }: LockKeys,
    { nowMs }: RedisMoment,
  ) {
    const [stored, latest] = await runPipeline(this.#redis, [
      ['get', lock],
      ['zrange', sessions, '-2', '-1', 'WITHSCORES'],
    ]);
    const since = typeof stored === 'string' ? heldSince(stored, holderOid) : undefined;
    if (typeof stored !== 'string' || since === undefined) return UNCHANGED;
    const others = readScores(latest).filter(({ member }) => member !== sessionId);
    const endsAtMs = Math.max(nowMs + graceMs, ...others.map(({ score }) => score));
    const holder = {
      oid: holderOid,
      name: readRecord(stored, ref, { leftMs: 0, fence: 0, at: 0 }).holderName,
    };
    return { record: writeRecord(ref, holder, nowMs, endsAtMs - nowMs, since), expectedRecord: stored };
  }
}

/** Leaves the stored record as it is: no record is empty. */
const UNCHANGED = { record: '', expectedRecord: '' } as const;

function lockOf({ ref }: LockTarget, reply: ScriptReply) {
  return reply.record === null ? null : readRecord(reply.record, ref, reply);
}

function leaseResult(target: LockTarget, reply: ScriptReply, callerFence: number | undefined): LeaseResult {
  const { status, otherSessions, fenceBefore, at } = reply;
  const changed = changedSince(callerFence, fenceBefore, Math.floor(at / 1_000));
  const outcome = readOutcome(status === 'own' ? 'acquired' : status, LEASE_OUTCOMES);
  return { outcome, lock: lockOf(target, reply), changed, otherSessions };
}

const LEASE_OUTCOMES = ['acquired', 'held', 'lost'] as const;
const HOLD_OUTCOMES = ['acquired', 'held', 'busy', 'stale'] as const;
const RELEASE_OUTCOMES = ['released', 'kept', 'gone', 'held'] as const;

function readOutcome<Outcome extends string>(status: string, outcomes: readonly Outcome[]): Outcome {
  const outcome = outcomes.find((known) => known === status);
  if (outcome === undefined)
    throw new StoreUnavailable(`The lock scripts answered "${status}"`, { setupFault: true });
  return outcome;
}
