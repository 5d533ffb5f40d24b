import { Redis } from 'ioredis';
import { startRedisSentinel } from '../support/redis-sentinel.ts';
import { lockStoreContract } from './lock-store.contract.ts';
import { redisStoreUnderTest } from './redis-store-under-test.ts';

lockStoreContract('RedisLockStore behind Sentinel', async () => {
  const { name, sentinels, master, stop } = await startRedisSentinel();
  const { url } = await master();
  return redisStoreUnderTest({
    options: { sentinel: { sentinels, name } },
    inspectors: [new Redis(url)],
    stop,
  });
});
