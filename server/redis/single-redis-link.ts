import type { Redis } from 'ioredis';
import type { Log } from '../../core/index.ts';
import type { PublishMode } from './lua-scripts.ts';
import { RedisGate } from './redis-gate.ts';
import { START_PATIENCE_MS, type RedisLink } from './redis-link.ts';
import { SUBSCRIBER_SETTINGS } from './redis-settings.ts';
import { RedisSubscriptions } from './redis-subscriptions.ts';
import { whenReady } from './when-ready.ts';

export interface SingleRedisLinkOptions {
  readonly redis: Redis;
  readonly subscriber: Redis;
  /** Which of the two are ours to close. */
  readonly owned: readonly Redis[];
  readonly publish: PublishMode;
  readonly log: Log;
}

/** One Redis behind one address, or the present master that Sentinel names: one connection for commands, one to hear. */
export function singleRedisLink({
  redis,
  subscriber,
  owned,
  publish,
  log,
}: SingleRedisLinkOptions): RedisLink {
  let sentinelSaid: Error | null = null;
  const onSentinelError = (error: Error) => {
    sentinelSaid = error;
  };
  redis.on('sentinelError', onSentinelError);
  // "All sentinels are unreachable" is also said of a master's name that they do not know; they themselves say which.
  const explain = (error: Error) =>
    sentinelSaid !== null && /sentinels are unreachable/i.test(error.message)
      ? new Error(`No master by way of Sentinel: ${sentinelSaid.message}`, { cause: error })
      : error;
  const gate = new RedisGate({ redis, explain });
  const sharded = publish === 'sharded';
  return {
    redis,
    gates: { of: () => gate },
    publishMode: () => publish,
    send: (channel, message) =>
      sharded ? redis.spublish(channel, message) : redis.publish(channel, message),
    hear: (listener) => new RedisSubscriptions({ subscriber, sharded, log, ...listener }),
    servers: () => [redis],
    probe: () => subscriber.duplicate({ ...SUBSCRIBER_SETTINGS, retryStrategy: () => null }),
    async open() {
      const ready = [redis, subscriber].map((client) => whenReady(client, START_PATIENCE_MS));
      return !(await Promise.all(ready)).includes(false);
    },
    async close() {
      gate.stop();
      redis.off('sentinelError', onSentinelError);
      if (owned.includes(subscriber)) subscriber.disconnect();
      if (!owned.includes(redis)) return;
      redis.on('error', () => {}); // of a connection that is on its way out
      if (redis.status === 'ready') await redis.quit().catch(() => {}); // then it is cut off all the same
      redis.disconnect();
    },
  };
}
