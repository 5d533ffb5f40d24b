import { setImmediate as allDone } from 'node:timers/promises';
import {
  Hub,
  type HubConnection,
  type HubOptions,
  type HubProtocol,
  type Principal,
} from '../../../../core/index.ts';
import { ANNA } from '../people.ts';
import { RecordedLog } from '../recorded-log.ts';
import { HANDSHAKE, frame } from './client-messages.ts';
import { FakeTimers } from './fake-timers.ts';
import { RecordedWire } from './recorded-wire.ts';

export interface ConnectOptions {
  readonly principal?: Principal;
  /** Default true: the connection is open, and its client has heard the reply. */
  readonly handshake?: boolean;
  readonly keepsAlive?: boolean;
  readonly formats?: readonly HubProtocol['format'][];
}

/** The client's end of one connection of a hub. */
export class TestClient {
  readonly wire: RecordedWire;
  readonly connection: HubConnection;

  constructor(hub: Hub, id: string, { principal = ANNA, keepsAlive, formats }: ConnectOptions) {
    this.wire = new RecordedWire();
    if (keepsAlive !== undefined) this.wire.keepsAlive = keepsAlive;
    if (formats !== undefined) this.wire.formats = formats;
    this.connection = hub.connect({ wire: this.wire, principal, id });
  }

  /** Says each of these, in one piece. */
  say(...messages: readonly unknown[]): void {
    this.connection.receive(messages.map((message) => frame(message)).join(''));
  }

  /** What it was told since the last call, once everything that is under way has come to rest. */
  async heard(): Promise<unknown[]> {
    await allDone();
    return this.wire.take();
  }
}

/** A hub with a clock of its own, and clients that play theirs. */
export class TestHub {
  readonly timers = new FakeTimers();
  readonly log = new RecordedLog();
  readonly hub: Hub;
  #connected = 0;

  constructor(options: HubOptions = {}) {
    this.hub = new Hub({ timers: this.timers, log: this.log, ...options });
  }

  /** Ids are `c1`, `c2`, …. */
  async connect(options: ConnectOptions = {}): Promise<TestClient> {
    this.#connected += 1;
    const client = new TestClient(this.hub, `c${this.#connected}`, options);
    if (options.handshake === false) return client;
    client.connection.receive(HANDSHAKE);
    const [reply, ...rest] = await client.heard();
    if (JSON.stringify(reply) !== '{}' || rest.length > 0) throw new Error('The handshake was not accepted.');
    return client;
  }
}
