import express from 'express';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lockable, type EntityRef } from '../../core/index.ts';
import { OriginRule, memoryBackend } from '../../server/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };

describe('the lock API over HTTP', () => {
  let node: RowlockNode;
  let entities = 0;
  const newRef = (entityType = 'ApprovalRequest'): EntityRef => {
    entities += 1;
    return { entityType, entityUid: `uid-${entities}` };
  };
  const pathOf = ({ entityType, entityUid }: EntityRef) =>
    `/api/locks/${entityType}/${encodeURIComponent(entityUid)}`;

  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      types: [
        lockable('ApprovalRequest', { leaseMs: 240_000, renewEveryMs: 60_000 }),
        lockable('Sealed', { canTakeOver: (taker) => taker.oid === 'boss' }),
      ],
      allowedOrigins: ['https://app.test'],
      routes: (app, rowlock) => app.use('/parsed/api', express.json(), rowlock.router),
    });
  });
  after(() => node.stop());

  it('claim ⇒ 200 with lock, renewAfterMs and me', async () => {
    const { status, json, headers } = await node.call('POST', `${pathOf(newRef())}/claim`, {
      as: ANN,
      body: { sessionId: 's1' },
    });
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(
      { ...json, lock: null },
      {
        outcome: 'acquired',
        lock: null,
        changed: null,
        otherSessions: 0,
        renewAfterMs: 60_000,
        canTakeOver: false,
        me: { holderOid: 'ann' },
      },
    );
  });

  it('claim without a body works: the session is ""', async () => {
    const ref = newRef();
    assert.equal((await node.call('POST', `${pathOf(ref)}/claim`, { as: ANN })).json['outcome'], 'acquired');
    assert.equal((await node.call('DELETE', pathOf(ref), { as: ANN })).json['outcome'], 'released');
  });

  it('claim of a held entity ⇒ held with their lock, and whether a take-over is allowed', async () => {
    const [open, sealed] = [newRef(), newRef('Sealed')];
    await node.claim(ANN, open);
    await node.claim(ANN, sealed);
    const held = await node.claim(BOB, open);
    assert.equal(held.outcome, 'held');
    assert.equal(held.lock?.holderName, 'Ann Lee');
    assert.equal(held.canTakeOver, true);
    assert.equal((await node.claim(BOB, sealed)).canTakeOver, false);
  });

  it('renew ⇒ acquired, and lost for a session that is not one of the lock’s', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    const renew = (sessionId: string) =>
      node.call('POST', `${pathOf(ref)}/renew`, { as: ANN, body: { sessionId } });
    assert.equal((await renew('s1')).json['outcome'], 'acquired');
    assert.equal((await renew('s2')).json['outcome'], 'lost');
  });

  it('take-over ⇒ acquired; where the policy says no ⇒ 403 take-over-denied with the lock (F18)', async () => {
    const [open, sealed] = [newRef(), newRef('Sealed')];
    await node.claim(ANN, open);
    await node.claim(ANN, sealed);
    const takeOver = (ref: EntityRef, oid: string) =>
      node.call('POST', `${pathOf(ref)}/take-over`, {
        as: { oid },
        body: { sessionId: 's', fromHolderOid: 'ann' },
      });
    assert.equal((await takeOver(open, 'bob')).json['outcome'], 'acquired');
    const denied = await takeOver(sealed, 'bob');
    assert.equal(denied.status, 403);
    assert.equal(denied.json['code'], 'take-over-denied');
    assert.equal((await takeOver(sealed, 'boss')).json['outcome'], 'acquired');
  });

  it('DELETE with graceMs ⇒ released, and the holder gets it back meanwhile (F11)', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    const released = await node.call('DELETE', `${pathOf(ref)}?sessionId=s1&graceMs=5000`, { as: ANN });
    assert.equal(released.json['outcome'], 'released');
    assert.equal((await node.claim(BOB, ref)).outcome, 'held');
    assert.equal((await node.claim(ANN, ref, 's2')).outcome, 'acquired');
  });

  it('GET an entity, a type, and mine', async () => {
    const [one, two] = [newRef('Sealed'), newRef('Sealed')];
    const eve = { oid: 'eve', name: 'Eve' };
    await node.claim(eve, one);
    await node.claim(eve, two);
    const uids = async (path: string) => {
      const { json } = await node.call('GET', path, { as: eve });
      assert.equal(json['store'], 'ok');
      assert.deepEqual(json['me'], { holderOid: 'eve' });
      return (json['locks'] as { entityUid: string; holderOid: string }[])
        .filter(({ holderOid }) => holderOid === 'eve')
        .map(({ entityUid }) => entityUid);
    };
    assert.deepEqual(await uids(pathOf(one)), [one.entityUid]);
    assert.deepEqual(await uids('/api/locks/Sealed?limit=1000'), [one.entityUid, two.entityUid]);
    assert.deepEqual(await uids('/api/locks/mine'), [one.entityUid, two.entityUid]);
  });

  it('a uid may hold slashes and any other sign, percent-encoded', async () => {
    const ref = { entityType: 'ApprovalRequest', entityUid: 'a/b?c#d:{e}%20 ü' };
    assert.equal((await node.claim(ANN, ref)).lock?.entityUid, ref.entityUid);
    assert.equal((await node.claim(BOB, ref)).outcome, 'held');
  });

  it('an application that parsed the JSON already does not break the API', async () => {
    const ref = newRef();
    const claimed = await node.call('POST', `/parsed${pathOf(ref)}/claim`, {
      as: ANN,
      body: { sessionId: 's9' },
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(claimed.json['outcome'], 'acquired');
    assert.equal(
      (await node.call('DELETE', `${pathOf(ref)}?sessionId=s9`, { as: ANN })).json['outcome'],
      'released',
    );
  });

  it('paths beside /locks belong to the application', async () => {
    const { status, headers } = await node.call('GET', '/api/requests', { as: ANN });
    assert.equal(status, 404);
    assert.match(headers.get('content-type') ?? '', /text\/html/);
  });

  it('health: the process, and the store’s kind and state', async () => {
    assert.deepEqual((await node.call('GET', '/healthz', { as: null })).json, { status: 'ok' });
    const ready = await node.call('GET', '/readyz', { as: null });
    assert.equal(ready.status, 200);
    assert.deepEqual(ready.json, { status: 'ok', store: { kind: 'memory', state: 'ok' } });
  });

  describe('other origins', () => {
    const preflight = (origin: string) =>
      node.call('OPTIONS', `${pathOf(newRef())}/claim`, {
        as: null,
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });

    it('a listed one: the preflight is answered before anybody asks for a token', async () => {
      const { status, headers } = await preflight('https://app.test');
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), 'https://app.test');
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.match(headers.get('access-control-allow-headers') ?? '', /authorization/);
      assert.match(headers.get('vary') ?? '', /Origin/);
    });

    it('any other, and null, get no permission', async () => {
      for (const origin of ['https://evil.test', 'null', 'https://app.test.evil.test', 'http://app.test']) {
        const { headers } = await preflight(origin);
        assert.equal(headers.get('access-control-allow-origin'), null, origin);
        assert.match(headers.get('vary') ?? '', /Origin/);
      }
    });

    it('errors are readable to a listed one, too', async () => {
      const { status, headers } = await node.call('GET', '/api/locks/mine', {
        as: null,
        headers: { origin: 'https://app.test' },
      });
      assert.equal(status, 401);
      assert.equal(headers.get('access-control-allow-origin'), 'https://app.test');
    });

    it('a change that a foreign page could forge with cookies is refused', async () => {
      const path = `${pathOf(newRef())}/claim`;
      const forged = await node.call('POST', path, { as: null, headers: { origin: 'https://evil.test' } });
      assert.equal(forged.status, 403);
      assert.equal(forged.json['code'], 'origin-not-allowed');
      const own = await node.call('POST', path, { as: ANN, headers: { origin: node.url } });
      assert.equal(own.status, 200);
    });

    it('an allowed origin that is none is refused at start', () => {
      for (const origin of ['https://app.test/', 'app.test', '*', 'null']) {
        assert.throws(() => new OriginRule([origin]), /allowedOrigins/);
      }
    });
  });
});
