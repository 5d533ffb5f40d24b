import { connect, type Socket } from 'node:net';

const RECONNECT_MS = 10;

/** A record that a lock script wrote, as the server itself says. */
const WRITTEN = /^\+(\d+\.\d+) \[\d+ lua\] "SET" "lock:\{[^"]*\}:ApprovalRequest:([^":]+)"/i;

/**
 * Sees each lock record that scripts write on these servers, at the moment, by MONITOR. A server that is killed, hung,
 * demoted or emptied afterwards takes back nothing that was seen; one that comes back is watched again. Not seen: what a
 * server carried out and did not come to tell before it was killed; that died with it.
 */
export class ClaimWitness {
  readonly #written = new Map<string, number[]>();
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(ports: readonly number[]) {
    for (const port of ports) this.#watch(port);
  }

  /** When the record of this entity was written, in milliseconds of the machine's clock; empty for one that never was. */
  writtenAtMs(uid: string): readonly number[] {
    return this.#written.get(uid) ?? [];
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
    const [, seconds, uid] = WRITTEN.exec(line) ?? [];
    if (uid === undefined) return;
    this.#written.set(uid, [...(this.#written.get(uid) ?? []), Number(seconds) * 1_000]);
  }
}
