import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** As much of an HTTP answer as polls look at. The test says when, and whether, it leaves. */
export class FakeResponse extends EventEmitter {
  status = 0;
  headers: Readonly<Record<string, unknown>> = {};
  body: Buffer | null = null;
  writableFinished = false;
  isClosed = false;
  socket: { destroyed: boolean } | null = { destroyed: false };

  get isAnswered(): boolean {
    return this.body !== null;
  }

  get asResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>>): this {
    this.status = status;
    this.headers = headers;
    return this;
  }

  end(body: Buffer = Buffer.alloc(0)): this {
    this.body = body;
    return this;
  }

  destroy(): void {
    this.breakOff();
  }

  /** All of it was handed to the system. */
  leave(): void {
    if (this.isClosed) return;
    this.writableFinished = true;
    this.socket = null;
    this.#close();
  }

  /** The client broke off. Node calls an answer finished that broke while it was written. */
  breakOff(isCalledFinished = false): void {
    if (this.isClosed) return;
    this.writableFinished = isCalledFinished;
    if (this.socket !== null) this.socket.destroyed = true;
    this.#close();
  }

  #close(): void {
    this.isClosed = true;
    this.emit('close');
  }
}
