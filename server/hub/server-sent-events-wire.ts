import type { ServerResponse } from 'node:http';
import type { BatchFraming, HubProtocol, HubWire, MessageBatch } from '../../core/index.ts';
import type { PostedInput } from './posted-input.ts';
import { whenDrained } from './when-drained.ts';

const DATA = Buffer.from('data: ');
const END = Buffer.from('\r\n\r\n');

/** One event per write. JSON has no line breaks, so it is one line of data, 0x1E included. */
const event: BatchFraming<Buffer> = {
  frame: (payload) => Buffer.concat([DATA, payload, END]),
};

export interface ServerSentEventsWireOptions {
  readonly response: ServerResponse;
  readonly input: PostedInput;
  readonly closeTimeoutMs: number;
  /** Once, when the stream is over. */
  readonly onEnd: () => void;
}

/** A hub connection's event stream: one GET that stays open, and POSTs in the other direction. Text alone. */
export class ServerSentEventsWire implements HubWire {
  readonly formats = ['Text'] as const;
  readonly keepsAlive = false;
  readonly #input: PostedInput;
  readonly #response: ServerResponse;
  readonly #closeTimeoutMs: number;

  /** Answers the GET. */
  constructor({ response, input, closeTimeoutMs, onEnd }: ServerSentEventsWireOptions) {
    this.#response = response;
    this.#input = input;
    this.#closeTimeoutMs = closeTimeoutMs;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-store',
      Pragma: 'no-cache',
      // Proxies and middleware neither compress nor hold back what says so.
      'Content-Encoding': 'identity',
      'X-Accel-Buffering': 'no',
    });
    // Some browsers open the stream only with its first byte.
    response.write(':\r\n');
    response.once('close', () => {
      input.resume(); // a POST that waits for its turn would wait for ever
      onEnd();
    });
    response.on('error', () => this.abort()); // 'close' follows
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  get takenBytes(): number {
    const { socket } = this.#response;
    return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
  }

  write(batch: MessageBatch, protocol: HubProtocol): void {
    if (!this.#response.writableEnded) this.#response.write(batch.framed(protocol, event));
  }

  drained(): Promise<void> {
    return whenDrained(this.#response);
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    this.#input.resume();
  }

  close(): void {
    this.#input.resume();
    this.#response.end();
    const timer = setTimeout(() => this.abort(), this.#closeTimeoutMs);
    this.#response.once('close', () => clearTimeout(timer));
  }

  abort(): void {
    this.#input.resume();
    this.#response.destroy();
  }
}
