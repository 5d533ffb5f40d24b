import { withDeadline } from './answer-deadline.ts';
import { countdown } from './countdown.ts';
import type { TransportSubscription } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';
import { retryDelayMs } from './retry-delays.ts';

/** A start that is not done by then is abandoned: opening a WebSocket has no time limit of its own. */
const START_WITHIN_MS = 15_000;
/** A connection that does not answer so soon after the page woke up died in its sleep. */
const PROBE_WITHIN_MS = 5_000;
/** A connection that lived so long was a good one: the next delays start small again. */
const STABLE_MS = 10_000;

/** The part of a SignalR `HubConnection` that is used here. */
export interface HubConnectionLike {
  on(event: string, listener: (...args: unknown[]) => void): void;
  onclose(listener: (error?: Error) => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  invoke(method: string, ...args: unknown[]): Promise<unknown>;
}

export interface HubLinkOptions {
  readonly page: PageEnvironment;
  /** Builds a new, unstarted connection without automatic reconnection: every attempt gets one of its own. */
  readonly build: () => HubConnectionLike;
  readonly event: string;
  /** The hub method that names the types to hear of; null = the hub has none. */
  readonly subscribe: string | null;
  readonly changed: (...args: unknown[]) => void;
  readonly resync: (entityTypes?: readonly string[]) => void;
  readonly connected: (isConnected: boolean) => void;
  /** Why a connection ended or could not be made. */
  readonly failed: (reason: string) => void;
}

/**
 * One hub connection that is there for good: the first start and every reconnection go through the same endless,
 * jittered loop, and an attempt that hangs is abandoned together with its connection. So nothing is ever started twice,
 * and nobody waits for a stop. Connects at once; reports `connected`, then `resync`, when the subscription stands.
 */
export class HubLink implements TransportSubscription {
  readonly #options: HubLinkOptions;
  #connection: HubConnectionLike | null = null;
  #types: readonly string[] = [];
  #subscribed: ReadonlySet<string> = new Set();
  #isUp = false;
  #isStopped = false;
  #attempt = 0;
  #timer: unknown;
  #stable = () => 0;

  constructor(options: HubLinkOptions) {
    this.#options = options;
    this.#schedule(0);
  }

  setTypes(entityTypes: readonly string[]): void {
    this.#types = entityTypes;
    const connection = this.#connection;
    const added = entityTypes.filter((type) => !this.#subscribed.has(type));
    if (connection === null || !this.#isUp || added.length === 0) return;
    this.#guard(connection, START_WITHIN_MS, async () => {
      await this.#subscribe(connection);
      if (this.#connection === connection) this.#options.resync(added);
    });
  }

  nudge(): void {
    const connection = this.#connection;
    if (this.#isStopped) return;
    if (connection === null) this.#open();
    else if (this.#isUp) this.#guard(connection, PROBE_WITHIN_MS, () => this.#subscribe(connection));
  }

  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  #schedule(delayMs: number): void {
    this.#timer = this.#options.page.timers.set(() => this.#open(), delayMs);
  }

  #open(): void {
    const { page, build, event, changed, resync, connected } = this.#options;
    page.timers.clear(this.#timer);
    const connection = build();
    const isCurrent = () => this.#connection === connection;
    this.#connection = connection;
    this.#subscribed = new Set();
    connection.on(event, (...args) => {
      if (isCurrent()) changed(...args);
    });
    connection.on('Resync', () => {
      if (isCurrent()) resync();
    });
    connection.onclose((error) => this.#down(connection, error));
    this.#guard(connection, START_WITHIN_MS, async () => {
      await connection.start();
      if (!isCurrent()) return connection.stop();
      await this.#subscribe(connection);
      if (!isCurrent()) return;
      this.#isUp = true;
      this.#stable = countdown(page, STABLE_MS);
      connected(true);
      resync();
      this.setTypes(this.#types);
    });
  }

  async #subscribe(connection: HubConnectionLike): Promise<void> {
    const { subscribe } = this.#options;
    const types = this.#types;
    if (subscribe !== null) await connection.invoke(subscribe, types);
    this.#subscribed = new Set(types);
  }

  /** Does something with a connection, and does without the connection where it fails or hangs. */
  #guard(connection: HubConnectionLike, withinMs: number, work: () => Promise<void>): void {
    withDeadline(this.#options.page, work, withinMs).catch((error: unknown) => this.#down(connection, error));
  }

  #down(connection: HubConnectionLike, error: unknown): void {
    if (this.#connection !== connection) return;
    if (this.#stable() <= 0 && this.#isUp) this.#attempt = 0;
    this.#close();
    this.#options.failed(String(error));
    this.#schedule(retryDelayMs(this.#attempt++, this.#options.page.random()));
  }

  #close(): void {
    const connection = this.#connection;
    const wasUp = this.#isUp;
    this.#connection = null;
    this.#isUp = false;
    this.#options.page.timers.clear(this.#timer);
    // It may hang as the start did, and there is nothing left to do about it.
    connection?.stop().catch(() => {});
    if (wasUp) this.#options.connected(false);
  }
}
