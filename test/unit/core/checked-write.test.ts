import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkWrite,
  entityRef,
  type CheckWriteOptions,
  type EntityChange,
  type EntityRef,
  type LockService,
  type Principal,
  type WriteHeaders,
} from '../../../core/index.ts';
import { ANNA, BEN, ROBOT } from './people.ts';
import { serviceAt } from './service-at.ts';

const START = 1_700_000_000_000;
const ORDER = entityRef('Order', '1');

const stage = () => {
  const parts = serviceAt(START);
  const changes: EntityChange[] = [];
  parts.feed.onChange((_tenant, change) => changes.push(change));
  return { ...parts, operations: () => changes.map(({ operation }) => operation), changes };
};
const allowed = async (
  service: LockService,
  principal: Principal,
  options: CheckWriteOptions = {},
  headers: WriteHeaders = {},
) => {
  const write = await checkWrite(service, principal, ORDER, headers, options);
  return write.allowed ? write : assert.fail(`refused: ${write.problem.code}`);
};
const refused = async (
  service: LockService,
  principal: Principal | null,
  {
    ref = ORDER,
    headers = {},
    ...options
  }: CheckWriteOptions & { ref?: EntityRef; headers?: WriteHeaders } = {},
) => {
  const write = await checkWrite(service, principal, ref, headers, options);
  return write.allowed ? assert.fail('allowed') : write;
};
const isFree = async (service: LockService) => (await service.read(ANNA, ORDER)).locks.length === 0;

describe('checkWrite', () => {
  it('allowed ⇒ finish publishes with its author, once, and only a write that succeeded', async () => {
    const { service, changes, operations } = stage();
    const write = await allowed(service, ANNA);
    await write.finish({ ok: true });
    await write.finish({ ok: true });
    assert.deepEqual(operations(), ['Updated']);
    assert.deepEqual((changes[0] as { by?: unknown }).by, { oid: 'anna', name: 'Anna', kind: 'user' });
    await (await allowed(service, ANNA)).finish({ ok: false });
    await (await allowed(service, ANNA, { publishChange: false })).finish({ ok: true });
    await (await allowed(service, ANNA, { operation: 'Approved' })).finish({ ok: true });
    assert.deepEqual(operations(), ['Updated', 'Approved']);
  });

  it('refused ⇒ the problem and its status, and nothing is thrown', async () => {
    const { service } = stage();
    await service.claim(BEN, ORDER, { sessionId: 's' });
    const { status, problem, contentType } = await refused(service, ANNA);
    assert.deepEqual(
      [status, problem.code, problem.lock?.holderName, contentType],
      [409, 'entity-locked', 'Ben', 'application/problem+json'],
    );
  });

  it('what is wrong with the request is a refusal too', async () => {
    const { service } = stage();
    const cases = [
      [401, 'unauthenticated', await refused(service, null)],
      [401, 'unauthenticated', await refused(service, { ...ANNA, oid: '' })],
      [
        400,
        'type-not-lockable',
        await refused(service, ANNA, { ref: { entityType: 'Nothing', entityUid: '1' } }),
      ],
      [400, 'bad-request', await refused(service, ANNA, { ref: { entityType: 'Order', entityUid: '' } })],
      [400, 'bad-request', await refused(service, ANNA, { headers: { 'lock-fence': 'x' } })],
    ] as const;
    for (const [status, code, write] of cases)
      assert.deepEqual([write.status, write.problem.code], [status, code]);
  });

  it('reads the fence from Node’s headers in any spelling, and from the standard Headers', async () => {
    const { service } = stage();
    const old = '1';
    for (const headers of [
      { 'lock-fence': old },
      { 'Lock-Fence': old },
      { 'lock-fence': [old] },
      new Headers({ 'Lock-Fence': old }),
    ]) {
      assert.equal((await refused(service, ANNA, { headers })).problem.code, 'stale-fence');
    }
    await allowed(service, ANNA, {}, { other: old });
    await allowed(service, ANNA, {}, new Headers());
    assert.equal((await refused(service, ANNA, { headers: { 'lock-fence': [old, old] } })).status, 400);
  });

  it('one’s own lock is known, however the identity spells its GUID', async () => {
    const { service } = stage();
    const oid = 'AAAAAAAA-0000-4000-8000-00000000000F';
    await service.claim({ ...ANNA, oid: oid.toLowerCase() }, ORDER, { sessionId: 's' });
    await allowed(service, { ...ANNA, oid });
  });

  it('hold: nobody else writes until finish, and the same person neither', async () => {
    const { service, operations } = stage();
    const first = await allowed(service, ANNA, { hold: true });
    assert.equal((await refused(service, ANNA, { hold: true })).problem.code, 'write-in-progress');
    assert.equal((await refused(service, BEN, { hold: true })).problem.code, 'entity-locked');
    assert.equal((await refused(service, BEN)).problem.code, 'entity-locked');
    await first.finish({ ok: true });
    assert.deepEqual(operations(), ['Acquired', 'Updated', 'Released']);
    await (await allowed(service, BEN, { hold: true })).finish({ ok: false });
    assert.equal(await isFree(service), true);
  });

  it('hold: an open form of the caller’s goes on after it, unless the write was final', async () => {
    const { service } = stage();
    await service.claim(ANNA, ORDER, { sessionId: 'form' });
    await (await allowed(service, ANNA, { hold: true, releaseAfter: true })).finish({ ok: false });
    assert.equal((await service.renew(ANNA, ORDER, { sessionId: 'form' })).outcome, 'acquired');
    await (await allowed(service, ANNA, { hold: true, releaseAfter: true })).finish({ ok: true });
    assert.equal(await isFree(service), true);
  });

  it('hold: the fence is looked at as without it', async () => {
    const { service } = stage();
    const fence = (await service.claim(ANNA, ORDER, { sessionId: 's' })).lock?.fence ?? 0;
    const headers = { 'lock-fence': String(fence) };
    await (await allowed(service, ANNA, { hold: true }, headers)).finish({ ok: true });
    const stale = { 'lock-fence': String(fence - 1) };
    assert.equal((await refused(service, ANNA, { hold: true, headers: stale })).problem.code, 'stale-fence');
  });

  it('automation is never looked at: neither held up, nor holding, nor ending anybody’s lock (F31)', async () => {
    const { service, operations } = stage();
    await service.claim(ANNA, ORDER, { sessionId: 's' });
    const robot = { ...ROBOT, oid: ANNA.oid };
    const write = await allowed(service, robot, { hold: true, releaseAfter: true }, { 'lock-fence': '1' });
    await write.finish({ ok: true });
    assert.deepEqual(operations(), ['Acquired', 'Updated']);
    assert.equal(await isFree(service), false);
  });

  it('exempt: passes where somebody else holds the record, and still publishes', async () => {
    const { service, operations } = stage();
    await service.claim(BEN, ORDER, { sessionId: 's' });
    const write = await allowed(service, ANNA, { exempt: true, hold: true, operation: 'Commented' });
    await write.finish({ ok: true });
    assert.deepEqual(operations(), ['Acquired', 'Commented']);
  });

  it('the store away ⇒ allowed, and finish neither rejects nor keeps the news back', async () => {
    const { service, store, operations } = stage();
    const away = () => Promise.reject(new Error('away'));
    Object.assign(store, { read: away, holdWrite: away, release: away });
    for (const hold of [false, true]) {
      await (await allowed(service, ANNA, { hold, releaseAfter: true })).finish({ ok: true });
    }
    assert.deepEqual(operations(), ['Updated', 'Updated']);
  });
});
