import { connect, type Socket } from 'node:net';

export interface RawRequest {
  readonly method: string;
  /** With its query; sent as it is. */
  readonly path: string;
  /** Names and values, sent as they are, repeated ones too. `Host` is added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** In chunks, without a `Content-Length`. */
  readonly isChunked?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * A keep-alive connection that sends whatever it is told, malformed or not, one request at a time: what `fetch` and
 * `node:http` would refuse to send or put right.
 */
export class RawHttp {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** The answer; null where the server ended the connection without one. */
  async send({ method, path, headers, body, isChunked = false }: RawRequest): Promise<RawAnswer | null> {
    const socket = (this.#socket ??= open(this.#port));
    const length =
      body === null
        ? []
        : isChunked
          ? [['Transfer-Encoding', 'chunked']]
          : [['Content-Length', String(body.length)]];
    const lines = [['Host', 'rowlock.test'], ...headers, ...length].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const answer = readAnswer(socket, method);
    socket.write(Buffer.concat([head, ...(body === null ? [] : isChunked ? chunksOf(body) : [body])]));
    const read = await answer;
    if (read === null || read.headers['connection'] === 'close') this.close();
    return read;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }
}

/** A server may hang up on what it has answered: that is no error here. */
function open(port: number): Socket {
  return connect(port, '127.0.0.1')
    .setNoDelay()
    .on('error', () => {});
}

/** In three pieces, as a client that streams would. */
function chunksOf(body: Uint8Array): Buffer[] {
  const third = Math.max(1, Math.ceil(body.length / 3));
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += third) {
    const piece = body.subarray(at, at + third);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), Buffer.from('\r\n'));
  }
  return [...pieces, Buffer.from('0\r\n\r\n')];
}

function readAnswer(socket: Socket, method: string): Promise<RawAnswer | null> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (answer: RawAnswer | null) => {
      socket.off('data', onData).off('close', onClose);
      resolve(answer);
    };
    const onData = (data: Buffer) => {
      bytes = Buffer.concat([bytes, data]);
      const answer = parse(bytes, method, false);
      if (answer !== null) settle(answer);
    };
    const onClose = () => settle(parse(bytes, method, true));
    socket.on('data', onData).once('close', onClose);
  });
}

/** null where the answer is not whole yet. */
function parse(bytes: Buffer, method: string, isEnded: boolean): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parse(rest, method, isEnded); // "100 Continue" comes before the answer
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const length = headers['content-length'];
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const whole = !hasBody ? 0 : length !== undefined ? Number(length) : isEnded ? rest.length : Infinity;
  return rest.length < whole ? null : { status, headers, text: rest.subarray(0, whole).toString() };
}
