import { Redis } from 'ioredis';
import { indexKey, lockKeys } from '../../../server/redis/lock-keys.ts';
import { loadScript, SCRIPT_NAMES, type ScriptName } from '../../../server/redis/lua-scripts.ts';
import { median } from '../hub/median.ts';
import { bundle } from './bundle.ts';
import { FOUNDING_CLAIM, FOUR_LINES } from './founding-claim.ts';
import { commandCosts, type CommandCost } from './redis-usage.ts';
import { ANNA, BENCH_TYPE, LEASE_MS, sampleTarget } from './sample-lock.ts';
import {
  callOf,
  HEARD_TENANT,
  preparation,
  recordOf,
  SCRIPT_STEPS,
  type ScriptStep,
} from './script-steps.ts';

/** So short that another program seldom takes Redis' core meanwhile; where one does, the median leaves it out. */
const BATCH = 50;
const BATCHES = 15;

/** Other locks of the type, so that the index is as deep as an office's. */
const OTHERS = 1_000;

const FLOOR_TENANT = 'floor';

/** One script call, measured by Redis itself. */
export interface ScriptCost {
  readonly label: string;
  /** Microseconds of one EVALSHA, a number a round: the median of that round's batches. */
  readonly us: number[];
  /** What the script called, in the quietest batch of each round. */
  readonly commands: ReadonlyMap<string, CommandCost>[];
}

export interface ScriptFindings {
  readonly founding: ScriptCost;
  readonly fourLines: ScriptCost;
  readonly ours: readonly ScriptCost[];
  /** Another working copy's. */
  readonly before: readonly ScriptCost[];
}

interface Candidate {
  readonly cost: ScriptCost;
  readonly sha: string;
  readonly numberOfKeys: number;
  readonly status: string | number;
  readonly prepare: ((index: number, nowMs: number) => readonly [sha: string, args: string[]]) | null;
  readonly call: (index: number, nowMs: number) => string[];
}

/** `usec` of EVALSHA in `INFO commandstats`: what a script costs inside Redis, without reading and answering. */
export async function measureScripts(url: string, rounds: number, before?: string): Promise<ScriptFindings> {
  const redis = new Redis(url);
  const listener = new Redis(url);
  try {
    await listener.subscribe(lockKeys(sampleTarget(HEARD_TENANT, 0)).channel);
    const founding = await foundingClaim(redis);
    const fourLines = await fourLinesClaim(redis);
    const ours = await candidatesOf(redis, loadScript);
    const theirs = before === undefined ? [] : await candidatesOf(redis, await loaderOf(before));
    const all = [founding, ...ours, ...theirs, fourLines];
    let next = OTHERS;
    for (let round = -1; round < rounds; round += 1) {
      await redis.flushall();
      await fillIndexes(redis);
      const batches = new Map(all.map((candidate) => [candidate, [] as ReadonlyMap<string, CommandCost>[]]));
      for (let batch = 0; batch < BATCHES; batch += 1) {
        for (const candidate of batch % 2 === 0 ? all : [...all].reverse()) {
          batches.get(candidate)?.push(await runBatch(redis, candidate, next));
          next += BATCH;
        }
      }
      if (round < 0) continue; // warm-up
      for (const [{ cost }, ran] of batches) {
        const us = ran.map((commands) => (commands.get('evalsha')?.us ?? NaN) / BATCH);
        cost.us.push(median(us));
        const quietest = ran[us.indexOf(Math.min(...us))];
        if (quietest !== undefined) cost.commands.push(quietest);
      }
    }
    const costsOf = (candidates: readonly Candidate[]) => candidates.map(({ cost }) => cost);
    return {
      founding: founding.cost,
      fourLines: fourLines.cost,
      ours: costsOf(ours),
      before: costsOf(theirs),
    };
  } finally {
    listener.disconnect();
    redis.disconnect();
  }
}

