import { Redis } from 'ioredis';
import { startRedis } from '../support/redis-server.ts';
import { lockStoreContract } from './lock-store.contract.ts';
import { redisStoreUnderTest } from './redis-store-under-test.ts';

lockStoreContract('RedisLockStore on one Redis', async () => {
  const server = await startRedis();
  return redisStoreUnderTest({
    options: { url: server.url },
    inspectors: [new Redis(server.url)],
    stop: () => server.stop(),
  });
});
