import type { Request } from 'express';
import { Cluster, Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, type TestContext } from 'node:test';
import { StoreUnavailable, entityRef, type ClaimStep } from '../../core/index.ts';
import { redisBackend, type LockBackend } from '../../server/index.ts';
import { startClaimLoad, type TimedClaim } from '../support/claim-load.ts';
import { startRedisCluster, type RedisCluster, type RedisClusterNode } from '../support/redis-cluster.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tenantOf } from '../support/tenants-by-master.ts';
import { until } from '../support/until.ts';
import { keySlot } from '../unit/server/key-slot.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const LEASE_MS = 300_000;
/** Nobody ever waits longer for a Redis that does not answer, in milliseconds. */
const WORST_WAIT_MS = 1_500;
/** A failover takes the node timeout (2 s), the vote and what a client needs to find the new master. */
const FAILOVER_MS = 20_000;

describe('a Redis Cluster', () => {
  let cluster: RedisCluster;
  const backends: LockBackend[] = [];
  const serverNodes: RowlockNode[] = [];
  let entities = 0;

  const start = async (more: object = {}) => {
    const backend = redisBackend({ cluster: cluster.addresses, log: silentLog, ...more });
    backends.push(backend);
    await backend.start();
    return backend;
  };
  const step = (tenant: string, more: Partial<ClaimStep> = {}): ClaimStep => {
    entities += 1;
    const ref = entityRef('ApprovalRequest', `uid-${String(entities)}`);
    return { tenant, ref, holder: ANN, sessionId: 's1', leaseMs: LEASE_MS, ...more };
  };
  const startServer = async () => {
    const node = await startNode({
      backend: redisBackend({ cluster: cluster.addresses, log: silentLog }),
      routes: (app, { guardWrites }) => {
        const uid = (request: Request) => request.params['id'];
        app.put('/requests/:id', guardWrites({ type: 'ApprovalRequest', uid }), (_request, response) => {
          response.json({ ok: true });
        });
      },
    });
    serverNodes.push(node);
    return node;
  };
  /** One tenant of each master, the given one's first. */
  const tenants = async (first?: RedisClusterNode) => {
    const masters = await cluster.masters();
    const sorted = first === undefined ? masters : [first, ...masters.filter((node) => node !== first)];
    return Promise.all(sorted.map((master) => tenantOf(cluster, master)));
  };

  before(async () => {
    cluster = await startRedisCluster();
  });
  afterEach(async () => {
    await Promise.all(serverNodes.splice(0).map((node) => node.stop()));
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
  });
  after(() => cluster.stop());

  it('keys without a tag fail with CROSSSLOT; those of a tenant are one slot, a whole page of them included', async () => {
    const client = new Cluster([...cluster.addresses]);
    await assert.rejects(client.mget('lock:a:Doc:1', 'lock:a:Doc:2'), /CROSSSLOT/);
    await assert.rejects(client.eval('return 1', 2, 'lock:a:Doc:1', 'lockidx:a:Doc'), /CROSSSLOT/);
    client.disconnect();
    const { store } = await start();
    // Some at a time: all at once is more than a busy machine answers within half a second.
    for (let from = 0; from < 1_000; from += 50) {
      const steps = Array.from({ length: 50 }, (_, at) =>
        step('crowded', { ref: entityRef('Page', `uid-${String(from + at)}`) }),
      );
      await Promise.all(steps.map((each) => store.claim(each)));
    }
    const { locks, next } = await store.list('crowded', 'Page', { limit: 1_000 });
    assert.equal(locks.length, 1_000);
    assert.equal(next, undefined);
  });

  it('SCRIPT FLUSH on every node: the next call sends the text again', async () => {
    const { store } = await start();
    const steps = (await tenants()).map((tenant) => step(tenant));
    for (const each of steps) await store.claim(each);
    for (const { url } of cluster.nodes) {
      const redis = new Redis(url);
      await redis.script('FLUSH');
      redis.disconnect();
    }
    for (const each of steps) {
      assert.equal((await store.renew(each)).outcome, 'acquired');
      const { tenant, ref, sessionId } = each;
      const released = await store.release({ tenant, ref, holderOid: 'ann', sessionId, graceMs: 0 });
      assert.equal(released.outcome, 'released');
    }
  });

  it('a slot moves to another master under its locks: they are kept, and found at once at the new one', async () => {
    const { store } = await start();
    const [tenant = ''] = await tenants();
    const kept = step(tenant);
    const fence = (await store.claim(kept)).lock?.fence ?? 0;
    const slot = keySlot(`{${tenant}}`);
    const from = await cluster.masterOf(slot);
    const to = (await cluster.masters()).find((node) => node !== from);
    if (to === undefined) throw new Error('There is no other master');
    await cluster.moveSlot(slot, to, async () => {
      assert.equal((await store.renew({ ...kept, fence })).outcome, 'acquired');
      assert.equal((await store.read(kept)).lock?.holderOid, 'ann');
      // Redis refuses several keys of a slot that is under way unless all are still there (TRYAGAIN): nobody's fault.
      await assert.rejects(store.claim(step(tenant, { ref: entityRef('Fresh', '1') })), (error: unknown) => {
        return error instanceof StoreUnavailable && !error.setupFault;
      });
    });
    assert.equal(await cluster.masterOf(slot), to);
    // The client still believes in the old one: reads first, since they go in one transaction.
    assert.equal((await store.read(kept)).fence, fence);
    assert.equal((await store.list(tenant, 'ApprovalRequest', { limit: 10 })).locks.length, 1);
    assert.equal((await store.listHeldBy(tenant, ['ApprovalRequest', 'Fresh'], 'ann')).locks.length, 1);
    assert.equal((await store.claim(step(tenant, { ref: entityRef('Fresh', '1') }))).outcome, 'acquired');
    assert.equal((await store.renew({ ...kept, fence })).outcome, 'acquired');
    assert.equal((await store.claim({ ...kept, holder: BOB })).outcome, 'held');
    await cluster.moveSlot(slot, from);
  });

  it('a wrong password: a set-up fault in Redis’ own words, and the server starts', async () => {
    const warnings: string[] = [];
    const { store } = await start({
      connection: { username: 'nobody', password: 'wrong' },
      log: { ...silentLog, warn: (message: string) => warnings.push(message) },
    });
    await assert.rejects(
      store.claim(step('tenant-0')),
      (error: unknown) =>
        error instanceof StoreUnavailable && error.setupFault && /WRONGPASS/.test(error.message),
    );
    assert.equal(warnings.length, 1);
  });

  it('a plain client at one of its nodes is told so at start', async () => {
    const warnings: string[] = [];
    const backend = redisBackend({
      url: cluster.nodes[0]?.url ?? '',
      log: { ...silentLog, warn: (message) => warnings.push(message) },
    });
    await backend.start();
    await backend.stop();
    assert.match(warnings.join(), /node of a cluster.*REDIS_CLUSTER/);
  });

  it('all nodes are down at start: the server starts within a second or so, and finds the cluster when it comes', async () => {
    for (const node of cluster.nodes) node.kill('SIGKILL');
    const startedMs = performance.now();
    const { store } = await start();
    assert.ok(performance.now() - startedMs < WORST_WAIT_MS, 'the start waited');
    await assert.rejects(
      store.claim(step('tenant-0')),
      (error: unknown) =>
        error instanceof StoreUnavailable &&
        !error.setupFault &&
        error.message === 'No node of the cluster can be reached',
    );
    await Promise.all(cluster.nodes.map((node) => node.restart()));
    await cluster.healthy();
    await until('claims are answered', async () => {
      const claimed = await store.claim(step('tenant-0')).catch(() => null); // not yet
      return claimed?.outcome === 'acquired';
    });
  });

  for (const { name, silence, recover } of [
    {
      name: 'killed (SIGKILL)',
      silence: (master: RedisClusterNode) => master.kill('SIGKILL'),
      recover: (master: RedisClusterNode) => master.restart(),
    },
    {
      name: 'hung (SIGSTOP)',
      silence: (master: RedisClusterNode) => master.kill('SIGSTOP'),
      recover: async (master: RedisClusterNode) => master.kill('SIGCONT'),
    },
  ]) {
    it(`a master is ${name} while people claim: nobody waits, only its tenants’ locks pause, nothing is carried out late`, async (t) => {
      const node = await startServer();
      const victim = await cluster.masterOf(0);
      const [hit = '', ...spared] = await tenants(victim);
      const load = (tenant: string) =>
        startClaimLoad({ node, user: { ...BOB, tenant }, writePath: '/requests/free' });
      for (const tenant of [hit, ...spared]) {
        await until('all tenants have their locks', async () => {
          const { outcome } = await node.claim({ ...ANN, tenant }, step(tenant).ref);
          return outcome === 'acquired';
        });
      }
      const loads = await Promise.all([hit, ...spared].map(load));
      const [hitLoad] = loads;
      silence(victim);
      const stoppedAtMs = performance.now();
      await until('claims are answered "unknown"', () => unknownOf(hitLoad?.claims ?? []).length > 10);
      const steady = () => hitLoad?.claims.slice(-10).every(({ answer }) => answer.outcome === 'acquired');
      await until('claims are answered again', steady, FAILOVER_MS);
      const steadyAfterMs = performance.now() - stoppedAtMs;
      await Promise.all(loads.map((each) => each.stop()));
      await recover(victim);
      await cluster.healthy();

      const claims = loads.flatMap((each) => each.claims);
      const worstMs = Math.max(
        ...claims.map(({ tookMs }) => tookMs),
        ...loads.map(({ writes }) => writes.worstMs),
      );
      const ownDelayMs = Math.max(...loads.map((each) => each.ownDelayMs));
      const unknown = unknownOf(hitLoad?.claims ?? []);
      const late = await carriedOutLate(cluster, hit, unknown);
      const others = loads.slice(1).flatMap((each) => each.claims);
      diagnose(t, {
        claims: claims.length,
        unknown: unknown.length,
        unknownOfOthers: unknownOf(others).length,
        worstMs,
        ownDelayMs,
        steadyAfterMs,
        late: late.length,
      });
      assert.ok(worstMs < WORST_WAIT_MS + ownDelayMs, `the worst wait was ${String(Math.round(worstMs))} ms`);
      assert.ok(unknown.length > 10, `only ${String(unknown.length)} claims were answered "unknown"`);
      assert.deepEqual(
        unknownOf(others).map(({ askedAtMs }) => askedAtMs),
        [],
        'claims of tenants that other masters keep',
      );
      assert.deepEqual(late, [], 'claims that were carried out after their answer "unknown"');
      assert.deepEqual(
        loads.flatMap(({ writes }) => writes.statuses).filter((status) => status !== 200),
        [],
        'writes that failed',
      );
    });
  }
});

function unknownOf(claims: readonly TimedClaim[]): readonly TimedClaim[] {
  return claims.filter(({ answer }) => answer.outcome === 'unknown');
}

/** Claims that Redis carried out after their caller had been told that nobody knows: the fence is the moment. */
async function carriedOutLate(
  { addresses }: RedisCluster,
  tenant: string,
  unknown: readonly TimedClaim[],
): Promise<readonly string[]> {
  const client = new Cluster([...addresses]);
  const fences = await client.mget(
    unknown.map(({ ref }) => `lockfence:{${tenant}}:${ref.entityType}:${ref.entityUid}`),
  );
  client.disconnect();
  return unknown
    .filter(({ answeredAtMs }, at) => Number.parseInt(fences[at] ?? '0', 10) > answeredAtMs)
    .map(({ ref }) => ref.entityUid);
}

function diagnose(t: TestContext, numbers: Readonly<Record<string, number>>): void {
  const rounded = Object.entries(numbers).map(([name, value]) => `${name} ${String(Math.round(value))}`);
  t.diagnostic(rounded.join(', '));
}
