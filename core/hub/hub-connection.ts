import type { Principal } from '../principal.ts';
import { ConnectionCalls } from './connection-calls.ts';
import { ConnectionInput } from './connection-input.ts';
import { ConnectionOutput } from './connection-output.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { HubError } from './hub-error.ts';
import { HANDSHAKE_ACCEPTED, handshakeRefused, readHandshake } from './hub-handshake.ts';
import type { HubConnectionHost } from './hub-connection-host.ts';
import type { HubProtocol } from './hub-protocol.ts';
import type { HubWire } from './hub-wire.ts';
import { InvalidHubMessage } from './invalid-hub-message.ts';
import { jsonHubProtocol } from './json-hub-protocol.ts';
import { MessageBatch } from './message-batch.ts';
import { OutgoingMessage } from './outgoing-message.ts';

export interface HubConnectionOptions {
  readonly host: HubConnectionHost;
  readonly wire: HubWire;
  readonly id: string;
  /** Who is connected. */
  readonly principal: Principal;
}

/** How a connection is ended. `allowReconnect` asks the client to come back. */
export interface HubCloseOptions {
  /** What the client is told. Absent = a normal end. */
  readonly error?: string;
  /** Whether the client may come back by itself. */
  readonly allowReconnect?: boolean;
}

const ACCEPTED = new OutgoingMessage(HANDSHAKE_ACCEPTED);
const PING = new OutgoingMessage({ type: 6 });

/** ASP.NET's words for a client that broke a rule. */
const CLOSED_WITH_ERROR = 'Connection closed with an error.';

/**
 * The server half of one SignalR connection, over any transport and in any protocol.
 *
 * `handshake` → (accepted) → `open` → `closed`. A handshake that is refused or late goes straight to `closed`.
 * Applications use `id`, `principal`, `join`, `leave`, `send`, `invoke` and `close`; `receive`, `disconnected`, `broken`
 * and `beat` are for the transport and the hub.
 */
export class HubConnection {
  /** Public: applications may hand it to other clients. Nobody connects with it. */
  readonly id: string;
  /** Who is connected. */
  readonly principal: Principal;
  /** Managed by the hub. */
  readonly groups = new Set<string>();
  readonly #host: HubConnectionHost;
  readonly #wire: HubWire;
  readonly #input: ConnectionInput;
  readonly #output: ConnectionOutput;
  readonly #watch: ConnectionWatch;
  #state: 'handshake' | 'open' | 'closed' = 'handshake';
  #protocol: HubProtocol = jsonHubProtocol;
  #calls: ConnectionCalls | null = null;
  #isConnecting = false;
  #ready: Promise<void> = Promise.resolve();
  #isPaused = false;

