import type { Log } from '../log.ts';
import type { Principal } from '../principal.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { HubConnection, type HubCloseOptions } from './hub-connection.ts';
import type { HubConnectionHost } from './hub-connection-host.ts';
import { HubError } from './hub-error.ts';
import { newHubCounts } from './hub-counts.ts';
import { hubLimits, type HubLimits } from './hub-limits.ts';
import { methodTable, type CallableMethod, type HubMethods } from './hub-method.ts';
import type { HubProtocol } from './hub-protocol.ts';
import { hubTiming, type HubTiming } from './hub-timing.ts';
import type { HubWire } from './hub-wire.ts';
import { InvalidHubArguments } from './invalid-hub-arguments.ts';
import { jsonHubProtocol } from './json-hub-protocol.ts';
import { MessageBatch } from './message-batch.ts';
import { OutgoingMessage } from './outgoing-message.ts';

/** The distance between two rounds of goodbyes, in milliseconds. */
const STEP_MS = 50;

/** What a hub does and what it allows. */
export interface HubOptions {
  /** What clients may call. Default: nothing. */
  readonly methods?: HubMethods;
  /** The connection is there: place it in its groups. Its calls wait for this. A rejection ends the connection. */
  readonly onConnected?: (connection: HubConnection) => void | Promise<void>;
  /** It is gone. Called once for each connection that `onConnected` was called for. */
  readonly onDisconnected?: (connection: HubConnection) => void;
  /** Default: JSON alone. */
  readonly protocols?: readonly HubProtocol[];
  /** What differs from `DEFAULT_HUB_TIMING`. */
  readonly timing?: Partial<HubTiming>;
  /** What differs from `DEFAULT_HUB_LIMITS`. */
  readonly limits?: Partial<HubLimits>;
  /** Hears of methods that fail with something that their callers are not told. */
  readonly log?: Log;
  /** Default: those of the host. */
  readonly timers?: Timers;
  /** Runs at the end of this turn of the event loop. Default: a microtask. Servers pass `setImmediate`. */
  readonly defer?: (run: () => void) => void;
}

/** Some connections of a hub, those that are open at the time of each `send`. */
export interface HubAudience {
  /** Calls a client method of each. Throws, before anything is sent, where an argument cannot be written. */
  send(target: string, ...args: readonly unknown[]): void;
}

/** A connection as its transport hands it over. The transport feeds it: `receive`, `disconnected`. */
export interface HubConnectRequest {
  /** The transport's end of it. */
  readonly wire: HubWire;
  /** Who is connected, as identified before. */
  readonly principal: Principal;
  /** Public, unique among all server nodes. */
  readonly id: string;
}

/**
 * A SignalR hub on this server node: connections, groups, and the one heartbeat that looks at them all. Nothing here
 * waits for a client. What is sent in one turn of the event loop leaves each connection as one write.
 */
export class Hub implements HubConnectionHost {
  /** By the name in small letters: callers' casing does not count. */
  readonly methods: ReadonlyMap<string, CallableMethod>;
  /** Those that a handshake may ask for. */
  readonly protocols: readonly HubProtocol[];
  /** With the defaults filled in. */
  readonly timing: HubTiming;
  /** With the defaults filled in. */
  readonly limits: HubLimits;
  /** What its heartbeat runs on. */
  readonly timers: Timers;
  /** What happened so far. */
  readonly counts = newHubCounts();
  readonly #options: HubOptions;
  readonly #defer: (run: () => void) => void;
  readonly #connections = new Map<string, HubConnection>();
  /** Open connections alone. */
  readonly #groups = new Map<string, Set<HubConnection>>();
  readonly #connected = new Set<HubConnection>();
  #turn = MessageBatch.empty();
  #due: HubConnection[] = [];
  #beating: unknown = null;
  #nowMs = 0;

  constructor(options: HubOptions = {}) {
    this.#options = options;
    this.methods = methodTable(options.methods ?? {});
    this.protocols = options.protocols ?? [jsonHubProtocol];
    this.timing = hubTiming(options.timing);
    this.limits = hubLimits(options.limits);
    this.timers = options.timers ?? systemTimers;
    this.#defer = options.defer ?? ((run) => void Promise.resolve().then(run));
  }

  /** Open connections, and those whose handshake is still to come. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Takes a transport whose caller is known. */
  connect({ wire, principal, id }: HubConnectRequest): HubConnection {
    const connection = new HubConnection({ host: this, wire, principal, id });
    this.#connections.set(id, connection);
    this.#beating ??= this.timers.set(() => this.#beat(), this.timing.heartbeatMs);
    return connection;
  }

