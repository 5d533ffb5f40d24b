import type { Redis } from 'ioredis';

/** One command with its arguments. */
export type RedisCall = readonly [command: string, ...args: string[]];

/** Sends several commands in one trip. Answers their replies in order; rejects with the first error among them. */
export async function runPipeline(redis: Redis, calls: readonly RedisCall[]): Promise<unknown[]> {
  const results = await redis.pipeline(calls.map((call) => [...call])).exec();
  return (results ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
}
