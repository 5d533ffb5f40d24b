import type { Log } from '../../core/index.ts';
import { redisAdvice } from './redis-advice.ts';
import type { RedisLink } from './redis-link.ts';
import { CHECK_CHANNEL, neededRights, rightsProbes } from './redis-rights.ts';
import { runPipeline } from './run-pipeline.ts';

/**
 * Tells the operator what is wrong with the set-up of a Redis that can be reached: an eviction policy that drops locks, a
 * node of a cluster behind a plain address, missing rights. Changes nothing in Redis and never rejects.
 */
export async function checkRedis(link: RedisLink, log: Log): Promise<void> {
  const [advice, refused] = await Promise.all([adviceOf(link), refusals(link)]);
  for (const message of advice) log.warn(message);
  if (refused.length === 0) return;
  log.error(
    'Redis refuses its user what Rowlock needs: until that is granted, locks or changes are missing.',
    {
      refused,
      needed: neededRights(link.redis.isCluster, link.publishMode()),
    },
  );
}

async function adviceOf(link: RedisLink): Promise<readonly string[]> {
  const infos = await Promise.all(link.servers().map((server) => server.info().catch(() => ''))); // not everybody may ask
  return [...new Set(infos.flatMap((info) => redisAdvice(info, link.redis.isCluster)))];
}

/** `"zadd: NOPERM …"` for each command that the user may not use, or not on our keys or channels. */
async function refusals(link: RedisLink): Promise<readonly string[]> {
  const { redis } = link;
  const probes = rightsProbes(redis.isCluster, link.publishMode());
  const [first, ...others] = await Promise.all([
    probeSubscriber(link),
    ...probes.map(([command, ...args]) => refusalOf(command, () => redis.call(command, ...args))),
    ...(redis.isCluster ? [refusalOf('multi', () => runPipeline(redis, [['time']]))] : []),
  ]);
  return [...first, ...others].filter((refusal) => refusal !== null);
}

/** Over a connection that is made for the question: a subscribed one may be good for nothing else. */
async function probeSubscriber(link: RedisLink): Promise<readonly (string | null)[]> {
  const subscriber = link.probe(CHECK_CHANNEL);
  if (subscriber === null) return [];
  subscriber.on('error', () => {}); // the rejected connect() or call says it
  const sharded = link.publishMode() === 'sharded';
  try {
    await subscriber.connect();
    return [
      await refusalOf('ping', () => subscriber.ping()),
      sharded
        ? await refusalOf('ssubscribe', () => subscriber.ssubscribe(CHECK_CHANNEL))
        : await refusalOf('subscribe', () => subscriber.subscribe(CHECK_CHANNEL)),
      sharded
        ? await refusalOf('sunsubscribe', () => subscriber.sunsubscribe(CHECK_CHANNEL))
        : await refusalOf('unsubscribe', () => subscriber.unsubscribe(CHECK_CHANNEL)),
    ];
  } catch {
    return []; // no connection: that is told elsewhere, and not a matter of rights
  } finally {
    subscriber.disconnect();
  }
}

async function refusalOf(command: string, ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    // Every other error (NOSCRIPT, OOM, a lost connection) comes from somebody who may ask.
    const reason = error instanceof Error ? error.message : String(error);
    return /\bNOPERM\b/.test(reason) ? `${command}: ${reason}` : null;
  }
}
