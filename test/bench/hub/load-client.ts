import { LoadConnection } from './load-connection.ts';
import { LoadRound, type RoundPlan, type RoundTimes } from './load-round.ts';
import type { Wire } from './wire.ts';

/** So many connect at the same time: a crowd that every server's listening queue holds. */
const JOINING_AT_ONCE = 100;

/** A round in which nothing arrives for so long is given up. */
const SILENCE_MS = 5_000;

/** Clients show that they are there so often: three times before a server would drop them. */
const PING_EVERY_MS = 10_000;

interface Listening {
  readonly round: LoadRound;
  readonly onTurn: (turns: number) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A crowd of clients of one server, which counts every delivery. The first one is the witness: it keeps the texts. */
export class LoadClient {
  readonly #connections: LoadConnection[] = [];
  readonly #pinging = setInterval(() => {
    for (const connection of this.#connections) connection.ping();
  }, PING_EVERY_MS);
  #listening: Listening | null = null;
  #failure: Error | null = null;

  /** Resolves when all have joined; rejects when the server turned one away. */
  static async join(port: number, wire: Wire, count: number): Promise<LoadClient> {
    const crowd = new LoadClient();
    for (let joined = 0; joined < count; joined += JOINING_AT_ONCE) {
      const group = Array.from({ length: Math.min(JOINING_AT_ONCE, count - joined) }, () =>
        crowd.#connect(port, wire),
      );
      await Promise.all(group);
      if (crowd.#failure !== null) {
        crowd.close();
        throw crowd.#failure;
      }
    }
    return crowd;
  }

  /**
   * Hears one round; call it before the server is told to publish. `onTurn` is called whenever everybody has whole what
   * so many turns sent. Rejects when a delivery is missing or one too many.
   */
  async hear(plan: RoundPlan, onTurn: (turns: number) => void): Promise<RoundTimes> {
    if (this.#failure !== null) throw this.#failure;
    for (const connection of this.#connections) connection.changes = 0;
    const round = new LoadRound(plan, this.#connections.length);
    let seen = 0;
    const watchdog = setInterval(() => {
      if (round.deliveries === seen) {
        const missing = `${round.expected - round.deliveries} of ${round.expected} deliveries are missing`;
        this.#fail(new Error(`${missing}, and none came for ${SILENCE_MS} ms.`));
      }
      seen = round.deliveries;
    }, SILENCE_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#listening = { round, onTurn, resolve, reject };
      });
      return round.times;
    } finally {
      this.#listening = null;
      clearInterval(watchdog);
    }
  }

  /** Frames that all have got since they joined. */
  get frames(): number {
    return this.#connections.reduce((sum, { frames }) => sum + frames, 0);
  }

  /** The texts that the witness heard since the last call. */
  testimony(): readonly string[] {
    return this.#connections[0]?.heard.splice(0) ?? [];
  }

  close(): void {
    clearInterval(this.#pinging);
    for (const connection of this.#connections) connection.close();
  }

  async #connect(port: number, wire: Wire): Promise<void> {
    const connection = new LoadConnection({
      port,
      wire,
      isWitness: this.#connections.length === 0,
      onChanges: (from, count) => this.#take(from, count),
      onFailure: (error) => this.#fail(error),
    });
    this.#connections.push(connection);
    await connection.join();
  }

  #take(connection: LoadConnection, count: number): void {
    if (this.#listening === null) throw new Error('A change was delivered that nobody had published.');
    const { round, onTurn, resolve } = this.#listening;
    const before = connection.changes;
    connection.changes += count;
    if (!round.take(before, connection.changes)) return;
    onTurn(round.turns);
    if (round.isOver) resolve();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#listening?.reject(error);
  }
}
