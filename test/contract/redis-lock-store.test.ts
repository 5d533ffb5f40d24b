import { Redis } from 'ioredis';
import { redisBackend } from '../../server/index.ts';
import { silentLog } from '../support/silent-log.ts';
import { startRedis } from '../support/redis-server.ts';
import { lockStoreContract } from './lock-store.contract.ts';

lockStoreContract('RedisLockStore', async () => {
  const server = await startRedis();
  const backend = redisBackend({ url: server.url, log: silentLog });
  await backend.start();
  const inspector = new Redis(server.url);
  return {
    store: backend.store,
    feed: backend.feed,
    async lifetimesMs() {
      const lifetimes: number[] = [];
      for (const key of await inspector.keys('*')) {
        const lifetime = await inspector.pttl(key);
        // -2: it ran out between the two calls. -1, no end at all, is what must never be.
        if (lifetime !== -2)
          lifetimes.push(lifetime === -1 ? Number.NEGATIVE_INFINITY : Math.max(1, lifetime));
      }
      return lifetimes;
    },
    async stop() {
      inspector.disconnect();
      await backend.stop();
      await server.stop();
    },
  };
});
