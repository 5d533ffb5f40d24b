import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRowlock, memoryBackend } from '../../server/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity } from '../support/test-tokens.ts';

const ANNA = { oid: 'anna', name: 'Anna' };
const BEN = { oid: 'ben', name: 'Ben' };
const RECORD = '/api/locks/ApprovalRequest/REQ-1';

describe('the budgets of one user', () => {
  let node: RowlockNode;

  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      rateLimits: { claimsPerMinute: 3, upkeepPerMinute: 5, readsPerMinute: 4 },
    });
  });

  after(() => node.stop());

  const claim = (as: typeof ANNA) => node.call('POST', `${RECORD}/claim`, { as, body: { sessionId: 's1' } });
  const renew = (as: typeof ANNA) => node.call('POST', `${RECORD}/renew`, { as, body: { sessionId: 's1' } });

  it('end in 429 too-many-requests that says when to come back', async () => {
    for (let call = 1; call <= 3; call += 1) assert.equal((await claim(ANNA)).status, 200);
    const { status, json, headers } = await claim(ANNA);
    assert.equal(status, 429);
    assert.equal(json['code'], 'too-many-requests');
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
    const retryAfterS = Number(headers.get('retry-after'));
    assert.ok(retryAfterS > 0 && retryAfterS <= 60, `Retry-After: ${String(retryAfterS)}`);
  });

  it('a take-over counts as a claim', async () => {
    const body = { sessionId: 's1', fromHolderOid: 'ben' };
    assert.equal((await node.call('POST', `${RECORD}/take-over`, { as: ANNA, body })).status, 429);
  });

  it('a query makes nothing else of a claim', async () => {
    const body = { sessionId: 's1' };
    assert.equal((await node.call('POST', `${RECORD}/claim?x=/renew`, { as: ANNA, body })).status, 429);
  });

  it('what is held goes on: renewals and releases have a budget of their own', async () => {
    for (let call = 1; call <= 4; call += 1) assert.equal((await renew(ANNA)).json['outcome'], 'acquired');
    const { status, json } = await node.call('DELETE', `${RECORD}?sessionId=s1`, { as: ANNA });
    assert.equal(status, 200);
    assert.equal(json['outcome'], 'released');
    assert.equal((await renew(ANNA)).status, 429, 'the sixth');
  });

  it('reads have a third', async () => {
    for (const path of ['/api/locks/mine', '/api/locks/ApprovalRequest', RECORD, RECORD]) {
      assert.equal((await node.call('GET', path, { as: ANNA })).status, 200);
    }
    assert.equal((await node.call('GET', '/api/locks/mine', { as: ANNA })).status, 429);
  });

  it('are each user’s own, in each tenant', async () => {
    assert.equal((await claim(BEN)).status, 200);
    const elsewhere = { ...ANNA, tenant: 'tenant-b' };
    assert.equal((await node.call('POST', `${RECORD}/claim`, { as: elsewhere, body: {} })).status, 200);
  });

  it('cost nobody anything who is nobody', async () => {
    for (let call = 1; call <= 10; call += 1) {
      assert.equal((await node.call('POST', `${RECORD}/claim`, { as: null, body: {} })).status, 401);
    }
  });

  it('can be switched off', async () => {
    const open = await startNode({ backend: memoryBackend({ log: silentLog }), rateLimits: false });
    const calls = Array.from({ length: 700 }, () =>
      open.call('POST', `${RECORD}/claim`, { as: ANNA, body: { sessionId: 's1' } }),
    );
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
    await open.stop();
  });

  it('must make sense', () => {
    const options = { types: [], identify: testIdentity(), backend: memoryBackend({ log: silentLog }) };
    assert.throws(
      () => createRowlock({ ...options, rateLimits: { upkeepPerMinute: 0 } }),
      /rateLimits\.upkeepPerMinute: expected a whole number above 0, got 0/,
    );
  });
});
