import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keyPart, lockPaths, lockable, type LeaseAnswer } from '../../core/index.ts';
import { keySlot } from '../../server/redis/key-slot.ts';
import { redisBackend } from '../../server/index.ts';
import { prometheusMetrics } from '../../server/metrics/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

/** Each might be taken for another, for a key, a group or a pattern of another, or for a property of every object. */
const TENANTS = [
  ...[
    'acme',
    'ACME',
    'ac\u200bme',
    '\u0430cme',
    '\u00e9',
    '{acme}',
    'acme}',
    '}acme{',
    'acme}:ApprovalRequest:1',
  ],
  ...['acme:ApprovalRequest', 'lock:{acme}:ApprovalRequest:1', 'acme%7D', '*', 'acm?', '["acme"]'],
  ...[
    '["acme","ApprovalRequest"]',
    '__proto__',
    'constructor',
    'a/../acme',
    'acme ',
    '%00',
    '<acme>',
    "acme'--",
  ],
];
const REFUSED = [
  '',
  '.',
  '..',
  'acme\u0000',
  'acme\r\nX-Evil: 1',
  '\ud800',
  'x'.repeat(10_000),
  '\u00e9'.repeat(100),
];
const TYPES = [
  'ApprovalRequest',
  'Approval:Request',
  '{acme}:ApprovalRequest',
  '__proto__',
  'constructor',
  '\u00c4',
];
const UIDS = ['1', 'ApprovalRequest:1', '{acme}', '__proto__', '%2F', 'a/b', '\u00e9'];

/** A person whose name says the tenant. The same oid everywhere. */
const annOf = (tenant: string) => ({ oid: 'ann', name: `Ann of ${TENANTS.indexOf(tenant)}.`, tenant });

describe('tenants with hostile names, on one Redis (F33)', () => {
  let redis: RedisServer;
  let node: RowlockNode;
  const metrics = prometheusMetrics();
  const pages = new Map<string, HubClient>();

  before(async () => {
    redis = await startRedis();
    node = await startNode({
      backend: redisBackend({ url: redis.url, log: silentLog }),
      types: TYPES.map((type) => lockable(type)),
      rateLimits: false,
      metrics,
    });
    for (const tenant of TENANTS) {
      const page = new HubClient({ url: node.url, user: annOf(tenant) });
      // What a client names narrows what it hears of its own tenant, whatever it names.
      const named = tenant.length % 2 === 0 ? [] : [...TYPES, ...TENANTS, '["acme","ApprovalRequest"]', ''];
      pages.set(tenant, await page.start(...named));
    }
    for (const entityType of TYPES) {
      for (const entityUid of UIDS) {
        await Promise.all(TENANTS.map((tenant) => node.claim(annOf(tenant), { entityType, entityUid })));
      }
    }
  });

  after(async () => {
    await Promise.all([...pages.values()].map((page) => page.stop()));
    await node.stop();
    await redis.stop();
  });

  it('each get every record for themselves', async () => {
    for (const tenant of TENANTS) {
      const ref = { entityType: 'ApprovalRequest', entityUid: '1' };
      const { outcome, lock }: LeaseAnswer = await node.claim(annOf(tenant), ref, 's2');
      assert.deepEqual([outcome, lock?.holderName], ['acquired', annOf(tenant).name]);
    }
  });

  it('read and list their own people alone', async () => {
    for (const tenant of TENANTS) {
      for (const path of ['/locks/mine', ...TYPES.map((type) => lockPaths.type(type))]) {
        const { json } = await node.call('GET', `/api${path}`, { as: annOf(tenant) });
        const names = (json['locks'] as { holderName: string }[]).map(({ holderName }) => holderName);
        assert.equal(names.length, path === '/locks/mine' ? TYPES.length * UIDS.length : UIDS.length);
        assert.deepEqual([...new Set(names)], [annOf(tenant).name], `${JSON.stringify(tenant)} ${path}`);
      }
    }
  });

  it('get no further by another tenant’s cursor', async () => {
    const first = await node.call('GET', `/api/locks/ApprovalRequest?limit=2`, { as: annOf('acme') });
    const cursor = encodeURIComponent(String(first.json['next']));
    const { json } = await node.call('GET', `/api/locks/ApprovalRequest?cursor=${cursor}`, {
      as: annOf('ACME'),
    });
    for (const { holderName } of json['locks'] as { holderName: string }[]) {
      assert.equal(holderName, annOf('ACME').name);
    }
  });

  it('hear of their own people alone, whatever types they name', async () => {
    // The last news of each tenant comes after everything else that was said.
    for (const tenant of TENANTS)
      await node.claim(annOf(tenant), { entityType: 'ApprovalRequest', entityUid: 'last' });
    for (const tenant of TENANTS) {
      const page = pages.get(tenant) ?? assert.fail('there is a page');
      await page.heard('Acquired', 'last');
    }
    for (const tenant of TENANTS) {
      const changes = pages.get(tenant)?.changes ?? [];
      const names = changes.map((change) => ('lock' in change ? change.lock.holderName : 'nobody'));
      assert.deepEqual([...new Set(names)], [annOf(tenant).name], JSON.stringify(tenant));
      assert.ok(changes.length >= TYPES.length * UIDS.length, `${changes.length} changes`);
    }
  });

  it('have keys in one slot each, and none that another could mean', async () => {
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    await client.quit();
    const byTenant = new Map<string, number[]>();
    for (const key of keys) {
      const tag = key.slice(key.indexOf('{'), key.indexOf('}') + 1);
      byTenant.set(tag, [...(byTenant.get(tag) ?? []), keySlot(key)]);
    }
    assert.deepEqual(
      [...byTenant.keys()].sort(),
      TENANTS.map((tenant) => `{${encodeURIComponent(keyPart('tenant', tenant))}}`).sort(),
    );
    for (const slots of byTenant.values()) assert.equal(new Set(slots).size, 1);
    // Three for each record, and one index for each type.
    assert.equal(keys.length, TENANTS.length * (TYPES.length * UIDS.length * 3 + 3 + TYPES.length));
  });

  it('name no label of a metric: their number is the application’s types, not the callers’ doing', async () => {
    for (const type of ['Nothing', 'Evil"} 1', '\u00e9\u00e9']) {
      await node.call('GET', `/api/locks/${encodeURIComponent(type)}`, { as: annOf('acme') });
    }
    const text = await metrics.register.metrics();
    const types = [...text.matchAll(/entity_type="((?:[^"\\]|\\.)*)"/g)].map(([, type]) => type);
    assert.deepEqual([...new Set(types)].sort(), ['', ...TYPES].sort());
    assert.doesNotMatch(text, /Ann of|"acme"|Nothing|Evil/);
    assert.ok(text.split('\n').length < 200, 'no series for each tenant or record');
  });

  it('end their own people’s connections alone', async () => {
    const page = pages.get('acme') ?? assert.fail('there is a page');
    const closed = new Promise<void>((resolve) => page.connection.onclose(() => resolve()));
    await node.rowlock.hub.disconnectUser('acme', 'ann');
    await closed;
    const others = TENANTS.filter((tenant) => tenant !== 'acme');
    for (const tenant of others) {
      await pages.get(tenant)?.connection.invoke('Subscribe', ['ApprovalRequest']);
    }
  });

  for (const tenant of REFUSED) {
    it(`a tenant ${JSON.stringify(tenant).slice(0, 30)} is as good as no identity`, async () => {
      const as = { oid: 'ann', tenant };
      const { status, json } = await node.call('GET', '/api/locks/mine', { as });
      assert.deepEqual([status, json['code']], [401, 'unauthenticated']);
    });
  }
});
