import { Redis } from 'ioredis';

/** What Redis says of its own work, over a connection beside those that are measured. */
export class RedisUsage {
  readonly #redis: Redis;

  private constructor(redis: Redis) {
    this.#redis = redis;
  }

  static async of(url: string): Promise<RedisUsage> {
    const redis = new Redis(url, { lazyConnect: true });
    await redis.connect();
    return new RedisUsage(redis);
  }

  /** The process' CPU time so far, user and system, in microseconds. */
  async cpuUs(): Promise<number> {
    const text = await this.#redis.info('cpu');
    return 1e6 * (numberIn(text, /used_cpu_sys:([\d.]+)/) + numberIn(text, /used_cpu_user:([\d.]+)/));
  }

  async version(): Promise<string> {
    return /redis_version:(\S+)/.exec(await this.#redis.info('server'))?.[1] ?? 'unknown';
  }

  async flush(): Promise<void> {
    await this.#redis.flushall();
  }

  close(): void {
    this.#redis.disconnect();
  }
}

/** One command's share of Redis' statistics. */
export interface CommandCost {
  readonly calls: number;
  /** All calls together, as the commands themselves took: without reading and answering. */
  readonly us: number;
}

/** `INFO commandstats` since the last reset, by command. A command that a script calls counts beside its EVALSHA. */
export async function commandCosts(redis: Redis): Promise<ReadonlyMap<string, CommandCost>> {
  const text = await redis.info('commandstats');
  const found = text.matchAll(/cmdstat_([a-z|_]+):calls=(\d+),usec=(\d+)/g);
  return new Map(
    [...found].map(([, name = '', calls, us]) => [name, { calls: Number(calls), us: Number(us) }]),
  );
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? NaN);
}
