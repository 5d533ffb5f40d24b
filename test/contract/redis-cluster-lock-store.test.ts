import { Redis } from 'ioredis';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { lockStoreContract } from './lock-store.contract.ts';
import { redisStoreUnderTest } from './redis-store-under-test.ts';

lockStoreContract('RedisLockStore on a cluster', async () => {
  const cluster = await startRedisCluster();
  const masters = await cluster.masters();
  return redisStoreUnderTest({
    options: { cluster: cluster.addresses },
    inspectors: masters.map(({ url }) => new Redis(url)),
    stop: () => cluster.stop(),
  });
});
