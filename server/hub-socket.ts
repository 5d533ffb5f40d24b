import type { RawData, WebSocket } from 'ws';
import type { HubSession, TextSocket } from '../core/index.ts';

/** A client that leaves more than this unread, in bytes, is closed: it may come back and fetch its lists again. */
export const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * A hub session's socket over `ws`. Texts of one turn of the event loop leave as one frame; nothing ever waits for a
 * client, and one that does not read is closed.
 */
export class HubSocket implements TextSocket {
  readonly #socket: WebSocket;
  #pending = '';

  constructor(socket: WebSocket) {
    this.#socket = socket;
    answerEmptyClose(socket);
  }

  send(text: string): void {
    if (this.#pending === '') setImmediate(() => this.#flush());
    this.#pending += text;
  }

  close(code: number): void {
    this.#flush();
    this.#socket.close(code);
  }

  /** Hands the session what arrives, until the end. */
  feed(session: HubSession): void {
    // One stream: frame types and borders mean nothing, and some clients send JSON in binary frames.
    const decoder = new TextDecoder();
    this.#socket.on('message', (data: RawData) =>
      session.receive(decoder.decode(bytesOf(data), { stream: true })),
    );
    this.#socket.on('close', () => session.disconnected());
    this.#socket.on('error', () => this.#socket.terminate()); // a broken frame, a reset: 'close' follows
  }

  #flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text === '' || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) this.#socket.terminate();
    else this.#socket.send(text);
  }
}

/** To a close frame without a code `ws` answers with none, which the peer sees as 1005; ASP.NET answers 1000. */
function answerEmptyClose(socket: WebSocket): void {
  const close = socket.close.bind(socket);
  socket.close = (code, reason) => close(code ?? 1_000, reason);
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
