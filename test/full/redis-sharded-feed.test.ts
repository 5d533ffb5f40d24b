import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { entityRef } from '../../core/index.ts';
import { redisBackend, type LockBackend, type PublishMode } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startRedisCluster, type RedisCluster, type RedisClusterNode } from '../support/redis-cluster.ts';
import { silentLog } from '../support/silent-log.ts';
import { tenantOf } from '../support/tenants-by-master.ts';
import { until } from '../support/until.ts';
import { keySlot } from '../unit/server/key-slot.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const LEASE_MS = 300_000;
const FAILOVER_MS = 20_000;

/** What one node of the application heard. */
interface Listener {
  readonly backend: LockBackend;
  readonly gaps: number[];
}

describe('changes on a Redis Cluster', () => {
  let cluster: RedisCluster;
  const backends: LockBackend[] = [];
  let entities = 0;

  const start = async (publish?: PublishMode): Promise<Listener> => {
    const backend = redisBackend({
      cluster: cluster.addresses,
      log: silentLog,
      ...(publish === undefined ? {} : { publish }),
    });
    backends.push(backend);
    await backend.start();
    const gaps: number[] = [];
    backend.feed.onGap(() => gaps.push(performance.now()));
    return { backend, gaps };
  };
  const claim = async ({ backend }: Listener, tenant: string) => {
    entities += 1;
    const ref = entityRef('Doc', `uid-${String(entities)}`);
    await backend.store.claim({ tenant, ref, holder: ANN, sessionId: 's1', leaseMs: LEASE_MS });
    return ref.entityUid;
  };
  const tenants = async () =>
    Promise.all((await cluster.masters()).map((master) => tenantOf(cluster, master)));
  /** How many connections listen to a tenant's channel at each node. */
  const listenersAt = async (node: RedisClusterNode, tenant: string, command = 'SHARDNUMSUB') => {
    const redis = new Redis(node.url);
    const [, count] = (await redis.call('PUBSUB', command, `lockchange:{${tenant}}`)) as [string, number];
    redis.disconnect();
    return count;
  };

  before(async () => {
    cluster = await startRedisCluster();
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
  });
  after(() => cluster.stop());

  for (const mode of [undefined, 'sharded', 'plain'] as const) {
    it(`publish ${mode ?? 'left out'}: two nodes of the application hear each other, every tenant in one order`, async () => {
      const [first, second] = await Promise.all([start(mode), start(mode)]);
      for (const tenant of await tenants()) {
        const recorders = await Promise.all(
          [first, second].map(({ backend }) => ChangeRecorder.start(backend.feed, tenant)),
        );
        const uids: string[] = [];
        for (let at = 0; at < 10; at += 1) uids.push(await claim(at % 2 === 0 ? first : second, tenant));
        await second.backend.feed.publish(tenant, {
          entityType: 'Doc',
          entityUid: 'x',
          operation: 'Updated',
        });
        for (const recorder of recorders) {
          await until('all of it', () => recorder.changes(tenant).length === uids.length + 1);
          assert.deepEqual(
            recorder.changes(tenant).map(({ entityUid }) => entityUid),
            [...uids, 'x'],
          );
          recorder.stop();
        }
      }
      assert.deepEqual([first.gaps, second.gaps], [[], []]);
    });
  }

  it('left out, it is sharded: a tenant is heard at its own master, and at no other node', async () => {
    const { backend } = await start();
    const [tenant = ''] = await tenants();
    const owner = await cluster.masterOf(`{${tenant}}`);
    await backend.feed.join(tenant);
    for (const node of cluster.nodes) {
      assert.equal(await listenersAt(node, tenant), node === owner ? 1 : 0, node.address);
      assert.equal(await listenersAt(node, tenant, 'NUMSUB'), 0, node.address);
    }
    backend.feed.leave(tenant);
    await until('nobody listens', async () => (await listenersAt(owner, tenant)) === 0);
  });

  it('off: locks work, and only the application’s own changes are heard', async () => {
    const listener = await start('off');
    const [tenant = ''] = await tenants();
    const recorder = await ChangeRecorder.start(listener.backend.feed, tenant);
    await claim(listener, tenant);
    assert.deepEqual(await recorder.lockChanges(tenant), []);
    recorder.stop();
  });

  it('a slot moves to another master: the channel follows, with one gap, and other tenants hear no gap', async () => {
    const [tenant = '', other = ''] = await tenants();
    const listener = await start();
    const bystander = await start();
    const recorder = await ChangeRecorder.start(listener.backend.feed, tenant);
    await bystander.backend.feed.join(other);
    await claim(listener, tenant);
    const slot = keySlot(`{${tenant}}`);
    const from = await cluster.masterOf(slot);
    const to = (await cluster.masters()).find((node) => node !== from);
    if (to === undefined) throw new Error('There is no other master');
    await cluster.moveSlot(slot, to);
    await until('the gap is told', () => listener.gaps.length > 0);
    assert.equal(await listenersAt(to, tenant), 1);
    assert.equal(await listenersAt(from, tenant), 0);
    const uid = await claim(listener, tenant);
    await until('changes are heard', () =>
      recorder.changes(tenant).some(({ entityUid }) => entityUid === uid),
    );
    recorder.stop();
    assert.equal(listener.gaps.length, 1);
    assert.equal(bystander.gaps.length, 0);
    await cluster.moveSlot(slot, from);
  });

  for (const mode of ['sharded', 'plain'] as const) {
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      it(`${mode}: the master is gone (${signal}): heard again by itself, one gap told after that, nothing missed since`, async (t) => {
        const listener = await start(mode);
        const [tenant = '', other = ''] = await tenants();
        const recorder = await ChangeRecorder.start(listener.backend.feed, tenant, other);
        const victim = await nodeThatCarries(cluster, mode, tenant, listenersAt);
        const claimed: { readonly tenant: string; readonly uid: string; readonly atMs: number }[] = [];
        // Over both tenants, since a plain channel is lost for all of them and a sharded one for the victim's alone.
        const timer = setInterval(() => {
          for (const each of [tenant, other]) {
            // What was asked before the gap was told is in the answers of whoever refetches then.
            const atMs = performance.now();
            claim(listener, each).then(
              (uid) => claimed.push({ tenant: each, uid, atMs }),
              () => {}, // the failover's own unknown answers: another test counts them
            );
          }
        }, 25);
        const goneAtMs = performance.now();
        victim.kill(signal);
        await until('the gap is told', () => listener.gaps.length > 0, FAILOVER_MS);
        const gapAtMs = listener.gaps[0] ?? 0;
        await until(
          'both tenants claim again',
          () => {
            const since = claimed.filter(({ atMs }) => atMs > Math.max(gapAtMs, performance.now() - 1_000));
            return [tenant, other].every((each) => since.filter((one) => one.tenant === each).length > 10);
          },
          FAILOVER_MS,
        );
        clearInterval(timer);
        await recorder.lockChanges(tenant);
        await recorder.lockChanges(other);
        if (signal === 'SIGSTOP') victim.kill('SIGCONT');
        else await victim.restart();
        await cluster.healthy();
        const heard = new Set(
          [tenant, other].flatMap((each) => recorder.changes(each).map(({ entityUid }) => entityUid)),
        );
        recorder.stop();
        const missed = claimed.filter(({ uid }) => !heard.has(uid));
        const missedSince = missed.filter(({ atMs }) => atMs > gapAtMs);
        t.diagnostic(
          `gap after ${String(Math.round(gapAtMs - goneAtMs))} ms, claimed ${String(claimed.length)}, ` +
            `missed ${String(missed.length)}, of these after the gap was told ${String(missedSince.length)}, gaps ${String(listener.gaps.length)}`,
        );
        assert.deepEqual(missedSince, [], 'changes missed after the gap was told');
        assert.equal(listener.gaps.length, 1);
      });
    }
  }
});

/** A sharded channel's master, or the one node that a plain listener has chosen. */
async function nodeThatCarries(
  cluster: RedisCluster,
  mode: 'sharded' | 'plain',
  tenant: string,
  listenersAt: (node: RedisClusterNode, tenant: string, command?: string) => Promise<number>,
): Promise<RedisClusterNode> {
  if (mode === 'sharded') return cluster.masterOf(`{${tenant}}`);
  for (const node of cluster.nodes) if ((await listenersAt(node, tenant, 'NUMSUB')) > 0) return node;
  throw new Error('Nobody listens to the channel');
}
