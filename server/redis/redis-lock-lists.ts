import type { Cluster, Redis } from 'ioredis';
import {
  MAX_PAGE_SIZE,
  readCursor,
  writeCursor,
  type EntityRef,
  type LiveLock,
  type LockPage,
  type LockSnapshot,
  type LockTarget,
  type PageCursor,
  type PageRequest,
} from '../../core/index.ts';
import { fenceKeyOf, indexKey, lockKeys, readLockKey } from './lock-keys.ts';
import type { RedisGate } from './redis-gate.ts';
import type { RedisGates } from './redis-gates.ts';
import { runPipeline, type RedisCall } from './run-pipeline.ts';
import { readScores, type ScoredMember } from './sorted-set-reply.ts';
import { readRecord } from './stored-record.ts';

/**
 * How far before the estimated time an index is read, in milliseconds. What had ended by Redis' own time is dropped
 * afterwards, so a margin costs a few entries; an estimate ahead of Redis would cost a live lock.
 */
const ESTIMATE_MARGIN_MS = 100;

/** What TTL-less locks of other writers are taken to have left, in milliseconds: the scripts say the same. */
const DAY_MS = 86_400_000;

/** Where to go on in a type's index. */
interface IndexRange {
  readonly entityType: string;
  /** The last entry that is known already. */
  readonly after: PageCursor | null;
}

interface IndexEntry extends ScoredMember {
  readonly ref: EntityRef;
}

interface IndexPage {
  readonly live: readonly IndexEntry[];
  /** null on the last page. */
  readonly next: (IndexRange & { readonly after: PageCursor }) | null;
}

/** Everything that is read of locks. Writes nothing, not even to tidy up: it goes on while Redis refuses writes. */
export class RedisLockLists {
  readonly #redis: Redis | Cluster;
  readonly #gates: RedisGates;

  constructor(redis: Redis | Cluster, gates: RedisGates) {
    this.#redis = redis;
    this.#gates = gates;
  }

  async read({ tenant, ref }: LockTarget): Promise<LockSnapshot> {
    const [snapshot] = await this.readMany(tenant, [ref]);
    return snapshot ?? { lock: null, fence: 0, asOf: 0 };
  }

