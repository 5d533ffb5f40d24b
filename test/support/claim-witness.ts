import { connect, type Socket } from 'node:net';
import { askRedisNodes } from './ask-redis-nodes.ts';
import { until } from './until.ts';

const RECONNECT_MS = 10;
const CATCH_UP_MS = 5_000;

/** A record that a lock script wrote, as the server itself says. */
const WRITTEN = /^\+(\d+\.\d+) \[\d+ lua\] "SET" "lock:\{[^"]*\}:ApprovalRequest:([^":]+)"/i;

/**
 * Sees each lock record that scripts write on these servers, at the moment, by MONITOR. A server that is killed, hung,
 * demoted or emptied afterwards takes back nothing that was seen; one that comes back is watched again. Not seen: what a
 * server carried out and did not come to tell before it was killed; that died with it.
 */
export class ClaimWitness {
  readonly #ports: readonly number[];
  readonly #written = new Map<string, number[]>();
  readonly #marks = new Set<string>();
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    for (const port of ports) this.#watch(port);
  }

  /** When the record of this entity was written, in milliseconds of the machine's clock; empty for one that never was. */
  writtenAtMs(uid: string): readonly number[] {
    return this.#written.get(uid) ?? [];
  }

  /** Resolves when everything was seen that those servers which answer have carried out up to this call. */
  async catchUp(): Promise<void> {
    await Promise.all(
      this.#ports.map(async (port) => {
        const mark = `mark-${String(port)}-${String(this.#marks.size)}`;
        const isUp = await askRedisNodes([port], async ([client]) => {
          return (await client?.echo(mark).catch(() => '')) === mark;
        });
        if (isUp) await until(`the witness at ${String(port)}`, () => this.#marks.has(mark), CATCH_UP_MS);
      }),
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.destroy();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #watch(port: number): void {
    const socket = connect(port, '127.0.0.1', () => socket.write('MONITOR\r\n'));
    this.#sockets.add(socket);
    let rest = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#read(line);
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#isStopped) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#watch(port);
      }, RECONNECT_MS);
      this.#timers.add(timer);
    });
  }

  #read(line: string): void {
    const mark = /"(mark-\d+-\d+)"$/.exec(line)?.[1];
    if (mark !== undefined) this.#marks.add(mark);
    const [, seconds, uid] = WRITTEN.exec(line) ?? [];
    if (uid === undefined) return;
    this.#written.set(uid, [...(this.#written.get(uid) ?? []), Number(seconds) * 1_000]);
  }
}
