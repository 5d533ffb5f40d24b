import type { LockPeer } from './lock-peers.ts';
import type { RedisUsage } from './redis-usage.ts';
import { runWorkers } from './run-workers.ts';
import type { StallWatch } from './stall-watch.ts';

export const CONCURRENCIES = [1, 50] as const;

const WARM_UP_MS = 400;
const ROUND_MS = 300;

/** One round of one peer at one concurrency. */
export interface PairRound {
  readonly perS: number;
  /** CPU of this process, user and system, microseconds a pair. */
  readonly clientUs: number;
  /** CPU of Redis, microseconds a pair. */
  readonly redisUs: number;
}

export interface PairFindings {
  readonly peers: readonly Pick<LockPeer, 'name' | 'label'>[];
  /** Concurrency → peer → rounds, in the order in which they were run. */
  readonly rounds: ReadonlyMap<number, ReadonlyMap<string, readonly PairRound[]>>;
}

/** Runs all peers round by round, A B C, C B A: what disturbs the machine for a while disturbs them all. */
export async function measurePairs(
  peers: readonly LockPeer[],
  usage: RedisUsage,
  rounds: number,
  stalls: StallWatch,
): Promise<PairFindings> {
  let next = 0;
  const run = (peer: LockPeer, concurrency: number, forMs: number) =>
    stalls.round(async (onCall): Promise<PairRound> => {
      await usage.flush();
      const redisBefore = await usage.cpuUs();
      const clientBefore = process.cpuUsage();
      const startedAt = performance.now();
      let pairs = 0;
      const work = async () => {
        while (performance.now() - startedAt < forMs) {
          next += 1;
          const askedAt = performance.now();
          await peer.pair(next);
          onCall(performance.now() - askedAt);
          pairs += 1;
        }
      };
      await runWorkers(Array.from({ length: concurrency }, work));
      const wallMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(clientBefore);
      const redisUs = (await usage.cpuUs()) - redisBefore;
      return { perS: (pairs / wallMs) * 1_000, clientUs: (user + system) / pairs, redisUs: redisUs / pairs };
    });
  const results = new Map(
    CONCURRENCIES.map((concurrency) => [
      concurrency,
      new Map(peers.map(({ name }) => [name, [] as PairRound[]])),
    ]),
  );
  for (const concurrency of CONCURRENCIES) {
    for (const peer of peers) await run(peer, concurrency, WARM_UP_MS);
  }
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? peers : [...peers].reverse();
    for (const concurrency of CONCURRENCIES) {
      for (const peer of order) {
        results
          .get(concurrency)
          ?.get(peer.name)
          ?.push(await run(peer, concurrency, ROUND_MS));
      }
    }
  }
  return { peers: peers.map(({ name, label }) => ({ name, label })), rounds: results };
}
