import { cpus } from 'node:os';
import type { RedisUsage } from './redis-usage.ts';

/** Tells how much of the machine others used while the bench ran. */
export class MachineWatch {
  readonly #usage: RedisUsage;
  #since = { atMs: 0, busyMs: 0, own: process.cpuUsage(), redisUs: 0 };
  #childrenUs = 0;

  constructor(usage: RedisUsage) {
    this.#usage = usage;
  }

  async start(): Promise<void> {
    const redisUs = await this.#usage.cpuUs();
    this.#since = { atMs: performance.now(), busyMs: busyMs(), own: process.cpuUsage(), redisUs };
  }

  /** A process of the bench used so much, in microseconds. */
  add(childUs: number): void {
    this.#childrenUs += childUs;
  }

  /** Cores that everything else kept busy since the start. */
  async othersCores(): Promise<number> {
    const { atMs, busyMs: before, own, redisUs } = this.#since;
    const { user, system } = process.cpuUsage(own);
    const ownUs = user + system + (await this.#usage.cpuUs()) - redisUs + this.#childrenUs;
    return Math.max(0, busyMs() - before - ownUs / 1_000) / (performance.now() - atMs);
  }
}

/** What all cores of the machine have worked since it started, in milliseconds. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
