import { PeerUnderTest, type RoundResult, type Scenario } from './peer-under-test.ts';
import type { Peer, PeerName } from './peers.ts';

export const SCENARIO_NAMES = ['paced', 'stream', 'burst'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** Messages that a burst publishes in one turn of the event loop. */
export const BURST = 20;

const SHAPES: Readonly<Record<ScenarioName, Omit<Scenario, 'turns'>>> = {
  paced: { perTurn: 1, ahead: 1 },
  stream: { perTurn: 1, ahead: 8 },
  burst: { perTurn: BURST, ahead: 2 },
};

/** .NET compiles a hot method anew some 100 ms after its thirtieth call; Node's servers are warm long before. */
const WARM_UP_MS = 1_000;

/** On a busy machine rounds take longer: so many are run in any case, and no further one is begun after so long. */
const FEWEST_ROUNDS = 3;
const PATIENCE_MS = 90_000;

export interface FanOutOptions {
  readonly clients: number;
  /** At most. */
  readonly rounds: number;
  /** How long one round of one peer is meant to take. */
  readonly roundMs: number;
  readonly onRound: (round: number) => void;
}

/** Every peer's rounds, in the order in which they were run. */
export type Rounds = ReadonlyMap<PeerName, readonly RoundResult[]>;

export type FanOutResult = Readonly<Record<ScenarioName, Rounds>>;

/** Runs all peers round by round, A B C A B C: what disturbs the machine for a while disturbs them all. */
export async function measureFanOut(peers: readonly Peer[], options: FanOutOptions): Promise<FanOutResult> {
  const { clients, rounds, roundMs, onRound } = options;
  const running: PeerUnderTest[] = [];
  const endsAt = performance.now() + PATIENCE_MS;
  try {
    for (const peer of peers) running.push(await PeerUnderTest.start(peer, clients));
    const results = byScenario(() => new Map<PeerName, RoundResult[]>(peers.map(({ name }) => [name, []])));
    const plans = byScenario(() => new Map<PeerName, Scenario>());
    for (const name of SCENARIO_NAMES) {
      for (const under of running) plans[name].set(under.peer.name, await warmUp(under, name, roundMs));
    }
    for (let round = 0; round < rounds; round += 1) {
      if (round >= FEWEST_ROUNDS && performance.now() > endsAt) break;
      onRound(round);
      // Nobody is always the first, or always after the same one.
      const order = round % 2 === 0 ? running : [...running].reverse();
      for (const name of SCENARIO_NAMES) {
        for (const under of order) {
          const plan = plans[name].get(under.peer.name);
          if (plan !== undefined) results[name].get(under.peer.name)?.push(await under.run(plan));
        }
      }
    }
    return results;
  } finally {
    for (const under of running) await under.stop();
  }
}

/** Answers the scenario with as many turns as the peer does in `roundMs`. */
async function warmUp(under: PeerUnderTest, name: ScenarioName, roundMs: number): Promise<Scenario> {
  const shape = SHAPES[name];
  let turns = 2 * shape.ahead;
  const endsAt = performance.now() + WARM_UP_MS;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    await under.run({ ...shape, turns });
    turns = Math.max(2 * shape.ahead, Math.round((turns * roundMs) / (performance.now() - startedAt)));
  }
  return { ...shape, turns };
}

function byScenario<Value>(make: () => Value): Record<ScenarioName, Value> {
  return { paced: make(), stream: make(), burst: make() };
}
