import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lockPaths, type EntityRef, type ListAnswer } from '../../core/index.ts';
import { redisBackend } from '../../server/index.ts';
import { findDotnet } from '../support/dotnet.ts';
import { startRedis } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import type { TestUser } from '../support/test-tokens.ts';
import { startForeignBackend, type ForeignBackend } from './foreign-backend.ts';

const ANNA: TestUser = { oid: 'anna', name: 'Anna Berger' };
const BEN: TestUser = { oid: 'ben', name: 'Ben Okafor' };
const TYPE = 'ApprovalRequest';
const LEASE_MS = 60_000;

describe('a .NET service that writes records by a script of its own', { skip: findDotnet().missing }, () => {
  let node: RowlockNode;
  let dotnet: ForeignBackend;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    const redis = await startRedis();
    ends.push(() => redis.stop());
    dotnet = await startForeignBackend({ redisPort: redis.port, leaseMs: LEASE_MS });
    ends.push(() => dotnet.stop());
    node = await startNode({
      backend: redisBackend({ url: redis.url, log: silentLog }),
      routes: (app, rowlock) => {
        const guard = rowlock.guardWrites({ type: TYPE, uid: ({ params }) => String(params['id']) });
        app.put('/requests/:id', guard, (_, response) => void response.status(204).end());
      },
    });
    ends.push(() => node.stop());
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  const named = (entityUid: string): EntityRef => ({ entityType: TYPE, entityUid });
  const there = (user: TestUser, method: string, uid: string) =>
    dotnet.call(user, method, `/requests/${uid}/lock`);
  const post = (user: TestUser, path: string, body: object) =>
    node.call('POST', `/api${path}`, { as: user, body: { sessionId: 's1', ...body } });
  const listed = async (path: string, user: TestUser) => {
    const { status, json } = await node.call('GET', `/api${path}`, { as: user });
    assert.equal(status, 200);
    return (json as unknown as ListAnswer).locks;
  };

  it('is respected as a holder: claims are held, writes of others are blocked', async () => {
    assert.equal((await there(ANNA, 'PUT', '1')).status, 200);
    const { outcome, lock, canTakeOver } = await node.claim(BEN, named('1'));
    assert.deepEqual(
      [outcome, lock?.holderOid, lock?.holderName, lock?.fence, canTakeOver],
      ['held', 'anna', 'Anna Berger', 0, true],
    );
    assert.ok(lock && lock.expiresInMs > 0 && lock.expiresInMs <= LEASE_MS, 'its TTL says when it ends');
    const [only] = await listed(lockPaths.entity(named('1')), BEN);
    assert.equal(only?.holderOid, 'anna');
    const write = await node.call('PUT', '/requests/1', { as: BEN });
    assert.deepEqual([write.status, write.json['code']], [409, 'entity-locked']);
    assert.equal((await node.call('PUT', '/requests/1', { as: ANNA })).status, 204);
    assert.deepEqual(await listed(lockPaths.type(TYPE), BEN), [], 'but no list knows of it');
  });

  it('its holder goes on here, and from then on the lock has a fence', async () => {
    await there(ANNA, 'PUT', '2');
    const { outcome, lock } = await node.claim(ANNA, named('2'));
    assert.equal(outcome, 'acquired');
    assert.ok(lock && lock.fence > 0, 'a fence');
    assert.equal((await there(BEN, 'PUT', '2')).status, 409);
    assert.equal(
      (await listed(lockPaths.type(TYPE), BEN)).some(({ entityUid }) => entityUid === '2'),
      true,
    );
    const released = await node.call('DELETE', `/api${lockPaths.entity(named('2'))}?sessionId=s1`, {
      as: ANNA,
    });
    assert.equal(released.json['outcome'], 'released');
    assert.equal((await there(BEN, 'PUT', '2')).status, 200);
  });

  it('its lock can be taken over here, and then it respects ours', async () => {
    await there(ANNA, 'PUT', '3');
    const taken = await post(BEN, lockPaths.takeOver(named('3')), { fromHolderOid: 'anna' });
    assert.equal(taken.json['outcome'], 'acquired');
    const { status, json } = await there(ANNA, 'PUT', '3');
    assert.deepEqual([status, (json['lockedBy'] as { holderOid: string }).holderOid], [409, 'ben']);
    assert.equal((await there(ANNA, 'DELETE', '3')).status, 404);
  });

  it('takes away a lock of ours by its own release, and lists and renewals go on', async () => {
    const { lock } = await node.claim(ANNA, named('4'));
    assert.equal((await there(ANNA, 'DELETE', '4')).status, 204);
    assert.equal(
      (await listed(lockPaths.type(TYPE), BEN)).some(({ entityUid }) => entityUid === '4'),
      false,
    );
    const renewed = await post(ANNA, lockPaths.renew(named('4')), { fence: lock?.fence });
    assert.deepEqual([renewed.status, renewed.json['outcome']], [200, 'acquired']);
    await there(ANNA, 'DELETE', '4');
    await there(BEN, 'PUT', '4');
    const held = await post(ANNA, lockPaths.renew(named('4')), { fence: lock?.fence });
    assert.deepEqual([held.status, held.json['outcome']], [200, 'held']);
    assert.equal((await node.call('GET', '/healthz', { as: null })).status, 200);
  });

  it('leaves no trace behind: a form of ours that slept does not see that it had the record', async () => {
    const { lock } = await node.claim(BEN, named('5'));
    await there(BEN, 'DELETE', '5');
    await there(ANNA, 'PUT', '5');
    await there(ANNA, 'DELETE', '5');
    const { json } = await post(BEN, lockPaths.renew(named('5')), { fence: lock?.fence });
    assert.deepEqual([json['outcome'], json['changed']], ['acquired', false]);
  });
});
