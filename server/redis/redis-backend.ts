import { Redis } from 'ioredis';
import type { Log } from '../../core/index.ts';
import { jsonLog } from '../json-log.ts';
import type { LockBackend } from '../lock-backend.ts';
import type { PublishMode } from './lua-scripts.ts';
import { redisAdvice } from './redis-advice.ts';
import { RedisChangeFeed } from './redis-change-feed.ts';
import { RedisGate } from './redis-gate.ts';
import { RedisLockStore } from './redis-lock-store.ts';
import { COMMAND_SETTINGS, SUBSCRIBER_SETTINGS } from './redis-settings.ts';

/** How long a start waits for Redis, in milliseconds. The server starts in any case. */
const START_PATIENCE_MS = 1_000;

export interface RedisBackendOptions {
  /** `redis://` or `rediss://`, as ioredis reads it. */
  readonly url: string;
  /** Default: JSON lines. */
  readonly log?: Log;
  /** How scripts publish changes. Default `plain`; `sharded` needs Redis 7 everywhere; `off` where Lua may not publish. */
  readonly publish?: PublishMode;
}

/** Locks in one Redis (or whatever answers at its address), shared by all server nodes. Two connections a node. */
export function redisBackend({ url, log = jsonLog(), publish = 'plain' }: RedisBackendOptions): LockBackend {
  const redis = new Redis(url, COMMAND_SETTINGS);
  const subscriber = new Redis(url, SUBSCRIBER_SETTINGS);
  const gate = new RedisGate({ redis });
  const feed = new RedisChangeFeed({ redis, gate, subscriber, publish, log });
  let stopping: Promise<void> | null = null;
  return {
    store: new RedisLockStore({ redis, gate, publish, log }),
    feed,
    async start() {
      feed.start();
      const isReady = await Promise.all([connect(redis), connect(subscriber)]);
      if (isReady.includes(false)) {
        log.warn('Redis is not ready: the server starts without it, and records are open until it is back.');
      } else await advise(redis, log);
    },
    stop() {
      stopping ??= close(feed, redis, subscriber);
      return stopping;
    },
  };
}

/** Connects, and goes on trying for ever. Answers whether it was ready within the start's patience. */
function connect(redis: Redis): Promise<boolean> {
  if (redis.status !== 'wait') return Promise.resolve(redis.status === 'ready');
  return new Promise((resolve) => {
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(isReady);
    };
    const onReady = () => settle(true);
    const timer = setTimeout(settle, START_PATIENCE_MS, false);
    redis.on('ready', onReady);
    redis.connect().catch(() => {}); // the first try failed: ioredis goes on, and 'error' events say why
  });
}

async function advise(redis: Redis, log: Log): Promise<void> {
  const info = await redis.info().catch(() => ''); // not everybody may ask; then there is no advice
  for (const advice of redisAdvice(info)) log.warn(advice);
}

async function close(feed: RedisChangeFeed, redis: Redis, subscriber: Redis): Promise<void> {
  feed.stop();
  subscriber.disconnect();
  // What is under way gets its reply first; a Redis that is away or silent is not waited for (commandTimeout).
  if (redis.status === 'ready') await redis.quit().catch(() => {}); // then it is cut off all the same
  redis.disconnect();
}
