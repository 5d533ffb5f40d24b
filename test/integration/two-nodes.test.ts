import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isLockChange, type EntityRef, type LeaseAnswer } from '../../core/index.ts';
import { redisBackend } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const EVE = { oid: 'eve', name: 'Eve Orr' };
const STRANGER = { oid: 'ann', name: 'Ann of B', tenant: 'tenant-b' };

describe('two nodes on one Redis', () => {
  let redis: RedisServer;
  let first: RowlockNode;
  let second: RowlockNode;
  let entities = 0;
  const newRef = (): EntityRef => {
    entities += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${entities}` };
  };
  const start = () => startNode({ backend: redisBackend({ url: redis.url, log: silentLog }) });
  const verb = async (node: RowlockNode, user: typeof ANN, ref: EntityRef, name: string, body: object) => {
    const path = `/api/locks/${ref.entityType}/${ref.entityUid}/${name}`;
    return (await node.call('POST', path, { as: user, body })).json as unknown as LeaseAnswer;
  };

  before(async () => {
    redis = await startRedis();
    [first, second] = await Promise.all([start(), start()]);
  });
  after(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await redis.stop();
  });

  it('a lock taken on one is held on the other', async () => {
    const ref = newRef();
    assert.equal((await first.claim(ANN, ref)).outcome, 'acquired');
    const held = await second.claim(BOB, ref);
    assert.equal(held.outcome, 'held');
    assert.equal(held.lock?.holderName, 'Ann Lee');
  });

  it('every change made on one is heard on the other’s hub, as it is on its own', async () => {
    const clients = await Promise.all(
      [first, second].map(({ url }) => new HubClient({ url, user: EVE }).start('ApprovalRequest')),
    );
    const ref = newRef();
    await first.claim(ANN, ref);
    await verb(second, ANN, ref, 'renew', { sessionId: 's1' });
    await verb(second, BOB, ref, 'take-over', { sessionId: 's1', fromHolderOid: 'ann' });
    await first.rowlock.hub.publish(TEST_TENANT, { ...ref, operation: 'Updated' });
    await second.call('DELETE', `/api/locks/ApprovalRequest/${ref.entityUid}?sessionId=s1`, { as: BOB });
    for (const client of clients) {
      await client.heard('Released', ref.entityUid);
      await client.stop();
      const heard = client.changes.filter(({ entityUid }) => entityUid === ref.entityUid);
      assert.deepEqual(
        heard.map(({ operation }) => operation),
        ['Acquired', 'Renewed', 'TakenOver', 'Updated', 'Released'],
      );
      const holders = heard.map((change) => (isLockChange(change) ? change.lock.holderOid : null));
      assert.deepEqual(holders, ['ann', 'ann', 'bob', null, 'bob']);
    }
    assert.deepEqual(clients[0]?.changes, clients[1]?.changes);
  });

  it('nothing of another tenant arrives, whichever node it was made on (F33)', async () => {
    const stranger = await new HubClient({ url: second.url, user: STRANGER }).start('ApprovalRequest');
    const [ours, theirs] = [newRef(), newRef()];
    await first.claim(ANN, ours);
    await second.claim(ANN, ours, 's2');
    await first.claim(STRANGER, theirs);
    await stranger.heard('Acquired', theirs.entityUid);
    await stranger.stop();
    assert.deepEqual(
      stranger.changes.map(({ entityUid }) => entityUid),
      [theirs.entityUid],
    );
    const { json } = await first.call('GET', '/api/locks/ApprovalRequest', { as: STRANGER });
    assert.deepEqual(
      (json['locks'] as { entityUid: string }[]).map(({ entityUid }) => entityUid),
      [theirs.entityUid],
    );
  });

  it('both hammer one entity: every client hears one order and ends in the last commit (F26)', async () => {
    const clients = await Promise.all(
      [first, second].map(({ url }) => new HubClient({ url, user: EVE }).start('ApprovalRequest')),
    );
    const ref = newRef();
    const hammer = async (node: RowlockNode, user: typeof ANN) => {
      for (let at = 0; at < 30; at += 1) {
        await node.claim(user, ref);
        await verb(node, user, ref, 'take-over', {
          sessionId: 's1',
          fromHolderOid: user === ANN ? 'bob' : 'ann',
        });
        if (at % 3 === 0)
          await node.call('DELETE', `/api/locks/ApprovalRequest/${ref.entityUid}?sessionId=s1`, { as: user });
      }
    };
    await Promise.all([hammer(first, ANN), hammer(second, BOB)]);
    await first.rowlock.hub.publish(TEST_TENANT, { ...ref, operation: 'End' });
    const state = (await second.call('GET', `/api/locks/ApprovalRequest/${ref.entityUid}`, { as: EVE })).json[
      'locks'
    ] as { holderOid: string }[];
    for (const client of clients) {
      await client.heard('End', ref.entityUid);
      await client.stop();
      const heard = client.changes.filter(
        (change) => change.entityUid === ref.entityUid && isLockChange(change),
      );
      assert.equal(heard.length > 60, true);
      for (const [at, change] of heard.entries()) {
        const before = heard[at - 1];
        assert.ok(before === undefined || change.at > before.at, `change ${at} is older than the one before`);
      }
      const last = heard.at(-1);
      const holder =
        last !== undefined && isLockChange(last) && last.operation !== 'Released'
          ? last.lock.holderOid
          : undefined;
      assert.equal(holder, state[0]?.holderOid);
    }
    assert.deepEqual(clients[0]?.changes, clients[1]?.changes);
  });

  it('one restarts: locks and events on the other are unaffected (F24)', async () => {
    const client = await new HubClient({ url: second.url, user: EVE }).start('ApprovalRequest');
    const [before, after] = [newRef(), newRef()];
    await first.claim(ANN, before);
    await first.stop();
    assert.equal((await second.claim(BOB, before)).outcome, 'held');
    await second.claim(ANN, after);
    await client.heard('Acquired', after.entityUid);
    first = await start();
    assert.equal((await first.claim(BOB, before)).outcome, 'held');
    assert.equal(client.connection.state, 'Connected');
    await client.stop();
  });

  it('Redis drops every connection: hubs hear again, and clients are told to fetch their lists (F25)', async () => {
    const clients = await Promise.all(
      [first, second].map(({ url }) => new HubClient({ url, user: EVE }).start('ApprovalRequest')),
    );
    await redis.restart();
    await until('both were told of the gap', () => clients.every(({ resyncs }) => resyncs > 0));
    await until('both nodes have their store again', async () => {
      const answers = await Promise.all([first, second].map((node) => node.claim(ANN, newRef())));
      return answers.every(({ outcome }) => outcome === 'acquired');
    });
    const ref = newRef();
    await first.claim(ANN, ref);
    for (const client of clients) {
      await client.heard('Acquired', ref.entityUid);
      assert.equal(client.connection.state, 'Connected');
      await client.stop();
    }
  });
});
