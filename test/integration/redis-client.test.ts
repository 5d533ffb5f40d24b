import { Cluster, Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { entityRef, type ClaimStep } from '../../core/index.ts';
import { redisBackend, redisSettings, type LockBackend } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';

describe('a client of the application’s own', () => {
  let server: RedisServer;
  let cluster: RedisCluster;
  const clients: (Redis | Cluster)[] = [];
  const backends: LockBackend[] = [];
  let entities = 0;
  const keep = <Client extends Redis | Cluster>(client: Client): Client => {
    clients.push(client);
    return client;
  };
  const open = (client: Redis | Cluster, subscriber?: Redis, warnings: string[] = []) => {
    const backend = redisBackend({
      client,
      ...(subscriber === undefined ? {} : { subscriber }),
      log: { ...silentLog, warn: (message) => warnings.push(message) },
    });
    backends.push(backend);
    return backend;
  };
  const step = (): ClaimStep => {
    entities += 1;
    const ref = entityRef('Doc', `uid-${String(entities)}`);
    return { tenant: TENANT, ref, holder: { oid: 'ann', name: 'Ann' }, sessionId: 's1', leaseMs: 60_000 };
  };
  /** A claim, and that its change is heard. */
  const works = async ({ store, feed }: LockBackend) => {
    const recorder = await ChangeRecorder.start(feed, TENANT);
    const claim = step();
    assert.equal((await store.claim(claim)).outcome, 'acquired');
    await until('the change', () =>
      recorder.changes(TENANT).some(({ operation }) => operation === 'Acquired'),
    );
    recorder.stop();
  };

  before(async () => {
    [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
    for (const client of clients.splice(0)) client.disconnect();
  });
  after(async () => {
    await Promise.all([server.stop(), cluster.stop()]);
  });

  for (const isCluster of [false, true]) {
    const make = (): Redis | Cluster =>
      keep(
        isCluster
          ? new Cluster([...cluster.addresses], redisSettings.cluster)
          : new Redis(server.url, redisSettings.client),
      );
    const name = isCluster ? 'a Cluster' : 'a Redis';

    it(`${name}: it is connected, used, and left open by a stop, without a listener of ours`, async () => {
      const client = make();
      // 'close' has one of ioredis' own while a cluster's client is connected.
      const listeners = () =>
        client
          .eventNames()
          .filter((event) => event !== 'close')
          .map((event) => [event, client.listenerCount(event)]);
      const before = listeners();
      const warnings: string[] = [];
      const backend = open(client, undefined, warnings);
      await backend.start();
      await works(backend);
      await backend.stop();
      assert.deepEqual(warnings, []);
      assert.equal(client.status, 'ready');
      assert.equal(await client.set('of-the-application', '1'), 'OK');
      assert.deepEqual(listeners(), before);
    });

    it(`${name} that is connected already: used at once`, async () => {
      const client = make();
      await client.connect();
      const backend = open(client);
      await backend.start();
      await works(backend);
    });

    it(`${name}: the connections that were made beside it are closed by a stop`, async () => {
      const client = make();
      const backend = open(client);
      await backend.start();
      await works(backend);
      const listeners = async () => {
        const counts = (isCluster ? cluster.nodes : [server]).map(async ({ url }) => {
          const redis = new Redis(url);
          const list = String(await redis.client('LIST'));
          redis.disconnect();
          return [...list.matchAll(/ (?:sub|ssub)=[1-9]/g)].length;
        });
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      };
      assert.equal(await listeners(), 1);
      await backend.stop();
      await until('nobody listens', async () => (await listeners()) === 0);
    });
  }

  it('with a subscriber beside it: both are used, and both are left open', async () => {
    const client = keep(new Redis(server.url, redisSettings.client));
    const subscriber = keep(new Redis(server.url, redisSettings.subscriber));
    const backend = open(client, subscriber);
    await backend.start();
    await works(backend);
    await backend.stop();
    assert.deepEqual([client.status, subscriber.status], ['ready', 'ready']);
    const redis = keep(new Redis(server.url));
    await until('its subscriptions have ended', async () => {
      const [, count] = await redis.pubsub('NUMSUB', `lockchange:{${TENANT}}`);
      return Number(count) === 0;
    });
  });

  it('with ioredis’ own settings: it works, and each setting that makes people wait is told at start', async () => {
    const warnings: string[] = [];
    const backend = open(keep(new Redis(server.url, { lazyConnect: true })), undefined, warnings);
    await backend.start();
    await works(backend);
    assert.match(warnings.join('\n'), /enableOfflineQueue.*\n.*commandTimeout is undefined, expected 500/s);
  });

  it('with a keyPrefix: refused, since what a script hands back has none', () => {
    assert.throws(
      () => open(keep(new Redis(server.url, { lazyConnect: true, keyPrefix: 'app:' }))),
      /client: expected one without keyPrefix, got "app:"/,
    );
  });
});
