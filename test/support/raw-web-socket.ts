import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './until.ts';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The handshake of a client that speaks JSON. */
export const JSON_HANDSHAKE = '{"protocol":"json","version":1}\u001e';

export interface RawFrame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

export interface FrameOptions {
  readonly opcode?: number;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  /** What the header says; default: the payload's own. */
  readonly length?: number;
}

export interface RawWebSocketOptions {
  readonly port: number;
  /** With its query. */
  readonly path?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The HTTP answer to an upgrade. */
export interface UpgradeAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A WebSocket client that can do everything wrong: frames are made and read by hand (RFC 6455 section 5.2). */
export class RawWebSocket {
  readonly socket: Socket;
  readonly frames: RawFrame[] = [];
  /** Hub messages in JSON, of text frames. */
  readonly messages: Record<string, unknown>[] = [];
  isEnded = false;
  /** Whether it answers a close frame, as well-behaved clients do. */
  answersClose = false;
  #answer: UpgradeAnswer | null = null;
  #input = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => this.#read(data));
    socket.on('error', () => {}); // a reset is an end like any other; 'close' follows
    socket.on('close', () => (this.isEnded = true));
    socket.on('end', () => (this.isEnded = true));
  }

  /** Asks for the upgrade and resolves with the answer, whatever it is. */
  static async ask({
    port,
    path = '/hub',
    token = 'ann',
    headers = {},
  }: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    const all = {
      Host: `127.0.0.1:${port}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const client = new RawWebSocket(socket);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    await until('an answer to the upgrade', () => client.#answer ?? client.isEnded);
    return client;
  }

  /** Connects, and completes SignalR's handshake in JSON. */
  static async open(options: RawWebSocketOptions): Promise<RawWebSocket> {
    const client = await RawWebSocket.ask(options);
    if (client.answer.status !== 101) throw new Error(`Refused with ${client.answer.status}`);
    client.text(JSON_HANDSHAKE);
    await until('the handshake’s reply', () => client.messages.length > 0);
    return client;
  }

  get answer(): UpgradeAnswer {
    return this.#answer ?? { status: 0, headers: new Map(), body: '' };
  }

  /** Of the close frame that came; null = none. 1005 = a frame without a code. */
  get closeCode(): number | null {
    const frame = this.frames.find(({ opcode }) => opcode === OPCODE.close);
    if (frame === undefined) return null;
    return frame.payload.length < 2 ? 1_005 : frame.payload.readUInt16BE();
  }

  /** The hub's Close message, where one came. */
  get closeMessage(): Record<string, unknown> | undefined {
    return this.messages.find(({ type }) => type === 7);
  }

  /** Answers whether the kernel took it all. */
  text(text: string, options: FrameOptions = {}): boolean {
    return this.frame(Buffer.from(text), { opcode: OPCODE.text, ...options });
  }

  /** A hub message in JSON. */
  message(message: object): boolean {
    return this.text(JSON.stringify(message) + '\u001e');
  }

  frame(payload: Uint8Array, options: FrameOptions = {}): boolean {
    return this.socket.write(clientFrame(payload, options));
  }

  /** Resolves when the server has ended the connection. */
  async ended(withinMs = 5_000): Promise<void> {
    await until('the server ends the connection', () => this.isEnded, withinMs);
    this.socket.destroy();
  }

  #read(data: Buffer): void {
    this.#input = Buffer.concat([this.#input, data]);
    if (this.#answer === null) this.#readHead();
    while (this.#answer?.status === 101 && this.#readFrame());
  }

  #readHead(): void {
    const end = this.#input.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [statusLine = '', ...lines] = this.#input.subarray(0, end).toString().split('\r\n');
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get('content-length') ?? 0);
    if (this.#input.length < end + 4 + length) return;
    const body = this.#input.subarray(end + 4, end + 4 + length).toString();
    this.#input = this.#input.subarray(end + 4 + length);
    this.#answer = { status: Number(statusLine.split(' ')[1]), headers, body };
  }

  #readFrame(): boolean {
    const input = this.#input;
    if (input.length < 2) return false;
    const short = input.readUInt8(1);
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (input.length < 2 + lengthBytes) return false;
    const length =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? input.readUInt16BE(2)
          : Number(input.readBigUInt64BE(2));
    const start = 2 + lengthBytes;
    if (input.length < start + length) return false;
    const payload = Buffer.from(input.subarray(start, start + length));
    const first = input.readUInt8(0);
    this.#input = input.subarray(start + length);
    const frame = { opcode: first & 0x0f, isFinal: first >= 0x80, payload };
    this.frames.push(frame);
    if (frame.opcode === OPCODE.close && this.answersClose) this.frame(payload, { opcode: OPCODE.close });
    if (frame.opcode === OPCODE.text) {
      for (const text of payload.toString().split('\u001e').slice(0, -1)) {
        this.messages.push(JSON.parse(text) as Record<string, unknown>);
      }
    }
    return true;
  }
}

/** One frame as clients write it: masked, unless told otherwise. */
export function clientFrame(
  payload: Uint8Array,
  { opcode = OPCODE.binary, isFinal = true, isMasked = true, length = payload.length }: FrameOptions = {},
): Buffer {
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + lengthBytes);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) head.writeUInt16BE(length, 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  const masked = Buffer.from(payload);
  for (const [index, byte] of masked.entries()) masked[index] = byte ^ (mask[index % 4] ?? 0);
  return Buffer.concat([head, mask, masked]);
}
