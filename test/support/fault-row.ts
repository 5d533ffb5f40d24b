import { Cluster, Redis } from 'ioredis';
import type { RedisBackendOptions } from '../../server/index.ts';
import type { ClaimWitness } from './claim-witness.ts';
import type { FaultLoad, LoadedRequest } from './fault-load.ts';

/** By so much a moment may be off that was rounded, in milliseconds. */
const ROUNDING_MS = 1;

/** What one fault came to. Times in milliseconds. */
export interface FaultRow {
  readonly name: string;
  /** From the beginning of the fault until everything was well again. */
  readonly requests: number;
  readonly worstMs: number;
  /** Of the requests that were made from the first "unknown" to the end of the fault. */
  readonly medianDownMs: number;
  /** Of the control requests at the same time, which ask no store: what all the rest takes on this machine. */
  readonly controlMs: number;
  /** The longest that the process itself was late. */
  readonly ownDelayMs: number;
  /** The share of lists, of those asked while down, that were answered from the store. */
  readonly listsAnswered: number;
  readonly unknown: number;
  readonly failedWrites: number;
  /** Anything else but 200, and renewals that were told "lost" or "held". */
  readonly otherFailures: number;
  /** Carried out after their answer "unknown". */
  readonly late: number;
  /** Carried out before their answer "unknown": the reply was lost. */
  readonly repliesLost: number;
  /** Of those that are still there: which their session's next claim did not get. */
  readonly notOwned: number;
  readonly complaints: number;
  /** The share of `/readyz` answers while down that said `unavailable`. */
  readonly saidUnavailable: number;
  /** What `rowlock_store_up` showed, without repetitions but for the time while down: `1 0 1`. */
  readonly up: string;
  /** From the end of the fault to the first claim from which on all are answered. */
  readonly recoveredMs: number;
}

export interface FaultTimes {
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

/** Claims, in the order in which they were asked. */
export function claimsOf({ requests }: Pick<FaultLoad, 'requests'>): readonly LoadedRequest[] {
  return requests.filter(({ kind }) => kind === 'claim').sort((a, b) => a.askedAtMs - b.askedAtMs);
}

/** Works a row out, when the load has ended and what was to come afterwards has come. */
export async function faultRow(
  name: string,
  { beganAtMs, endedAtMs }: FaultTimes,
  {
    load,
    witness,
    keys,
  }: { readonly load: FaultLoad; readonly witness: ClaimWitness; readonly keys: FenceReader },
): Promise<FaultRow> {
  const claims = claimsOf(load);
  const unknown = claims.filter(({ outcome }) => outcome === 'unknown');
  const downFromMs = Math.min(...unknown.map(({ askedAtMs }) => askedAtMs));
  const whileDown = <Timed extends { readonly askedAtMs: number }>(all: readonly Timed[]) =>
    all.filter(({ askedAtMs }) => askedAtMs >= downFromMs && askedAtMs <= endedAtMs);
  const concerned = load.requests.filter(
    ({ kind, answeredAtMs }) => kind !== 'control' && answeredAtMs >= beganAtMs,
  );

  const fences = await keys(unknown.map(({ uid }) => uid));
  const executed = unknown.flatMap(({ uid }, at) => {
    const fence = fences[at] ?? 0;
    const moments = [...witness.writtenAtMs(uid), ...(fence > 0 ? [fence] : [])];
    const decidedAtMs = load.decidedAtMs(uid) ?? 0;
    return moments.length === 0
      ? []
      : [{ uid, isStored: fence > 0, isLate: Math.max(...moments) > decidedAtMs + ROUNDING_MS }];
  });
  const replyLost = executed.filter(({ isLate }) => !isLate);
  const again = await Promise.all(
    replyLost.filter(({ isStored }) => isStored).map(({ uid }) => load.claimAgain(uid)),
  );
  const lastBadAt = claims.map(({ outcome }) => outcome === 'acquired').lastIndexOf(false);
  const firstGood = claims[lastBadAt + 1];
  const listsDown = whileDown(load.requests).filter(({ kind }) => kind === 'list');
  const probesDown = whileDown(load.probes);
  return {
    name,
    requests: concerned.length,
    worstMs: Math.max(...concerned.map(({ tookMs }) => tookMs)),
    medianDownMs: median(tookOf(whileDown(load.requests), false)),
    controlMs: median(tookOf(whileDown(load.requests), true)),
    ownDelayMs: load.ownDelayMs(),
    listsAnswered: listsDown.filter(({ outcome }) => outcome === 'ok').length / listsDown.length,
    unknown: unknown.length,
    failedWrites: load.requests.filter(({ kind, status }) => kind === 'write' && status !== 200).length,
    otherFailures: load.requests.filter(isFailure).length,
    late: executed.length - replyLost.length,
    repliesLost: replyLost.length,
    notOwned: again.filter(({ outcome }) => outcome !== 'acquired').length,
    complaints: load.complaints.length,
    saidUnavailable: probesDown.filter(({ state }) => state === 'unavailable').length / probesDown.length,
    up: [
      // One that was only asked before may have been answered after.
      ...load.probes.filter(({ answeredAtMs }) => answeredAtMs < beganAtMs).slice(-1),
      ...probesDown.filter(({ up }) => up === 0).slice(0, 1),
      ...load.probes.slice(-1),
    ]
      .map(({ up }) => up)
      .join(' '),
    recoveredMs: firstGood === undefined ? Number.NaN : Math.max(0, firstGood.answeredAtMs - endedAtMs),
  };
}

/** The fences of these entities: for one that was free, the moment in which it was claimed; 0 for one that never was. */
export type FenceReader = (uids: readonly string[]) => Promise<readonly number[]>;

/** Reads them from the Redis that is the master now, past the node under test. */
export function fenceReader(target: RedisBackendOptions, tenant: string): FenceReader {
  return async (uids) => {
    const client =
      'cluster' in target
        ? new Cluster([...target.cluster])
        : 'sentinel' in target
          ? new Redis({ sentinels: [...target.sentinel.sentinels], name: target.sentinel.name })
          : new Redis('url' in target ? target.url : '');
    try {
      const keys = uids.map((uid) => `lockfence:{${tenant}}:ApprovalRequest:${uid}`);
      const values = keys.length === 0 ? [] : await client.mget(keys);
      return values.map((value) => Number(value?.split(' ')[0] ?? 0));
    } finally {
      client.disconnect();
    }
  };
}

/** Of anything but a write. A renewal that is told "lost" or "held" fails, too: nobody else ever asks for that lock. */
function isFailure({ kind, status, outcome }: LoadedRequest): boolean {
  if (kind === 'write') return false;
  if (kind === 'control') return status !== 400;
  return status !== 200 || (kind === 'renewal' && ['lost', 'held'].includes(outcome));
}

function tookOf(requests: readonly LoadedRequest[], isControl: boolean): readonly number[] {
  return requests.filter(({ kind }) => (kind === 'control') === isControl).map(({ tookMs }) => tookMs);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
