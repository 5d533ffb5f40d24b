import type { Redis } from 'ioredis';
import { redisBackend, type RedisBackendOptions } from '../../server/index.ts';
import { silentLog } from '../support/silent-log.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export interface RedisDeployment {
  readonly options: RedisBackendOptions;
  /** Every Redis that keeps keys: asked what lies in them. Closed with the store. */
  readonly inspectors: readonly Redis[];
  /** Ends the servers. */
  stop(): Promise<void>;
}

/** The store over a deployment of Redis, as the suite wants it. */
export async function redisStoreUnderTest({
  options,
  inspectors,
  stop,
}: RedisDeployment): Promise<StoreUnderTest> {
  const backend = redisBackend({ log: silentLog, ...options });
  await backend.start();
  return {
    store: backend.store,
    feed: backend.feed,
    async lifetimesMs() {
      const lifetimes: number[] = [];
      for (const inspector of inspectors) {
        for (const key of await inspector.keys('*')) {
          const lifetime = await inspector.pttl(key);
          // -2: it ran out between the two calls. -1, no end at all, is what must never be.
          if (lifetime !== -2)
            lifetimes.push(lifetime === -1 ? Number.NEGATIVE_INFINITY : Math.max(1, lifetime));
        }
      }
      return lifetimes;
    },
    async stop() {
      for (const inspector of inspectors) inspector.disconnect();
      await backend.stop();
      await stop();
    },
  };
}