  /** In one trip. */
  async readMany(tenant: string, refs: readonly EntityRef[]): Promise<readonly LockSnapshot[]> {
    if (refs.length === 0) return [];
    const keys = refs.map((ref) => lockKeys({ tenant, ref }));
    const locks = keys.map(({ lock }) => lock);
    const gate = this.#gates.of(tenant);
    const [time, values, ...ttls] = await gate.run(() =>
      runPipeline(this.#redis, [
        ['time'],
        // One MGET, so that a lock is never seen with the fence of its successor.
        ['mget', ...locks, ...keys.map(({ fence }) => fence)],
        ...locks.map((lock): RedisCall => ['pttl', lock]),
      ]),
    );
    const asOf = readTime(time);
    gate.heard(asOf);
    const texts = values as (string | null)[];
    return refs.map((ref, at) => {
      const record = texts[at];
      const fence = readFence(texts[refs.length + at]);
      const leftMs = Number(ttls[at]) === -1 ? DAY_MS : Number(ttls[at]);
      const isLive = typeof record === 'string' && leftMs > 0;
      return { lock: isLive ? readRecord(record, ref, { leftMs, fence, at: asOf }) : null, fence, asOf };
    });
  }

  async list(tenant: string, entityType: string, { cursor, limit }: PageRequest): Promise<LockPage> {
    const after = cursor === undefined ? null : readCursor(cursor);
    const gate = this.#gates.of(tenant);
    return gate.run(async ({ nowMs }) => {
      const { asOf, pages } = await this.#indexed(gate, tenant, [{ entityType, after }], limit, nowMs);
      const [page] = pages;
      return {
        locks: await this.#locksOf(page?.live ?? [], asOf),
        asOf,
        ...(page?.next ? { next: writeCursor(page.next.after) } : {}),
      };
    });
  }

  async listHeldBy(tenant: string, entityTypes: readonly string[], holderOid: string): Promise<LockPage> {
    const gate = this.#gates.of(tenant);
    return gate.run(async ({ nowMs }) => {
      const locks: LiveLock[] = [];
      let firstAsOf: number | null = null;
      let ranges: readonly IndexRange[] = entityTypes.map((entityType) => ({ entityType, after: null }));
      do {
        const { asOf, pages } = await this.#indexed(gate, tenant, ranges, MAX_PAGE_SIZE, nowMs);
        firstAsOf ??= asOf;
        for (const { live } of pages) {
          const found = await this.#locksOf(live, asOf);
          locks.push(...found.filter((lock) => lock.holderOid === holderOid));
        }
        ranges = pages.map(({ next }) => next).filter((next) => next !== null);
      } while (ranges.length > 0);
      return { locks, asOf: firstAsOf };
    });
  }

  /** One page of each of these indexes, in one trip. */
  async #indexed(
    gate: RedisGate,
    tenant: string,
    ranges: readonly IndexRange[],
    limit: number,
    nowMs: number,
  ) {
    const fromMs = nowMs - ESTIMATE_MARGIN_MS;
    // One more than wanted tells whether there is a next page.
    const calls = ranges.map((range) => rangeCalls(tenant, range, limit + 1, fromMs));
    const [time, ...replies] = await runPipeline(this.#redis, [['time'], ...calls.flat()]);
    const asOf = readTime(time);
    gate.heard(asOf);
    const pages = ranges.map((range, at) => {
      const members = replies.splice(0, calls[at]?.length ?? 0).flatMap(readScores);
      return indexPage(tenant, range, members, limit, asOf);
    });
    return { asOf, pages };
  }

  /** The locks of these entries, in their order. One that ended in between is missing: the right answer. */
  async #locksOf(entries: readonly IndexEntry[], asOf: number): Promise<LiveLock[]> {
    if (entries.length === 0) return [];
    const lockKeysOf = entries.map(({ member }) => member);
    const values = await this.#redis.mget([...lockKeysOf, ...lockKeysOf.map(fenceKeyOf)]);
    return entries.flatMap(({ ref, score }, at) => {
      const record = values[at];
      if (typeof record !== 'string') return [];
      const leftMs = score - Math.floor(asOf / 1_000);
      return [readRecord(record, ref, { leftMs, fence: readFence(values[entries.length + at]), at: asOf })];
    });
  }
}

/** A page goes on behind a member: the rest of the same score, then what is above it. */
function rangeCalls(
  tenant: string,
  { entityType, after }: IndexRange,
  limit: number,
  fromMs: number,
): RedisCall[] {
  const index = indexKey(tenant, entityType);
  const above = (min: string): RedisCall => {
    return ['zrangebyscore', index, min, '+inf', 'WITHSCORES', 'LIMIT', '0', String(limit)];
  };
  if (after === null || after.score < fromMs) return [above(String(fromMs))];
  const score = String(after.score);
  return [['zrangebyscore', index, score, score, 'WITHSCORES'], above(`(${score}`)];
}

/** What ended by Redis' own time, and members that name no entity of ours, take up room on a page but are not shown. */
function indexPage(
  tenant: string,
  { entityType, after }: IndexRange,
  members: readonly ScoredMember[],
  limit: number,
  asOf: number,
): IndexPage {
  const behind = members.filter((entry) => after === null || isBehind(entry, after));
  const page = behind.slice(0, limit);
  const last = page.at(-1);
  return {
    live: page.flatMap((entry) => {
      const ref = readLockKey(tenant, entityType, entry.member);
      return ref === null || entry.score <= asOf / 1_000 ? [] : [{ ...entry, ref }];
    }),
    next: last !== undefined && behind.length > limit ? { entityType, after: last } : null,
  };
}

/** The order of a sorted set: by score, then by the bytes of the member (keys are ASCII). */
function isBehind(entry: ScoredMember, after: PageCursor): boolean {
  return entry.score > after.score || (entry.score === after.score && entry.member > after.member);
}

/** The reply of TIME, as microseconds. */
function readTime(reply: unknown): number {
  const [seconds, micros] = Array.isArray(reply) ? (reply as unknown[]) : [];
  return Number(seconds) * 1_000_000 + Number(micros);
}

function readFence(text: string | null | undefined): number {
  return Number(/^(\d+) /.exec(text ?? '')?.[1] ?? 0);
}
