import type { Express, Request, Response } from 'express';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DataChange, EntityRef, LockStore } from '../../core/index.ts';
import { memoryBackend, type LockBackend, type Rowlock } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, type TestUser } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const ROBOT = { oid: 'driver-app', name: 'Driver app', claims: { idtyp: 'app' } };
/** An app whose tokens carry the oid of a person. */
const ANNS_ROBOT = { ...ROBOT, oid: 'ann' };

describe('guarded writes', () => {
  let node: RowlockNode;
  let backend: LockBackend;
  let recorder: ChangeRecorder;
  let isStoreAway = false;
  const warnings: string[] = [];
  const written: string[] = [];
  let entities = 0;

  const newRef = (): EntityRef => {
    entities += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${entities}` };
  };
  const write = (user: TestUser, { entityUid }: EntityRef, { method = 'PUT', path = '', fence = '' } = {}) =>
    node.call(method, `/requests/${entityUid}${path}`, {
      as: user,
      headers: fence === '' ? {} : { 'lock-fence': fence },
    });
  const operations = (ref: EntityRef) =>
    recorder
      .changes(TEST_TENANT)
      .filter(({ entityUid }) => entityUid === ref.entityUid)
      .map(({ operation }) => operation);
  const lockOf = async (ref: EntityRef) => (await backend.store.read({ tenant: TEST_TENANT, ref })).lock;

  before(async () => {
    const memory = memoryBackend({ log: silentLog });
    backend = memory;
    node = await startNode({
      backend: { ...memory, store: interruptible(memory.store, () => isStoreAway) },
      log: { ...silentLog, warn: (message) => warnings.push(message) },
      routes: (app, rowlock) => addRoutes(app, rowlock, written),
    });
    recorder = await ChangeRecorder.start(memory.feed, TEST_TENANT);
  });
  after(async () => {
    recorder.stop();
    await node.stop();
  });

  it('another user’s live lock ⇒ 409 entity-locked with the lock, and the handler never runs (F14)', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    const { status, json, headers } = await write(BOB, ref);
    assert.equal(status, 409);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(json['code'], 'entity-locked');
    assert.equal((json['lock'] as { holderName: string }).holderName, 'Ann Lee');
    assert.equal(!written.includes(ref.entityUid), true);
    assert.deepEqual(operations(ref), ['Acquired']);
  });

  it('free ⇒ proceeds without a lock, and creates none', async () => {
    const ref = newRef();
    assert.equal((await write(BOB, ref)).status, 200);
    assert.equal(await lockOf(ref), null);
  });

  it('own ⇒ proceeds, and the lock stays as it is (F10)', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    assert.equal((await write(ANN, ref)).status, 200);
    assert.equal((await lockOf(ref))?.holderOid, 'ann');
    assert.deepEqual(operations(ref), ['Acquired', 'Updated']);
  });

  it('automation ⇒ never looked at: it succeeds, the person’s lock survives, the holder hears of it (F31)', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    assert.equal((await write(ROBOT, ref, { path: '/approve', method: 'POST', fence: '1' })).status, 200);
    assert.equal((await lockOf(ref))?.holderOid, 'ann');
    const change = recorder
      .changes(TEST_TENANT)
      .find(
        ({ entityUid, operation }) => entityUid === ref.entityUid && operation === 'Approved',
      ) as DataChange;
    assert.deepEqual(change.by, { oid: 'driver-app', name: 'Driver app', kind: 'automation' });
  });

  it('automation under a person’s own id ⇒ a final decision does not end that person’s lock', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    assert.equal((await write(ANNS_ROBOT, ref, { path: '/approve', method: 'POST' })).status, 200);
    await until('the news', () => operations(ref).includes('Approved'));
    await node.rowlock.hub.publish(TEST_TENANT, { ...ref, operation: 'Afterwards' });
    assert.deepEqual(operations(ref), ['Acquired', 'Approved', 'Afterwards']);
    assert.equal((await lockOf(ref))?.holderOid, 'ann');
  });

  it('the store away ⇒ proceeds, and is warned about', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    isStoreAway = true;
    const { status } = await write(BOB, ref);
    const approved = await write(BOB, ref, { path: '/approve', method: 'POST' });
    isStoreAway = false;
    assert.equal(status, 200);
    assert.equal(approved.status, 200);
    assert.equal(warnings.length, 1);
    // The news needs no store.
    assert.equal(operations(ref).includes('Updated'), true);
  });

  it('a 2xx publishes Updated, a DELETE publishes Deleted, each with by', async () => {
    const ref = newRef();
    await write(BOB, ref);
    await write(BOB, ref, { method: 'DELETE' });
    assert.deepEqual(operations(ref), ['Updated', 'Deleted']);
    const [change] = recorder.changes(TEST_TENANT).filter(({ entityUid }) => entityUid === ref.entityUid);
    assert.deepEqual((change as DataChange).by, { oid: 'bob', name: 'Bob Kay', kind: 'user' });
  });

  it('a write that fails publishes and releases nothing', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    assert.equal((await write(ANN, ref, { path: '/approve?fail=1', method: 'POST' })).status, 422);
    assert.deepEqual(operations(ref), ['Acquired']);
    assert.equal((await lockOf(ref))?.holderOid, 'ann');
  });

  it('publishChange: false publishes nothing', async () => {
    const ref = newRef();
    assert.equal((await write(ANN, ref, { path: '/silent' })).status, 200);
    assert.deepEqual(operations(ref), []);
  });

  it('releaseAfter: a 2xx ends all the caller’s sessions, and the news comes before the release', async () => {
    const ref = newRef();
    await node.claim(ANN, ref, 's1');
    await node.claim(ANN, ref, 's2');
    const { status, json } = await write(ANN, ref, { path: '/approve', method: 'POST' });
    assert.equal(status, 200);
    assert.deepEqual(json, { ok: true });
    await until('the lock is free', async () => (await lockOf(ref)) === null);
    assert.deepEqual(operations(ref), ['Acquired', 'Renewed', 'Approved', 'Released']);
  });

  it('releaseAfter by somebody who holds nothing leaves everybody’s locks alone', async () => {
    const ref = newRef();
    assert.equal((await write(BOB, ref, { path: '/approve', method: 'POST' })).status, 200);
    assert.deepEqual(operations(ref), ['Approved']);
  });

  it('a release that fails never alters the 2xx', async () => {
    const ref = newRef();
    await node.claim(ANN, ref);
    isStoreAway = true;
    const { status, json } = await write(ANN, ref, { path: '/approve', method: 'POST' });
    isStoreAway = false;
    assert.equal(status, 200);
    assert.deepEqual(json, { ok: true });
  });

  it('a present Lock-Fence proceeds; one of before somebody else’s edit ⇒ 409 stale-fence (F8)', async () => {
    const ref = newRef();
    const mine = (await node.claim(ANN, ref)).lock?.fence ?? 0;
    assert.equal((await write(ANN, ref, { fence: String(mine) })).status, 200);
    await backend.store.release({ tenant: TEST_TENANT, ref, holderOid: 'ann', sessionId: null, graceMs: 0 });
    assert.equal((await write(ANN, ref, { fence: String(mine) })).status, 200);
    await node.claim(BOB, ref);
    await backend.store.release({ tenant: TEST_TENANT, ref, holderOid: 'bob', sessionId: null, graceMs: 0 });
    const { status, json } = await write(ANN, ref, { fence: String(mine) });
    assert.equal(status, 409);
    assert.equal(json['code'], 'stale-fence');
    assert.equal(json['lock'], null);
  });

  it('taken over, with the hub down: the old holder’s write meets the new holder’s lock (F14)', async () => {
    const ref = newRef();
    const fence = (await node.claim(ANN, ref)).lock?.fence ?? 0;
    await node.call('POST', `/api/locks/ApprovalRequest/${ref.entityUid}/take-over`, {
      as: BOB,
      body: { fromHolderOid: 'ann' },
    });
    const { status, json } = await write(ANN, ref, { fence: String(fence) });
    assert.equal(status, 409);
    assert.equal(json['code'], 'entity-locked');
    assert.equal((json['lock'] as { holderOid: string }).holderOid, 'bob');
  });

  it('releaseAfter: the release does not wait for the news, so it ends no session opened after the answer', async () => {
    const memory = memoryBackend({ log: silentLog });
    memory.feed.publish = () => new Promise(() => {}); // a backplane that takes its time
    const slow = await startNode({
      backend: memory,
      routes: (app, rowlock) => addRoutes(app, rowlock, written),
    });
    const ref = newRef();
    await slow.claim(ANN, ref);
    const { status } = await slow.call('POST', `/requests/${ref.entityUid}/approve`, { as: ANN });
    const { lock } = await memory.store.read({ tenant: TEST_TENANT, ref });
    await slow.stop();
    assert.equal(status, 200);
    assert.equal(lock, null);
  });

  it('a fence that the store lost is no reason to refuse; one older than a day is', async () => {
    assert.equal((await write(ANN, newRef(), { fence: String(Date.now() - 60_000) })).status, 200);
    assert.equal((await write(ANN, newRef(), { fence: String(Date.now() - 2 * 86_400_000) })).status, 409);
  });

  it('a malformed Lock-Fence ⇒ 400 bad-request', async () => {
    for (const fence of ['abc', '-1', '1.5', '0', '1, 2', '99999999999999999']) {
      const { status, json } = await write(ANN, newRef(), { fence });
      assert.equal(status, 400, fence);
      assert.equal(json['code'], 'bad-request');
      assert.equal(json['field'], 'Lock-Fence');
    }
  });

  it('nobody ⇒ 401 before anything is looked at', async () => {
    const { status, json } = await node.call('PUT', '/requests/1', { as: null });
    assert.equal(status, 401);
    assert.equal(json['code'], 'unauthenticated');
  });

  it('a type that is not registered fails when the route is made', () => {
    assert.throws(
      () => node.rowlock.guardWrites({ type: 'Nothing', uid: () => '1' }),
      /lockable\("Nothing"\)/,
    );
  });

  it('a route without a usable uid ⇒ 400, and the handler never runs', async () => {
    const { status, json } = await node.call('PUT', '/no-uid', { as: ANN });
    assert.equal(status, 400);
    assert.equal(json['field'], 'entityUid');
  });
});

function addRoutes(app: Express, { guardWrites }: Rowlock, written: string[]): void {
  const guarded = { type: 'ApprovalRequest', uid: (request: Request) => request.params['id'] };
  const handle = (request: Request, response: Response) => {
    if (request.query['fail'] !== undefined) {
      response.status(422).json({ ok: false });
      return;
    }
    written.push(String(request.params['id']));
    response.json({ ok: true });
  };
  app.put('/requests/:id', guardWrites(guarded), handle);
  app.delete('/requests/:id', guardWrites(guarded), handle);
  app.put('/requests/:id/silent', guardWrites({ ...guarded, publishChange: false }), handle);
  app.post(
    '/requests/:id/approve',
    guardWrites({ ...guarded, operation: 'Approved', releaseAfter: true }),
    handle,
  );
  app.put('/no-uid', guardWrites(guarded), handle);
}

/** A store whose every call rejects while `isAway`. */
function interruptible(store: LockStore, isAway: () => boolean): LockStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        if (isAway()) throw new Error('the store is away');
        return (value as (...all: unknown[]) => Promise<unknown>).apply(target, args);
      };
    },
  });
}
