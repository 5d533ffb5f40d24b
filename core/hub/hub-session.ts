import {
  JsonHubProtocol,
  MessageType,
  NullLogger,
  type HubMessage,
  type InvocationMessage,
} from '@microsoft/signalr';
import { systemTimers, type Timers } from '../timers.ts';
import { HANDSHAKE_ACCEPTED, RECORD_SEPARATOR, handshakeRefused, refuseHandshake } from './hub-handshake.ts';
import { HubError } from './hub-error.ts';
import { hubTiming, MAX_HUB_MESSAGE_BYTES, type HubTiming } from './hub-timing.ts';
import { InvalidHubArguments } from './invalid-hub-arguments.ts';
import type { TextSocket } from './text-socket.ts';

/** A method that clients may call. Its answer is the completion's result. Throw a `HubError` for a text they may read. */
export type HubMethod = (args: readonly unknown[]) => unknown;

export interface HubSessionOptions {
  readonly socket: TextSocket;
  /** The explicit allow-list, by the exact name that clients send. */
  readonly methods: Readonly<Record<string, HubMethod>>;
  /** The handshake reply is on its way: from now on the connection may hear broadcasts. */
  readonly onOpen: () => void;
  /** Once, whoever ended it. */
  readonly onClose: () => void;
  readonly timing?: Partial<HubTiming>;
  readonly timers?: Timers;
}

/** How many invocations of one client may wait their turn: each is kept until those before it are done. */
const MAX_WAITING_INVOCATIONS = 100;

const protocol = new JsonHubProtocol();

/** Serialises an invocation that expects no answer, once for as many sessions as will hear it. */
export function encodeInvocation(target: string, args: unknown[]): string {
  return protocol.writeMessage({ type: MessageType.Invocation, target, arguments: args });
}

/**
 * The server half of one SignalR connection in the JSON protocol, over any text socket.
 *
 * `handshake` → (accepted) → `open` → `closed`. A handshake that is refused or late goes straight to `closed`.
 * Input is one stream: frame borders mean nothing. Invocations run one at a time, in order; pings and Close are heard
 * meanwhile. Nothing is sent before the handshake reply.
 */
export class HubSession {
  readonly #options: HubSessionOptions;
  readonly #timing: HubTiming;
  readonly #timers: Timers;
  #state: 'handshake' | 'open' | 'closed' = 'handshake';
  #input = '';
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #deadline: unknown;
  #pinging: unknown;