async function candidatesOf(redis: Redis, load: typeof loadScript): Promise<Candidate[]> {
  const shas = new Map<ScriptName, string>();
  for (const name of SCRIPT_NAMES) shas.set(name, await loadInto(redis, load(name).lua));
  const shaOf = (name: ScriptName) => shas.get(name) ?? '';
  return SCRIPT_STEPS.map((step: ScriptStep) => ({
    cost: { label: step.label, us: [], commands: [] },
    sha: shaOf(step.script),
    numberOfKeys: 4,
    status: step.status,
    prepare: step.isHeld ? (index, nowMs) => [shaOf('claim'), preparation(step, index, nowMs)] : null,
    call: (index, nowMs) => callOf(step, index, nowMs),
  }));
}

async function foundingClaim(redis: Redis): Promise<Candidate> {
  return {
    cost: { label: 'the founding claim (with an index)', us: [], commands: [] },
    sha: await loadInto(redis, FOUNDING_CLAIM),
    numberOfKeys: 2,
    status: 1,
    prepare: null,
    call(index, nowMs) {
      const { lock, index: list } = lockKeys(sampleTarget(FLOOR_TENANT, index));
      const record = recordOf(FLOOR_TENANT, index, ANNA, nowMs);
      return [lock, list, record, String(LEASE_MS), String(nowMs + LEASE_MS), ANNA.oid];
    },
  };
}

async function fourLinesClaim(redis: Redis): Promise<Candidate> {
  return {
    cost: { label: 'its four lines without the index', us: [], commands: [] },
    sha: await loadInto(redis, FOUR_LINES),
    numberOfKeys: 1,
    status: 1,
    prepare: null,
    call(index, nowMs) {
      const { lock } = lockKeys(sampleTarget(FLOOR_TENANT, index));
      return [lock, recordOf(FLOOR_TENANT, index, ANNA, nowMs), String(LEASE_MS), ANNA.oid];
    },
  };
}

async function runBatch(
  redis: Redis,
  candidate: Candidate,
  first: number,
): Promise<ReadonlyMap<string, CommandCost>> {
  const { prepare, call, sha, numberOfKeys, status } = candidate;
  const nowMs = Date.now();
  const indices = Array.from({ length: BATCH }, (_, at) => first + at);
  if (prepare !== null) {
    const preparing = redis.pipeline();
    for (const index of indices) {
      const [prepareSha, args] = prepare(index, nowMs);
      preparing.evalsha(prepareSha, 4, ...args);
    }
    check(await preparing.exec(), 'acquired');
  }
  await redis.config('RESETSTAT');
  const measured = redis.pipeline();
  for (const index of indices) measured.evalsha(sha, numberOfKeys, ...call(index, nowMs));
  check(await measured.exec(), status);
  return commandCosts(redis);
}

/** A script that did something else than it was measured for would be measured all the same. */
function check(replies: readonly (readonly [Error | null, unknown])[] | null, status: string | number): void {
  for (const [error, reply] of replies ?? []) {
    if (error !== null) throw error;
    const got: unknown = Array.isArray(reply) ? (reply as unknown[])[0] : reply;
    if (got !== status) throw new Error(`A script answered ${String(got)}, expected ${status}.`);
  }
}

async function fillIndexes(redis: Redis): Promise<void> {
  const endsAtMs = String(Date.now() + 2 * LEASE_MS);
  for (const tenant of [FLOOR_TENANT, ...new Set(SCRIPT_STEPS.map((step) => step.tenant))]) {
    const members = Array.from({ length: OTHERS }, (_, at) => [
      endsAtMs,
      lockKeys(sampleTarget(tenant, at)).lock,
    ]);
    await redis.zadd(indexKey(tenant, BENCH_TYPE), ...members.flat());
  }
}

async function loadInto(redis: Redis, lua: string): Promise<string> {
  return String(await redis.script('LOAD', lua));
}

async function loaderOf(root: string): Promise<typeof loadScript> {
  const built = `${root}/.cache/bench/scripts-before.mjs`;
  await bundle(`${root}/server/redis/lua-scripts.ts`, built);
  return ((await import(built)) as { readonly loadScript: typeof loadScript }).loadScript;
}
