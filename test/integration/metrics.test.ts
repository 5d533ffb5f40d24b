import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { memoryBackend, type LockBackend } from '../../server/index.ts';
import { prometheusMetrics, type PrometheusMetrics } from '../../server/metrics/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const ANNA = { oid: 'anna', name: 'Anna' };
const BEN = { oid: 'ben', name: 'Ben' };
const DRIVER = { oid: 'driver', claims: { idtyp: 'app' } };
const REQUEST = { entityType: 'ApprovalRequest', entityUid: 'REQ-1' };
const PATH = '/api/locks/ApprovalRequest/REQ-1';

/** A store that can be switched off. */
function fragileBackend(): LockBackend & { isDown: boolean } {
  const backend = memoryBackend({ log: silentLog });
  const fragile = { ...backend, isDown: false };
  const store = new Proxy(backend.store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        fragile.isDown
          ? Promise.reject(new Error('switched off'))
          : (Reflect.apply(value, target, args) as unknown);
    },
  });
  return Object.assign(fragile, { store });
}

describe('metrics for Prometheus', () => {
  const backend = fragileBackend();
  let metrics: PrometheusMetrics;
  let node: RowlockNode;

  before(async () => {
    metrics = prometheusMetrics();
    node = await startNode({
      backend,
      metrics,
      routes: (app, { guardWrites }) => {
        app.use(metrics.router);
        const guard = guardWrites({ type: 'ApprovalRequest', uid: (request) => request.params['id'] });
        app.put('/requests/:id', guard, (_request, response) => response.json({}));
      },
    });
  });

  after(() => node.stop());

  const value = async (line: string): Promise<number> => {
    const { text, headers } = await node.call('GET', '/metrics', { as: null });
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return found === undefined ? 0 : Number(found.slice(line.length + 1));
  };
  const calls = (verb: string, outcome: string) =>
    value(`rowlock_store_calls_total{verb="${verb}",outcome="${outcome}",entity_type="ApprovalRequest"}`);
  const writes = (outcome: string) =>
    value(`rowlock_guarded_writes_total{outcome="${outcome}",entity_type="ApprovalRequest"}`);

  it('counts claims, renewals, take-overs and releases by what they came to', async () => {
    await node.claim(ANNA, REQUEST);
    await node.claim(BEN, REQUEST);
    await node.call('POST', `${PATH}/renew`, { as: ANNA, body: { sessionId: 's1' } });
    await node.call('POST', `${PATH}/take-over`, {
      as: BEN,
      body: { sessionId: 's2', fromHolderOid: 'anna' },
    });
    await node.call('POST', `${PATH}/renew`, { as: ANNA, body: { sessionId: 's1' } });
    await node.call('DELETE', `${PATH}?sessionId=s2`, { as: BEN });
    assert.equal(await calls('claim', 'acquired'), 1);
    assert.equal(await calls('claim', 'held'), 1);
    assert.equal(await calls('renew', 'acquired'), 1);
    assert.equal(await calls('renew', 'held'), 1);
    assert.equal(await calls('take-over', 'acquired'), 1);
    assert.equal(await calls('release', 'released'), 1);
  });

  it('counts guarded writes by what became of them', async () => {
    const write = (as: Parameters<RowlockNode['call']>[2]['as'], headers = {}) =>
      node.call('PUT', '/requests/REQ-1', { as, headers, body: {} });
    await node.claim(ANNA, REQUEST);
    assert.equal((await write(ANNA)).status, 200);
    assert.equal((await write(BEN)).status, 409);
    assert.equal((await write(DRIVER)).status, 200);
    assert.equal((await write(ANNA, { 'lock-fence': '1' })).status, 409);
    assert.equal(await writes('passed'), 1);
    assert.equal(await writes('entity-locked'), 1);
    assert.equal(await writes('automation'), 1);
    assert.equal(await writes('stale-fence'), 1);
  });

  it('times every call to the store', async () => {
    const counted = await value('rowlock_store_call_seconds_count{verb="claim"}');
    assert.equal(counted, (await calls('claim', 'acquired')) + (await calls('claim', 'held')));
  });

  it('says when the store is away, and that writes passed unchecked', async () => {
    assert.equal(await value('rowlock_store_up'), 1);
    backend.isDown = true;
    assert.equal((await node.claim(ANNA, REQUEST)).outcome, 'unknown');
    assert.equal((await node.call('PUT', '/requests/REQ-1', { as: BEN, body: {} })).status, 200);
    assert.equal(await value('rowlock_store_up'), 0);
    assert.equal(await calls('claim', 'unavailable'), 1);
    assert.equal(await writes('unchecked'), 1);
    backend.isDown = false;
    await node.claim(ANNA, REQUEST);
    assert.equal(await value('rowlock_store_up'), 1);
  });

  it('counts hub connections and what they are sent', async () => {
    const client = await new HubClient({ url: node.url, user: BEN }).start('ApprovalRequest');
    assert.equal(await value('rowlock_hub_connections'), 1);
    const before = await value('rowlock_hub_delivered_total');
    await node.rowlock.hub.publish('tenant-a', { ...REQUEST, operation: 'Updated' });
    await client.heard('Updated', 'REQ-1');
    assert.equal(await value('rowlock_hub_delivered_total'), before + 1);
    await client.stop();
    assert.equal(await value('rowlock_hub_opened_total'), 1);
    await until('the end of the connection', () => node.rowlock.hub.connectionCount === 0);
    assert.equal(await value('rowlock_hub_connections'), 0);
    assert.equal(await value('rowlock_hub_closed_total'), 1);
  });

  it('names no tenant, no person and no record', async () => {
    const { text } = await node.call('GET', '/metrics', { as: null });
    assert.doesNotMatch(text, /tenant-a|anna|ben|driver|REQ-1/i);
  });
});