  /** An open connection of this node. */
  connection(id: string): HubConnection | undefined {
    const connection = this.#connections.get(id);
    return connection?.isOpen === true ? connection : undefined;
  }

  /** Every open connection. */
  all(): HubAudience {
    return this.#audience(() => this.#connected);
  }

  /** The members of these groups, each once. */
  groups(...names: readonly string[]): HubAudience {
    return this.#audience(() => {
      const [first, ...others] = names.flatMap((name) => this.#groups.get(name) ?? []);
      if (first === undefined) return [];
      return others.length === 0 ? first : new Set([first, ...others].flatMap((group) => [...group]));
    });
  }

  /** A user's connections. */
  user(tenant: string, oid: string): HubAudience {
    return this.#audience(() => this.#ofUser(tenant, oid));
  }

  /** Ends a user's connections for good: the clients do not come back by themselves. Answers how many there were. */
  disconnectUser(tenant: string, oid: string): number {
    const connections = this.#ofUser(tenant, oid);
    for (const connection of connections) connection.close();
    return connections.length;
  }

  /** Called by {@link HubConnection.join}. */
  join(connection: HubConnection, group: string): void {
    if (!connection.isOpen) return;
    let members = this.#groups.get(group);
    if (members === undefined) this.#groups.set(group, (members = new Set()));
    members.add(connection);
    connection.groups.add(group);
  }

  /** Called by {@link HubConnection.leave}. */
  leave(connection: HubConnection, group: string): void {
    connection.groups.delete(group);
    const members = this.#groups.get(group);
    members?.delete(connection);
    if (members?.size === 0) this.#groups.delete(group);
  }

  /**
   * Says goodbye to everybody, at even distances within `spreadMs`, so that not all come back in the same moment.
   * Resolves when the last one has been told.
   */
  async closeAll(options: HubCloseOptions, spreadMs = 0): Promise<void> {
    const connections = [...this.#connections.values()];
    const perStep =
      spreadMs === 0 ? connections.length : Math.ceil(connections.length / (spreadMs / STEP_MS));
    while (connections.length > 0) {
      for (const connection of connections.splice(0, Math.max(perStep, 1))) connection.close(options);
      if (connections.length > 0) await new Promise<void>((resolve) => this.timers.set(resolve, STEP_MS));
    }
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get turn(): MessageBatch {
    return this.#turn;
  }

  defer(run: () => void): void {
    this.#defer(run);
  }

  schedule(connection: HubConnection): void {
    if (this.#due.length === 0) this.#defer(() => this.#endTurn());
    this.#due.push(connection);
  }

  async opened(connection: HubConnection): Promise<void> {
    this.#connected.add(connection);
    this.counts.opened += 1;
    await this.#options.onConnected?.(connection);
  }

  closed(connection: HubConnection): void {
    this.#connections.delete(connection.id);
    for (const group of connection.groups) this.leave(connection, group);
    if (this.#connections.size === 0) {
      this.timers.clear(this.#beating);
      this.#beating = null;
    }
    if (!this.#connected.delete(connection)) return;
    this.counts.closed += 1;
    try {
      this.#options.onDisconnected?.(connection);
    } catch (error) {
      this.failed('onDisconnected', error);
    }
  }

  /** Logs what a method failed with, unless its caller was told. */
  failed(target: string, error: unknown): void {
    if (error instanceof HubError || error instanceof InvalidHubArguments) return; // its caller has been told
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log?.error('A hub method failed.', { target, reason });
  }

  #audience(members: () => Iterable<HubConnection>): HubAudience {
    return {
      send: (target, ...args) => {
        const message = new OutgoingMessage({ type: 1, target, arguments: args });
        const connections = members();
        for (const { protocol } of connections) message.encoded(protocol);
        for (const connection of connections) connection.deliver(message);
      },
    };
  }

  #ofUser(tenant: string, oid: string): HubConnection[] {
    return [...this.#connections.values()].filter(
      ({ principal }) => principal.tenant === tenant && principal.oid === oid,
    );
  }

  #endTurn(): void {
    const due = this.#due;
    this.#due = [];
    this.#turn = MessageBatch.empty();
    for (const connection of due) connection.flush();
  }

  #beat(): void {
    this.#nowMs += this.timing.heartbeatMs;
    const wallMs = Date.now();
    for (const connection of [...this.#connections.values()]) connection.beat(wallMs);
    if (this.#beating !== null) {
      this.#beating = this.timers.set(() => this.#beat(), this.timing.heartbeatMs);
    }
  }
}
