import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { StoreUnavailable } from '../../core/index.ts';
import { redisBackend, type LockBackend, type RedisBackendOptions } from '../../server/index.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';

describe('a user is disconnected on every node', () => {
  let server: RedisServer;
  let cluster: RedisCluster;
  const backends: LockBackend[] = [];
  const start = async (options: RedisBackendOptions) => {
    const backend = redisBackend({ log: silentLog, ...options });
    backends.push(backend);
    await backend.start();
    const told: string[] = [];
    const stopListening = backend.feed.onDisconnectUser((tenant, oid) => told.push(`${tenant} ${oid}`));
    return { backend, told, stopListening };
  };

  before(async () => {
    [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
  });
  after(async () => {
    await Promise.all([server.stop(), cluster.stop()]);
  });

  for (const [name, options] of [
    ['one Redis, plain', () => ({ url: server.url })],
    ['one Redis, sharded', () => ({ url: server.url, publish: 'sharded' as const })],
    ['one Redis, off', () => ({ url: server.url, publish: 'off' as const })],
    ['a cluster', () => ({ cluster: cluster.addresses })],
  ] as const) {
    it(`${name}: once on the node that says so, once on each other that has the tenant, and on no other`, async () => {
      const [first, second, elsewhere] = [
        await start(options()),
        await start(options()),
        await start(options()),
      ];
      await Promise.all([first.backend.feed.join(TENANT), second.backend.feed.join(TENANT)]);
      await elsewhere.backend.feed.join('tenant-b');
      await first.backend.feed.disconnectUser(TENANT, 'ann {x}');
      await until('the other node is told', () => second.told.length > 0);
      // A mark behind it: by then a second delivery would have come.
      let isMarked = false;
      first.backend.feed.onChange(() => (isMarked = true));
      await first.backend.feed.publish(TENANT, { entityType: 'Mark', entityUid: '1', operation: 'Mark' });
      await until('the mark', () => isMarked);
      assert.deepEqual(
        [first.told, second.told, elsewhere.told],
        [[`${TENANT} ann {x}`], [`${TENANT} ann {x}`], []],
      );
      second.stopListening();
      await second.backend.feed.disconnectUser(TENANT, 'bob');
      await until('the first node is told', () => first.told.length > 1);
      assert.equal(second.told.length, 1);
    });
  }

  it('while Redis is away: this node’s listeners hear it at once, and the promise rejects', async () => {
    const { backend, told } = await start({ url: 'redis://127.0.0.1:1' });
    const done = backend.feed.disconnectUser(TENANT, 'ann');
    assert.deepEqual(told, [`${TENANT} ann`]);
    await assert.rejects(done, StoreUnavailable);
  });

  it('a malformed message is skipped with a warning that does not show it', async () => {
    const warnings: unknown[] = [];
    const { backend, told } = await start({
      url: server.url,
      log: { ...silentLog, warn: (message, details) => warnings.push({ message, details }) },
    });
    await backend.feed.join(TENANT);
    const redis = new Redis(server.url);
    for (const oid of ['""', '7', '{"secret":1}']) {
      await redis.publish(`lockchange:{${TENANT}}`, `0 5 {"disconnect":${oid}}`);
    }
    redis.disconnect();
    await until('the warnings', () => warnings.length === 3);
    assert.doesNotMatch(JSON.stringify(warnings), /secret/);
    assert.deepEqual(told, []);
  });
});
