import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { entityRef } from '../../core/index.ts';
import { redisBackend, type LockBackend, type RedisBackendOptions } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';
import { startLossyTcpProxy, type LossyTcpProxy } from '../support/lossy-tcp-proxy.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';
/** A ping is sent every 0.5 s and waited for 1 s; then comes a new connection. */
const FOUND_WITHIN_MS = 3_000;

/** The network loses what is sent on a connection that says nothing by itself, and nobody is told. */
describe('a subscriber that is half open is found and replaced', () => {
  let server: RedisServer;
  let cluster: RedisCluster;
  const proxies: LossyTcpProxy[] = [];
  const backends: LockBackend[] = [];
  const proxyTo = async (port: number) => {
    const proxy = await startLossyTcpProxy(port);
    proxies.push(proxy);
    return proxy;
  };

  before(async () => {
    [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
  });
  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all([server.stop(), cluster.stop()]);
  });

  for (const [name, command, options] of [
    [
      'one Redis',
      '\nsubscribe',
      async () => ({ url: `redis://127.0.0.1:${String((await proxyTo(server.port)).port)}` }),
    ],
    [
      'a cluster (whose nodes are reached by way of natMap)',
      'ssubscribe',
      async () => {
        const pairs = await Promise.all(
          cluster.nodes.map(async ({ port, address }) => [address, (await proxyTo(port)).port] as const),
        );
        const natMap = Object.fromEntries(
          pairs.map(([address, port]) => [address, { host: '127.0.0.1', port }]),
        );
        return { cluster: pairs.map(([, port]) => ({ host: '127.0.0.1', port })), natMap };
      },
    ],
  ] as const satisfies readonly (readonly [string, string, () => Promise<RedisBackendOptions>])[]) {
    it(`${name}: one gap is told, and changes are heard again`, async () => {
      const backend = redisBackend({ ...(await options()), log: silentLog });
      backends.push(backend);
      await backend.start();
      const gaps: number[] = [];
      backend.feed.onGap(() => gaps.push(performance.now()));
      const recorder = await ChangeRecorder.start(backend.feed, TENANT);
      const lost = proxies.reduce((sum, proxy) => sum + proxy.swallow(command), 0);
      assert.equal(lost, 1, 'connections that listen');
      const claim = (uid: string) =>
        backend.store.claim({
          tenant: TENANT,
          ref: entityRef('Doc', uid),
          holder: { oid: 'ann', name: 'Ann' },
          sessionId: 's1',
          leaseMs: 60_000,
        });
      assert.equal((await claim(`${name}-missed`)).outcome, 'acquired');
      await until('the gap is told', () => gaps.length > 0, FOUND_WITHIN_MS);
      await claim(`${name}-heard`);
      await until('changes are heard', () => recorder.changes(TENANT).length > 0);
      recorder.stop();
      assert.equal(gaps.length, 1);
      assert.deepEqual(
        recorder.changes(TENANT).map(({ entityUid }) => entityUid),
        [`${name}-heard`],
      );
    });
  }
});
