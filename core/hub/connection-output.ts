import type { HubProtocol } from './hub-protocol.ts';
import type { HubWire } from './hub-wire.ts';
import type { MessageBatch } from './message-batch.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

export interface ConnectionOutputOptions {
  readonly wire: HubWire;
  readonly maxBufferedBytes: number;
  /** Where this turn's batches begin. */
  readonly turn: () => MessageBatch;
  /** Has `flush` called at the end of this turn. */
  readonly schedule: () => void;
}

/** What one connection is to be sent in this turn of the event loop. */
export class ConnectionOutput {
  readonly #options: ConnectionOutputOptions;
  #pending: MessageBatch | null = null;

  constructor(options: ConnectionOutputOptions) {
    this.#options = options;
  }

  /** The client leaves too much unread for more to be written. */
  get isOverfull(): boolean {
    return this.#pending !== null && this.#options.wire.bufferedBytes > this.#options.maxBufferedBytes;
  }

  queue(message: OutgoingMessage): void {
    if (this.#pending === null) {
      this.#options.schedule();
      this.#pending = this.#options.turn();
    }
    this.#pending = this.#pending.with(message);
  }

  /** Hands what is queued to the transport. */
  flush(protocol: HubProtocol): void {
    const batch = this.#pending;
    this.#pending = null;
    if (batch !== null) this.#options.wire.write(batch, protocol);
  }

  /** Forgets what is queued. */
  clear(): void {
    this.#pending = null;
  }
}
