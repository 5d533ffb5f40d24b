import type { Cluster, Redis } from 'ioredis';

/** One command with its arguments. */
export type RedisCall = readonly [command: string, ...args: string[]];

/**
 * Sends several commands in one trip. Answers their replies in order; rejects with the first error among them.
 * On a cluster all their keys are of one slot, and the trip is a transaction: ioredis follows MOVED and ASK for a
 * pipeline only where every command in it was redirected, and TIME, which has no key, never is.
 */
export async function runPipeline(redis: Redis | Cluster, calls: readonly RedisCall[]): Promise<unknown[]> {
  const commands = calls.map((call) => [...call]);
  const pipeline = redis.isCluster ? redis.multi(commands) : redis.pipeline(commands);
  const results = await pipeline.exec().catch((error: unknown) => {
    throw refusalOf(error);
  });
  return (results ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
}

/** A refused command discards its transaction; the reason is in the errors before that. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('previousErrors' in error)) return error;
  const { previousErrors } = error;
  return Array.isArray(previousErrors) ? ((previousErrors as unknown[])[0] ?? error) : error;
}