  constructor(options: HubSessionOptions) {
    this.#options = options;
    this.#timing = hubTiming(options.timing);
    this.#timers = options.timers ?? systemTimers;
    this.#expire(this.#timing.handshakeTimeoutMs, () => this.#refuse('Handshake was canceled.'));
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Takes what came from the socket. */
  receive(text: string): void {
    if (this.#state === 'closed') return;
    this.#input += text;
    for (let message = this.#nextMessage(); message !== null; message = this.#nextMessage()) {
      if (message.length >= MAX_HUB_MESSAGE_BYTES) return this.#oversize();
      if (this.#state === 'handshake') this.#handshake(message);
      else this.#dispatchText(message);
    }
    if (this.#input.length >= MAX_HUB_MESSAGE_BYTES) this.#oversize();
  }

  /** Sends an encoded message. Does nothing unless the session is open. */
  send(encoded: string): void {
    if (this.#state === 'open') this.#options.socket.send(encoded);
  }

  /** Says goodbye and ends the connection. `allowReconnect` asks the client to come back. */
  close({
    error,
    allowReconnect = false,
  }: { readonly error?: string; readonly allowReconnect?: boolean } = {}): void {
    if (this.#state === 'open') {
      const flags = {
        ...(error === undefined ? {} : { error }),
        ...(allowReconnect ? { allowReconnect } : {}),
      };
      this.send(protocol.writeMessage({ type: MessageType.Close, ...flags }));
    }
    this.#end(1000);
  }

  /** The socket is gone. */
  disconnected(): void {
    this.#end(null);
  }

  /** The next whole message of the input; null where there is none, and after the end (which empties the input). */
  #nextMessage(): string | null {
    const end = this.#input.indexOf(RECORD_SEPARATOR);
    if (end < 0) return null;
    const message = this.#input.slice(0, end);
    this.#input = this.#input.slice(end + 1);
    return message;
  }

  #handshake(message: string): void {
    const refusal = refuseHandshake(message);
    if (refusal !== null) return this.#refuse(refusal);
    this.#state = 'open';
    this.#options.socket.send(HANDSHAKE_ACCEPTED);
    this.#heardClient();
    this.#ping();
    this.#options.onOpen();
  }

  #refuse(error: string): void {
    this.#options.socket.send(handshakeRefused(error));
    this.#end(1000);
  }

  #dispatchText(text: string): void {
    this.#heardClient();
    let messages: HubMessage[];
    try {
      messages = protocol.parseMessages(text + RECORD_SEPARATOR, NullLogger.instance);
    } catch {
      // Whatever is wrong with it, a client that breaks the protocol is closed with ASP.NET's words and may come back.
      return this.#closeWithError();
    }
    for (const message of messages) this.#dispatch(message);
  }

  #dispatch(message: HubMessage): void {
    if (message.type === MessageType.Close) return this.close();
    if (message.type !== MessageType.Invocation) return;
    if (this.#waiting >= MAX_WAITING_INVOCATIONS) return this.#closeWithError();
    this.#waiting += 1;
    this.#queue = this.#queue.then(async () => {
      await this.#invoke(message);
      this.#waiting -= 1;
    });
  }

  async #invoke({ target, arguments: args, invocationId }: InvocationMessage): Promise<void> {
    const outcome = await this.#call(target, args);
    if (invocationId === undefined || this.#state !== 'open') return; // nobody waits for an answer
    this.send(protocol.writeMessage({ type: MessageType.Completion, invocationId, ...outcome }));
    this.#heardClient();
  }

  async #call(target: string, args: unknown[]): Promise<{ error: string } | { result: unknown }> {
    const method = Object.hasOwn(this.#options.methods, target) ? this.#options.methods[target] : undefined;
    if (method === undefined) {
      return {
        error: `Failed to invoke '${target}' due to an error on the server. HubException: Method does not exist.`,
      };
    }
    try {
      return { result: (await method(args)) ?? null };
    } catch (error) {
      if (error instanceof InvalidHubArguments) {
        return { error: `Failed to invoke '${target}' due to an error on the server.` };
      }
      const told = error instanceof HubError ? ` HubException: ${error.message}` : '';
      return { error: `An unexpected error occurred invoking '${target}' on the server.${told}` };
    }
  }

  /** ASP.NET's words for a client that broke a rule. It may come back. */
  #closeWithError(): void {
    this.close({ error: 'Connection closed with an error.', allowReconnect: true });
  }

  #oversize(): void {
    if (this.#state === 'handshake') this.#refuse('Handshake was canceled.');
    else this.#closeWithError();
  }

  #heardClient(): void {
    if (this.#state !== 'open') return;
    this.#expire(this.#timing.clientTimeoutMs, () => this.#closeWithError());
  }

  #expire(afterMs: number, run: () => void): void {
    this.#timers.clear(this.#deadline);
    this.#deadline = this.#timers.set(run, afterMs);
  }

  #ping(): void {
    this.#pinging = this.#timers.set(() => {
      this.send(protocol.writeMessage({ type: MessageType.Ping }));
      this.#ping();
    }, this.#timing.pingEveryMs);
  }

  #end(code: number | null): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#input = '';
    this.#timers.clear(this.#deadline);
    this.#timers.clear(this.#pinging);
    if (code !== null) this.#options.socket.close(code);
    this.#options.onClose();
  }
}
