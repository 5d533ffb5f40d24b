import { cpus } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { LoadClient } from './load-client.ts';
import type { RoundPlan } from './load-round.ts';
import type { Peer } from './peers.ts';
import { FIRST_FENCE, sampleChange } from './sample-change.ts';
import type { BenchUsage } from './serve-bench.ts';
import { ServerProcess } from './server-process.ts';

/** One way to publish. */
export interface Scenario extends RoundPlan {
  /** Turns that the server may be before its clients. 1 = each is delivered before the next. */
  readonly ahead: number;
}

/** What one round of one peer came to. */
export interface RoundResult {
  readonly deliveriesPerS: number;
  /** Of the server's whole process, microseconds. */
  readonly cpuUsPerDelivery: number;
  /** The share of one core that the server used, and the one that the clients used. */
  readonly serverLoad: number;
  readonly clientLoad: number;
  /** More than 1 where a server joins messages that it sends one after the other. */
  readonly messagesPerFrame: number;
  /** Cores that everything else on the machine kept busy meanwhile. */
  readonly othersLoad: number;
  /** Milliseconds from the publish command to delivery, one number a turn. They mean something with `ahead` 1 alone. */
  readonly halfMs: readonly number[];
  readonly allMs: readonly number[];
}

/** A running server of the bench with its crowd. */
export class PeerUnderTest {
  readonly peer: Peer;
  readonly #server: ServerProcess;
  readonly #crowd: LoadClient;
  readonly #clients: number;
  #published = 0;

  private constructor(peer: Peer, server: ServerProcess, crowd: LoadClient, clients: number) {
    this.peer = peer;
    this.#server = server;
    this.#crowd = crowd;
    this.#clients = clients;
  }

  static async start(peer: Peer, clients: number): Promise<PeerUnderTest> {
    const server = await ServerProcess.start(peer.launch);
    return new PeerUnderTest(peer, server, await LoadClient.join(server.port, peer.wire, clients), clients);
  }

  /** Rejects when a delivery is missing, too many, out of order, or not the change that everybody sends. */
  async run(scenario: Scenario): Promise<RoundResult> {
    try {
      return await this.#run(scenario);
    } catch (cause) {
      throw new Error(`A round of ${this.peer.name} failed.`, { cause });
    }
  }

  async stop(): Promise<void> {
    this.#crowd.close();
    await this.#server.stop();
  }

  async #run(scenario: Scenario): Promise<RoundResult> {
    const { turns, perTurn } = scenario;
    const clientBefore = process.cpuUsage();
    const machineBefore = busyMs();
    const framesBefore = this.#crowd.frames;
    const heard = this.#crowd.hear(scenario, (delivered) => {
      this.#server.tell({ do: 'delivered', turns: delivered });
    });
    this.#server.tell({ do: 'publish', ...scenario });
    const { wallMs, halfMs, allMs } = await heard;
    const { user, system } = process.cpuUsage(clientBefore);
    const { cpuUs } = await this.#server.answer<BenchUsage>();
    const ownMs = (user + system + cpuUs) / 1_000;
    this.#checkTestimony(turns * perTurn);
    const deliveries = turns * perTurn * this.#clients;
    return {
      deliveriesPerS: (deliveries / wallMs) * 1_000,
      cpuUsPerDelivery: cpuUs / deliveries,
      serverLoad: cpuUs / 1_000 / wallMs,
      clientLoad: (user + system) / 1_000 / wallMs,
      messagesPerFrame: deliveries / (this.#crowd.frames - framesBefore),
      othersLoad: Math.max(0, busyMs() - machineBefore - ownMs) / wallMs,
      halfMs,
      allMs,
    };
  }

  #checkTestimony(messages: number): void {
    const { name, wire } = this.peer;
    const texts = this.#crowd.testimony();
    if (texts.length !== messages) {
      throw new Error(`${name}: expected ${messages} messages of the witness, got ${texts.length}`);
    }
    for (const text of texts) {
      const { at, ...change } = wire.change(text) as { readonly at: unknown };
      const expected = sampleChange(this.#published);
      if (typeof at !== 'number' || !isDeepStrictEqual(change, expected)) {
        throw new Error(
          `${name}: expected the change with fence ${FIRST_FENCE + this.#published}, got ${text}`,
        );
      }
      this.#published += 1;
    }
  }
}

/** What all cores of the machine have worked since it started, in milliseconds. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
