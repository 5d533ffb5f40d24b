import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { EntityRef } from '../../core/index.ts';
import { redisBackend, type LockBackend } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { CarelessDesk, approveInPairs } from '../support/careless-desk.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

/** `test/full` has many more. */
const ROUNDS = 20;
const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const ROBOT = { oid: 'robot', name: 'Nightly job', claims: { idtyp: 'app' } };

describe('writes with hold: true, on two nodes over one Redis', () => {
  let redis: RedisServer;
  let nodes: readonly [RowlockNode, RowlockNode];
  let backend: LockBackend;
  let recorder: ChangeRecorder;
  let tokens: Readonly<Record<string, string>>;
  const desk = new CarelessDesk();
  const { calls } = desk;
  let entities = 0;

  const start = () =>
    startNode({
      backend: redisBackend({ url: redis.url, log: silentLog }),
      routes: (app, rowlock) => desk.addRoutes(app, rowlock),
    });
  const newRef = (): EntityRef => {
    entities += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${entities}` };
  };
  const post = (node: RowlockNode, user: string, { entityUid }: EntityRef, verb = 'approve') =>
    node.call('POST', `/${entityUid}/${verb}`, { as: tokens[user] ?? null });
  const lockOf = async (ref: EntityRef) => (await backend.store.read({ tenant: TEST_TENANT, ref })).lock;
  const isFree = (ref: EntityRef) => until('the lock is free', async () => (await lockOf(ref)) === null);
  before(async () => {
    redis = await startRedis();
    nodes = [await start(), await start()];
    backend = redisBackend({ url: redis.url, log: silentLog });
    await backend.start();
    recorder = await ChangeRecorder.start(backend.feed, TEST_TENANT);
    tokens = { ann: await tokenFor(ANN), bob: await tokenFor(BOB), robot: await tokenFor(ROBOT) };
  });
  after(async () => {
    recorder.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await backend.stop();
    await redis.stop();
  });

  for (const [who, second, code] of [
    ['two people who never opened the form', 'bob', 'entity-locked'],
    ['one person who clicks twice', 'ann', 'write-in-progress'],
  ] as const) {
    it(`${who}: of two approvals at once exactly one decides (F16)`, async () => {
      const pair = [tokens['ann'] ?? '', tokens[second] ?? ''] as const;
      const { wrong, refusals } = await approveInPairs(desk, nodes, pair, ROUNDS, second);
      assert.deepEqual(wrong, []);
      assert.deepEqual(Object.keys(refusals), [code]);
      assert.equal((refusals[code] ?? 0) > ROUNDS / 2, true, `only ${refusals[code] ?? 0} met each other`);
    });
  }

  it('the second of two at once never reaches the handler, and the first is not disturbed', async () => {
    for (const second of ['bob', 'ann']) {
      const ref = newRef();
      const release = desk.pause();
      const first = post(nodes[0], 'ann', ref);
      await until('the first is in its handler', () => calls.get(ref.entityUid) === 1);
      const { status, json } = await post(nodes[1], second, ref);
      assert.equal(status, 409);
      assert.equal((json['lock'] as { holderOid: string }).holderOid, 'ann');
      release();
      assert.equal((await first).status, 200);
      assert.deepEqual([calls.get(ref.entityUid), desk.decisions.get(ref.entityUid)], [1, 1]);
      await isFree(ref);
    }
  });

  it('ends with the response: success, refusal of the application, its error', async () => {
    for (const [verb, expected] of [
      ['approve', 200],
      ['fail', 422],
      ['throw', 500],
    ] as const) {
      const ref = newRef();
      assert.equal((await post(nodes[0], 'ann', ref, verb)).status, expected);
      await isFree(ref);
      const told = (await recorder.lockChanges(TEST_TENANT)).filter(
        ({ entityUid }) => entityUid === ref.entityUid,
      );
      assert.deepEqual(
        told.map(({ operation }) => operation),
        ['Acquired', 'Released'],
      );
    }
  });

  it('a client that goes away frees nothing while its handler writes; the handler’s end does', async () => {
    const ref = newRef();
    const release = desk.pause();
    const gone = httpRequest(`${nodes[0].url}/${ref.entityUid}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens['ann'] ?? ''}` },
    });
    gone.on('error', () => {}); // its own doing
    gone.end();
    await until('it is in its handler', () => calls.get(ref.entityUid) === 1);
    const closed = new Promise((resolve) => gone.once('close', resolve));
    gone.destroy();
    await closed;
    assert.equal((await post(nodes[1], 'ann', ref)).json['code'], 'write-in-progress');
    assert.equal((await post(nodes[1], 'bob', ref)).json['code'], 'entity-locked');
    release();
    await isFree(ref);
    assert.equal(desk.decisions.get(ref.entityUid), 1);
  });

  it('a handler that never answers blocks for its lease, which is 30 s at most', async () => {
    const ref = newRef();
    const release = desk.pause();
    const first = post(nodes[0], 'ann', ref);
    await until('it is in its handler', () => calls.get(ref.entityUid) === 1);
    const leftMs = (await lockOf(ref))?.expiresInMs ?? 0;
    assert.equal(leftMs > 0 && leftMs <= 30_000, true, `${leftMs} ms`);
    release();
    await first;
  });

  it('the caller’s own open form keeps its lock after a write that is not final, and after one that fails', async () => {
    const ref = newRef();
    await nodes[0].claim(ANN, ref, 'form');
    assert.equal(
      (await nodes[1].call('PUT', `/${ref.entityUid}`, { as: tokens['ann'] ?? null })).status,
      200,
    );
    assert.equal((await post(nodes[1], 'ann', ref, 'fail')).status, 422);
    const renewed = await nodes[0].call('POST', `/api/locks/ApprovalRequest/${ref.entityUid}/renew`, {
      as: tokens['ann'] ?? null,
      body: { sessionId: 'form' },
    });
    assert.deepEqual([renewed.json['outcome'], renewed.json['otherSessions']], ['acquired', 0]);
    assert.equal((await post(nodes[1], 'ann', ref)).status, 200);
    await isFree(ref);
  });

  it('automation is not held up by a write, and holds nobody up', async () => {
    const ref = newRef();
    const release = desk.pause();
    const first = post(nodes[0], 'ann', ref);
    await until('it is in its handler', () => calls.get(ref.entityUid) === 1);
    const second = post(nodes[1], 'robot', ref);
    await until('both are in their handlers', () => calls.get(ref.entityUid) === 2);
    assert.equal((await lockOf(ref))?.holderOid, 'ann');
    release();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  });

  it('while Redis is away both pass, as documented: the application’s own state check is the last line', async () => {
    const ref = newRef();
    const release = desk.pause();
    redis.kill('SIGKILL');
    const both = [post(nodes[0], 'ann', ref), post(nodes[1], 'ann', ref)];
    await until('both are in their handlers', () => calls.get(ref.entityUid) === 2);
    release();
    assert.deepEqual(
      (await Promise.all(both)).map(({ status }) => status),
      [200, 200],
    );
  });
});
