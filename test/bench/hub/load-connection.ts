import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { MessageCounter, SHORTEST_CHANGE } from './message-counter.ts';
import { clientFrame, type Wire } from './wire.ts';

const CONNECT_PATIENCE_MS = 20_000;

/** All sockets read into this one buffer, one after the other: nothing is allocated for a read. */
const SHARED_BUFFER = Buffer.allocUnsafe(65_536);

export interface LoadConnectionOptions {
  readonly port: number;
  readonly wire: Wire;
  /** So many whole changes came with one read. */
  readonly onChanges: (connection: LoadConnection, count: number) => void;
  /** Once, when the connection ends before `close()`, or brings what no server may send. */
  readonly onFailure: (error: Error) => void;
  /** Keeps the text of every change in `heard`. */
  readonly isWitness: boolean;
}

/** One client of the crowd: a WebSocket by hand, which counts what it hears and answers pings. */
export class LoadConnection {
  /** Changes since somebody set it to 0. */
  changes = 0;
  /** What a witness heard; the owner takes it out. */
  heard: string[] = [];
  readonly #options: LoadConnectionOptions;
  readonly #counter: MessageCounter;
  readonly #socket: Socket;
  #state: 'upgrading' | 'greeting' | 'joined' | 'closed' = 'upgrading';
  #upgrade = '';
  #joined: (() => void) | null = null;

  constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#counter = new MessageCounter(options.wire.end, { keepsChanges: options.isWitness });
    const onread = { buffer: SHARED_BUFFER, callback: (length: number) => this.#read(length) };
    this.#socket = connect({ port: options.port, host: '127.0.0.1', onread });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The server closed a connection.')));
    this.#socket.write(upgradeRequest(options.wire.path));
  }

  /** Frames since the beginning. */
  get frames(): number {
    return this.#counter.frames;
  }

  /** Resolves when the server took the client in. Failures go to `onFailure`. */
  join(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#fail(new Error(`Not joined within ${CONNECT_PATIENCE_MS} ms.`));
      }, CONNECT_PATIENCE_MS);
      this.#joined = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Tells the server that somebody is there. */
  ping(): void {
    const { keepAlive } = this.#options.wire;
    if (this.#state === 'joined' && keepAlive?.answers === null)
      this.#socket.write(clientFrame(keepAlive.send));
  }

  close(): void {
    this.#state = 'closed';
    this.#joined?.();
    this.#socket.destroy();
  }

  #read(length: number): true {
    try {
      const start = this.#state === 'upgrading' ? this.#readUpgrade(length) : 0;
      const count = this.#counter.take(
        start === 0 ? SHARED_BUFFER : SHARED_BUFFER.subarray(start),
        length - start,
      );
      if (this.#counter.texts.length > 0) this.#hear(this.#counter.texts.splice(0));
      if (count > 0) this.#options.onChanges(this, count);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  #hear(texts: readonly string[]): void {
    const { greeting, keepAlive } = this.#options.wire;
    for (const text of texts) {
      if (this.#state === 'greeting') {
        if (text.startsWith(greeting?.welcome ?? '')) this.#join();
      } else if (text === keepAlive?.answers) this.#socket.write(clientFrame(keepAlive.send));
      else if (text.length >= SHORTEST_CHANGE) this.heard.push(text);
    }
  }

  /** Answers the index of the first byte after the server's answer; greets when that is whole. */
  #readUpgrade(length: number): number {
    const before = this.#upgrade.length;
    this.#upgrade += SHARED_BUFFER.toString('latin1', 0, length);
    const end = this.#upgrade.indexOf('\r\n\r\n');
    if (end < 0) return length;
    if (!this.#upgrade.startsWith('HTTP/1.1 101 ')) {
      throw new Error(`The server refused an upgrade: ${this.#upgrade.slice(0, 200)}`);
    }
    const { greeting } = this.#options.wire;
    this.#state = 'greeting';
    if (greeting === null) this.#join();
    else this.#socket.write(clientFrame(greeting.send));
    return end + 4 - before;
  }

  #join(): void {
    this.#state = 'joined';
    this.#joined?.();
  }

  #fail(error: Error): void {
    if (this.#state === 'closed') return;
    this.close();
    this.#options.onFailure(error);
  }
}

function upgradeRequest(path: string): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
