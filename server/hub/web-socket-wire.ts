import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { HubConnection, HubProtocol, HubWire, MessageBatch } from '../../core/index.ts';
import { webSocketFrame } from './web-socket-frame.ts';
import { whenDrained } from './when-drained.ts';

/**
 * A hub connection's WebSocket. Frames are written to the socket below it, whole, since they are the same for all
 * clients; what the WebSocket itself sends (pongs, the close) it writes there in one piece too.
 */
export class WebSocketWire implements HubWire {
  readonly formats = ['Text', 'Binary'] as const;
  readonly keepsAlive = false;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #closeTimeoutMs: number;

  constructor(webSocket: WebSocket, socket: Duplex, closeTimeoutMs: number) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#closeTimeoutMs = closeTimeoutMs;
    answerEmptyClose(webSocket);
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  get takenBytes(): number {
    // TLS sockets are sockets too; anything else cannot say, and then only an empty buffer shows that the client reads.
    return this.#socket instanceof Socket ? this.#socket.bytesWritten - this.#socket.writableLength : 0;
  }

  /** Hands the connection what arrives, until the end. */
  feed(connection: HubConnection): void {
    this.#webSocket.on('message', (data: RawData) => connection.receive(bytesOf(data)));
    this.#webSocket.on('error', () => {
      // A broken or oversized frame, for which `ws` has sent its close. (A reset is a close and no error of it.)
      connection.broken();
      this.close(1_002);
    });
  }

  write(batch: MessageBatch, protocol: HubProtocol): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.#socket.write(batch.framed(protocol, webSocketFrame));
  }

  drained(): Promise<void> {
    return whenDrained(this.#socket);
  }

  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    this.#webSocket.resume();
  }

  close(code: number): void {
    this.#webSocket.close(code);
    // A paused socket would never read the client's own close.
    this.#webSocket.resume();
    const timer = setTimeout(() => this.#webSocket.terminate(), this.#closeTimeoutMs);
    this.#webSocket.once('close', () => clearTimeout(timer));
  }

  abort(): void {
    this.#webSocket.terminate();
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
