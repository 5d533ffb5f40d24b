import type { HubProtocol } from './hub-protocol.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { encodeUtf8 } from './utf8.ts';

/** Turns a batch into what a transport writes: a WebSocket frame, an event. Kept with the batch, by this object. */
export interface BatchFraming<Framed> {
  /** The bytes as the transport writes them. */
  frame(payload: Uint8Array, protocol: HubProtocol): Framed;
}

/**
 * The messages that a connection is to get at the end of this turn of the event loop, in order. Connections that are
 * sent the same messages share the same batch, so a burst is joined and framed once for all of them. A batch is the
 * way that led to it: the batch before, and one message more.
 */
export class MessageBatch {
  readonly #before: MessageBatch | null;
  readonly #message: OutgoingMessage | null;
  /** The batch made last from this one: connections take their messages in the same order, so it is nearly always it. */
  #next: MessageBatch | null = null;
  readonly #framed = new Map<object, unknown>();

  private constructor(before: MessageBatch | null, message: OutgoingMessage | null) {
    this.#before = before;
    this.#message = message;
  }

  /** The empty batch that a turn begins with. */
  static empty(): MessageBatch {
    return new MessageBatch(null, null);
  }

  /** This batch and one message more. */
  with(message: OutgoingMessage): MessageBatch {
    let next = this.#next;
    if (next === null || next.#message !== message) this.#next = next = new MessageBatch(this, message);
    return next;
  }

  /** All messages as text. For protocols that write text. */
  text(protocol: HubProtocol): string {
    return this.#parts(protocol)
      .map((part) => (typeof part === 'string' ? part : ''))
      .join('');
  }

  /** All messages in a protocol's form, one after the other. */
  bytes(protocol: HubProtocol): Uint8Array {
    const parts = this.#parts(protocol);
    if (parts.every((part) => typeof part === 'string')) return encodeUtf8(parts.join(''));
    const chunks = parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part));
    const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
    let end = 0;
    for (const chunk of chunks) {
      joined.set(chunk, end);
      end += chunk.length;
    }
    return joined;
  }

  /** The batch as a transport writes it, made once for each protocol and framing. */
  framed<Framed>(protocol: HubProtocol, framing: BatchFraming<Framed>): Framed {
    let byProtocol = this.#framed.get(framing) as Map<HubProtocol, Framed> | undefined;
    if (byProtocol === undefined) this.#framed.set(framing, (byProtocol = new Map()));
    let framed = byProtocol.get(protocol);
    if (framed === undefined) {
      framed = framing.frame(this.bytes(protocol), protocol);
      byProtocol.set(protocol, framed);
    }
    return framed;
  }

  #parts(protocol: HubProtocol): (string | Uint8Array)[] {
    const parts = this.#message === null ? [] : [this.#message.encoded(protocol)];
    for (let batch = this.#before; batch !== null; batch = batch.#before) {
      if (batch.#message !== null) parts.push(batch.#message.encoded(protocol));
    }
    return parts.reverse();
  }
}
