import { Redis } from 'ioredis';
import { redisBackend } from '../../../server/index.ts';
import { lockKeys } from '../../../server/redis/lock-keys.ts';
import { writeRecord } from '../../../server/redis/stored-record.ts';
import { silentLog } from '../../support/silent-log.ts';
import { median } from '../hub/median.ts';
import { commandCosts } from './redis-usage.ts';
import { ANNA, BENCH_TYPE, sampleRef } from './sample-lock.ts';
import type { StallWatch } from './stall-watch.ts';

/** Locks beside the three that are asked for. */
export const CROWDS = [10, 1_000, 100_000] as const;
const WANTED = 3;
const OTHER_TYPES = 10;

/** Longer than the bench takes. */
const LEASE_MS = 3_600_000;
const FILL_AT_ONCE = 2_000;

const LISTS_PER_ROUND = 40;
const LIST_COMMANDS = ['time', 'zrangebyscore', 'mget'];

export interface ListCost {
  /** Milliseconds until the caller has the list. */
  readonly ms: number[];
  /** Microseconds inside Redis, of all commands. */
  readonly redisUs: number[];
}

export interface ListFindings {
  /** All three locks of a type, while so many of the tenant's other types live. */
  readonly otherTypes: ReadonlyMap<number, ListCost>;
  /** The first page of three, of a type with so many more. */
  readonly sameType: ReadonlyMap<number, ListCost>;
}

export async function measureLists(url: string, rounds: number, stalls: StallWatch): Promise<ListFindings> {
  const redis = new Redis(url);
  const backend = redisBackend({ url, log: silentLog });
  const findings = { otherTypes: emptyCosts(), sameType: emptyCosts() };
  const oneRound = async (kind: keyof ListFindings, crowd: number, onCall: (ms: number) => void) => {
    await redis.config('RESETSTAT');
    const times: number[] = [];
    const limit = kind === 'sameType' ? WANTED : 1_000;
    for (let list = 0; list < LISTS_PER_ROUND; list += 1) {
      const startedAt = performance.now();
      const page = await backend.store.list(tenantOf(kind, crowd), BENCH_TYPE, { limit });
      const ms = performance.now() - startedAt;
      onCall(ms);
      times.push(ms);
      if (page.locks.length !== WANTED)
        throw new Error(`Expected ${WANTED} locks, got ${page.locks.length}.`);
    }
    const costs = await commandCosts(redis);
    const us = LIST_COMMANDS.reduce((sum, name) => sum + (costs.get(name)?.us ?? NaN), 0);
    return { ms: median(times), redisUs: us / LISTS_PER_ROUND };
  };
  try {
    await backend.start();
    await redis.flushall();
    for (const crowd of CROWDS) {
      await fill(redis, tenantOf('otherTypes', crowd), WANTED, () => BENCH_TYPE);
      await fill(redis, tenantOf('otherTypes', crowd), crowd, (index) => `Type${index % OTHER_TYPES}`);
      await fill(redis, tenantOf('sameType', crowd), WANTED + crowd, () => BENCH_TYPE);
    }
    for (let round = -1; round < rounds; round += 1) {
      for (const kind of ['otherTypes', 'sameType'] as const) {
        for (const crowd of round % 2 === 0 ? CROWDS : [...CROWDS].reverse()) {
          const { ms, redisUs } = await stalls.round((onCall) => oneRound(kind, crowd, onCall));
          if (round < 0) continue; // warm-up
          findings[kind].get(crowd)?.ms.push(ms);
          findings[kind].get(crowd)?.redisUs.push(redisUs);
        }
      }
    }
    return findings;
  } finally {
    await backend.stop();
    redis.disconnect();
  }
}

function emptyCosts(): Map<number, ListCost> {
  return new Map(CROWDS.map((crowd) => [crowd, { ms: [], redisUs: [] }]));
}

function tenantOf(kind: string, crowd: number): string {
  return `${kind}-${crowd}`;
}

/** The keys that claims leave, written without claiming: a hundred thousand claims would be most of the bench. */
async function fill(
  redis: Redis,
  tenant: string,
  count: number,
  typeOf: (index: number) => string,
): Promise<void> {
  const nowMs = Date.now();
  for (let from = 0; from < count; from += FILL_AT_ONCE) {
    const pipeline = redis.pipeline();
    for (let index = from; index < Math.min(count, from + FILL_AT_ONCE); index += 1) {
      const ref = sampleRef(index, typeOf(index));
      const { lock, index: list, fence } = lockKeys({ tenant, ref });
      pipeline.set(lock, writeRecord(ref, ANNA, nowMs, LEASE_MS), 'PX', LEASE_MS);
      pipeline.set(fence, `${nowMs} ${ANNA.oid}`, 'PX', LEASE_MS);
      pipeline.zadd(list, nowMs + LEASE_MS + index, lock);
    }
    await pipeline.exec();
  }
}
