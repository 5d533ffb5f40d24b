import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection that sends ready-made requests one after the other and reads answers with a
 * Content-Length. Node's own client costs more than the servers that are measured.
 */
export class RawHttpConnection {
  readonly #socket: Socket;
  #text = '';
  #waiting: { resolve: (body: string) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed a connection.')));
  }

  static open(port: number): Promise<RawHttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawHttpConnection(socket));
      });
    });
  }

  /** Resolves with the body of a 200, as latin1; rejects on any other answer. */
  send(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#text.slice(0, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? NaN);
    const body = this.#text.slice(headEnd + 4);
    if (body.length < length) return;
    this.#text = '';
    const waiting = this.#waiting;
    this.#waiting = null;
    if (head.startsWith('HTTP/1.1 200 ')) waiting?.resolve(body);
    else waiting?.reject(new Error(`Expected 200, got ${head.split('\r\n', 1).join('')}: ${body}`));
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