  constructor({ host, wire, id, principal }: HubConnectionOptions) {
    this.#host = host;
    this.#wire = wire;
    this.id = id;
    this.principal = principal;
    this.#watch = new ConnectionWatch(host.timing, wire, host.nowMs);
    this.#input = new ConnectionInput(host.limits);
    this.#output = new ConnectionOutput({
      wire,
      maxBufferedBytes: host.limits.maxBufferedBytes,
      turn: () => host.turn,
      schedule: () => host.schedule(this),
    });
  }

  /** The handshake is over, and nothing has ended it. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** The handshake is still to come. */
  get isAwaited(): boolean {
    return this.#state === 'handshake';
  }

  /** As negotiated by the handshake. */
  get protocol(): HubProtocol {
    return this.#protocol;
  }

  /** Calls a client method; nobody learns whether it did anything. Throws where an argument cannot be written. */
  send(target: string, ...args: readonly unknown[]): void {
    this.#send(new OutgoingMessage({ type: 1, target, arguments: args }));
  }

  /** Joins a group of its hub; harmless where it is in it or is not open. */
  join(group: string): void {
    this.#host.join(this, group);
  }

  /** Leaves a group of its hub; harmless where it is not in it. */
  leave(group: string): void {
    this.#host.leave(this, group);
  }

  /**
   * Calls a client method and resolves with its result. Rejects with a `HubError` where the client has no answer, fails,
   * is gone, or takes longer than `clientResultTimeoutMs`.
   */
  invoke(target: string, ...args: readonly unknown[]): Promise<unknown> {
    if (this.#isConnecting) {
      const words = 'Client results inside OnConnectedAsync Hub methods are not allowed.';
      return Promise.reject(new HubError(words));
    }
    if (this.#state !== 'open') {
      return Promise.reject(new HubError(`Connection '${this.id}' does not exist.`));
    }
    const { clientResultTimeoutMs } = this.#host.timing;
    return this.#callsOf().results.ask(target, clientResultTimeoutMs, (invocationId) =>
      this.#send(new OutgoingMessage({ type: 1, invocationId, target, arguments: args })),
    );
  }

  /** Queues a message that is written already. Does nothing unless the connection is open. */
  deliver(message: OutgoingMessage): void {
    if (this.#state !== 'open') return;
    this.#host.counts.delivered += 1;
    this.#output.queue(message);
  }

  /** From this moment on (ms since 1970) the identity is no longer proven: the connection ends, and may come back. */
  expireAt(expiresAtMs: number): void {
    this.#watch.expireAt(expiresAtMs);
  }

  /** Says goodbye and ends the connection. */
  close({ error, allowReconnect = false }: HubCloseOptions = {}): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'open') {
      const flags = {
        ...(error === undefined ? {} : { error }),
        ...(allowReconnect ? { allowReconnect } : {}),
      };
      this.#output.queue(new OutgoingMessage({ type: 7, ...flags }));
    }
    this.#end();
    this.#wire.close(1_000);
  }

  /** Takes what came from the transport. */
  receive(data: string | Uint8Array): void {
    if (this.#state === 'closed') return;
    this.#input.push(data);
    this.#readOn();
  }

  /** The transport is gone. */
  disconnected(): void {
    this.#end();
  }

  /** The client broke the transport's own rules, and the transport has told it so in its own way. */
  broken(): void {
    if (this.#state === 'closed') return;
    this.#host.counts.broken += 1;
    this.#end();
  }

  /** Looks at the timers. `wallMs` = milliseconds since 1970, for the expiry of identities alone. */
  beat(wallMs: number): void {
    const { nowMs } = this.#host;
    if (this.#state === 'handshake' && this.#watch.isHandshakeLate(nowMs))
      this.#refuse('Handshake was canceled.');
    if (this.#state !== 'open') return;
    // Who is not read cannot be heard.
    if (this.#isPaused) this.#watch.heard(nowMs);
    switch (this.#watch.look(nowMs, wallMs)) {
      case 'expired':
        this.close({ allowReconnect: true });
        break;
      case 'stalled':
        this.#host.counts.slow += 1;
        this.#end();
        this.#wire.abort();
        break;
      case 'silent':
        this.#host.counts.silent += 1;
        this.#closeWithError();
        break;
      case 'ping':
        this.deliver(PING);
        break;
      default:
        break;
    }
  }

  /** The end of a turn: hands what is queued to the transport, or closes a client that has too much unread. */
  flush(): void {
    if (this.#state === 'open' && this.#output.isOverfull) {
      this.#host.counts.slow += 1;
      this.#output.clear();
      this.close({ allowReconnect: true });
    } else this.#output.flush(this.#protocol);
  }

  /** Written before it is queued: what cannot be written is its sender's trouble alone. Answers its length. */
  #send(message: OutgoingMessage): number {
    const { length } = message.encoded(this.#protocol);
    this.deliver(message);
    return length;
  }

  #readOn(): void {
    try {
      while (this.#state !== 'closed' && !this.#isPaused) {
        if (!this.#readNext()) return;
      }
    } catch (error) {
      // A fault of ours ends this connection, and no other.
      if (!(error instanceof InvalidHubMessage)) this.#host.failed('reading', error);
      this.#host.counts.broken += 1;
      if (this.#state === 'handshake') this.#refuse('Handshake was canceled.');
      else this.#closeWithError();
    }
  }

  /** Answers whether there was a whole message. */
  #readNext(): boolean {
    if (this.#state === 'handshake') {
      const body = this.#input.takeHandshake();
      if (body !== null) this.#handshake(body);
      return body !== null;
    }
    const message = this.#input.take(this.#protocol);
    if (message === null) return false;
    const { nowMs } = this.#host;
    this.#watch.heard(nowMs);
    const isKnown = message !== 'unknown';
    if (!(isKnown && this.#calls?.isUpload(message) === true)) this.#input.countAt(nowMs);
    if (isKnown && message.type === 7) this.close();
    else if (isKnown && message.type !== 6) this.#callsOf().receive(message);
    return true;
  }

  #handshake(body: Uint8Array): void {
    const host = this.#host;
    const handshake = readHandshake(body, host.protocols, this.#wire.formats);
    if ('refusal' in handshake) {
      this.#refuse(handshake.refusal);
      return;
    }
    this.#protocol = handshake.protocol;
    this.#state = 'open';
    this.#watch.heard(host.nowMs);
    this.#output.queue(ACCEPTED);
    this.#isConnecting = true;
    this.#ready = host.opened(this).then(
      () => {
        this.#isConnecting = false;
      },
      (error: unknown) => {
        this.#isConnecting = false;
        host.failed('onConnected', error);
        const told = error instanceof HubError ? ` HubException: ${error.message}` : '';
        if (this.#state === 'open') this.close({ error: CLOSED_WITH_ERROR + told });
      },
    );
  }

  /** Made with the first call: most connections only listen. */
  #callsOf(): ConnectionCalls {
    const host = this.#host;
    this.#calls ??= new ConnectionCalls({
      connection: this,
      methods: host.methods,
      limits: host.limits,
      timers: host.timers,
      ready: this.#ready,
      send: (message) => this.#send(new OutgoingMessage(message)),
      setReading: (isReading) => this.#setReading(isReading),
      drained: () => this.#drained(),
      failed: (target, error) => host.failed(target, error),
    });
    return this.#calls;
  }

  #setReading(isReading: boolean): void {
    this.#isPaused = !isReading;
    if (isReading) {
      this.#wire.resume();
      this.#readOn();
    } else this.#wire.pause();
  }

  #refuse(error: string): void {
    this.#wire.write(
      MessageBatch.empty().with(new OutgoingMessage(handshakeRefused(error))),
      jsonHubProtocol,
    );
    this.#end();
    this.#wire.close(1_000);
  }

  /** A client that broke a rule. It may come back. */
  #closeWithError(): void {
    this.close({ error: CLOSED_WITH_ERROR, allowReconnect: true });
  }

  /** Resolves when what is queued has left, others had their turn, and the client has taken most of it. */
  async #drained(): Promise<void> {
    this.flush();
    await new Promise<void>((resolve) => this.#host.defer(resolve));
    await this.#wire.drained();
  }

  #end(): void {
    if (this.#state === 'closed') return;
    // The last words leave now, and nothing after them.
    this.#state = 'closed';
    this.#output.flush(this.#protocol);
    this.#input.clear();
    this.#calls?.stop();
    this.#host.closed(this);
  }
}
