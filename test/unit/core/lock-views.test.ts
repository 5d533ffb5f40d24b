import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LockError,
  checkWrite,
  entityRef,
  type EntityChange,
  type LockableOptions,
  type Principal,
} from '../../../core/index.ts';
import { ANNA, BEN } from './people.ts';
import { serviceAt } from './service-at.ts';

const START = 1_700_000_000_000;
const ORDER = entityRef('Order', '1');
const SECRET = entityRef('Order', 'secret');
const SESSION = { sessionId: 's' };
const CARL: Principal = { ...BEN, oid: 'carl', name: 'Carl' };

/** Anna holds both records; Ben may see the first alone, Carl both. */
const stage = async (order: LockableOptions) => {
  const parts = serviceAt(START, { order });
  for (const ref of [ORDER, SECRET]) await parts.service.claim(ANNA, ref, SESSION);
  return parts;
};
const hidesSecret: LockableOptions = {
  canSee: async (viewer, { entityUid }) => viewer.oid !== 'ben' || entityUid !== 'secret',
};
const code = (error: unknown) => (error instanceof LockError ? error.code : String(error));
const update = {
  ...ORDER,
  operation: 'Updated',
  at: 1,
  by: { oid: 'anna', name: 'Anna', kind: 'user' },
} as const;

describe('canSee', () => {
  it('leaves the entity out of lists, single reads and "mine"', async () => {
    const { service } = await stage(hidesSecret);
    const uids = async (viewer: Principal) =>
      (await service.list(viewer, 'Order', { limit: 10 })).locks.map(({ entityUid }) => entityUid).sort();
    assert.deepEqual([await uids(BEN), await uids(CARL)], [['1'], ['1', 'secret']]);
    assert.deepEqual((await service.read(BEN, SECRET)).locks, []);
    assert.equal((await service.read(CARL, SECRET)).locks.length, 1);
    const mine = serviceAt(START, { order: { canSee: (_viewer, { entityUid }) => entityUid !== 'secret' } });
    await mine.service.claim(ANNA, ORDER, SESSION);
    await mine.store.claim({ tenant: 'acme', ref: SECRET, holder: ANNA, sessionId: 'x', leaseMs: 1_000 });
    assert.deepEqual(
      (await mine.service.listMine(ANNA)).locks.map(({ entityUid }) => entityUid),
      ['1'],
    );
  });

  it('answers claim, renew and take-over with not-found, and a release as if nobody held it', async () => {
    const { service } = await stage(hidesSecret);
    const takeOver = { ...SESSION, fromHolderOid: 'anna' };
    for (const call of [
      () => service.claim(BEN, SECRET, SESSION),
      () => service.renew(BEN, SECRET, SESSION),
      () => service.takeOver(BEN, SECRET, takeOver),
    ]) {
      assert.equal(await call().then(() => 'answered', code), 'not-found');
    }
    assert.equal((await service.release(BEN, SECRET, SESSION)).outcome, 'gone');
    assert.equal((await service.release(CARL, SECRET, SESSION)).outcome, 'held');
    assert.equal((await service.claim(CARL, SECRET, SESSION)).outcome, 'held');
  });

  it('a write that meets the lock is refused without saying whose it is', async () => {
    const { service } = await stage(hidesSecret);
    const write = await checkWrite(service, BEN, SECRET);
    assert.ok(!write.allowed, 'refused');
    assert.deepEqual([write.problem.code, write.problem.lock], ['entity-locked', null]);
    assert.match(write.problem.detail, /^Somebody else/);
  });

  for (const [what, canSee] of [
    [
      'throws',
      () => {
        throw new Error('broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broke'))],
    ['answers nonsense', () => 'yes' as unknown as boolean],
  ] as const) {
    it(`that ${what} shows nothing, and is logged`, async () => {
      const { service, log, store } = serviceAt(START, { order: { canSee } });
      await store.claim({ tenant: 'acme', ref: ORDER, holder: ANNA, sessionId: 's', leaseMs: 1_000 });
      assert.deepEqual((await service.list(BEN, 'Order', { limit: 10 })).locks, []);
      assert.deepEqual((await service.read(ANNA, ORDER)).locks, []);
      assert.equal(await service.views.change(BEN, update), null);
      const logged = what === 'answers nonsense' ? [] : [['error', 'broke']];
      assert.deepEqual(
        log.lines.map(({ level, reason }) => [level, reason]),
        logged,
      );
    });
  }
});

describe('holderName', () => {
  const initials: LockableOptions = {
    holderName: ({ name }, viewer) => (viewer.oid === 'carl' ? name : `${name.slice(0, 1)}.`),
  };

  it('is what others read in claims, lists, refusals and pushes; one’s own name stays', async () => {
    const { service, store } = await stage(initials);
    const change: EntityChange = {
      ...ORDER,
      operation: 'Renewed',
      lock: (await store.read({ tenant: 'acme', ref: ORDER })).lock ?? assert.fail('no lock'),
      fence: 1,
      at: 1,
    };
    for (const [viewer, name] of [
      [BEN, 'A.'],
      [CARL, 'Anna'],
      [ANNA, 'Anna'],
    ] as const) {
      assert.equal((await service.claim(viewer, ORDER, SESSION)).lock?.holderName, name);
      assert.equal((await service.read(viewer, ORDER)).locks[0]?.holderName, name);
      assert.equal((await service.list(viewer, 'Order', { limit: 1 })).locks[0]?.holderName, name);
      const pushed = (await service.views.change(viewer, change)) as { lock: { holderName: string } };
      assert.equal(pushed.lock.holderName, name);
      const news = (await service.views.change(viewer, update)) as { by: { name: string } };
      assert.equal(news.by.name, name);
    }
    const write = await checkWrite(service, BEN, ORDER);
    if (!write.allowed)
      assert.match(`${write.problem.detail} ${write.problem.lock?.holderName ?? ''}`, /^A\. .* A\.$/);
    assert.equal(write.allowed, false);
  });

  it('hidden: no answer has the name; the stored record keeps it, and policies hear it', async () => {
    const { service, store } = await stage({
      holderName: 'hidden',
      canTakeOver: (_taker, { holderName }) => holderName !== 'Anna',
    });
    const claim = await service.claim(BEN, ORDER, SESSION);
    assert.deepEqual([claim.lock?.holderName, claim.lock?.holderOid, claim.canTakeOver], ['', 'anna', false]);
    const denied = await service
      .takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'anna' })
      .catch((error: unknown) => error);
    assert.equal(denied instanceof LockError && JSON.stringify(denied.toProblem()).includes('Anna'), false);
    assert.equal(code(denied), 'take-over-denied');
    assert.equal((await store.read({ tenant: 'acme', ref: ORDER })).lock?.holderName, 'Anna');
  });

  it('that throws, or answers no text, shows no name, and is logged once in five seconds', async () => {
    for (const holderName of [
      () => {
        throw new Error('broke');
      },
      () => undefined as unknown as string,
    ]) {
      const { service, log, clock } = await stage({ holderName });
      for (const _ of [1, 2]) assert.equal((await service.claim(BEN, ORDER, SESSION)).lock?.holderName, '');
      assert.equal(log.lines.length, 1);
      clock.nowMs += 5_001;
      await service.read(BEN, ORDER);
      assert.equal(log.lines.length, 2);
    }
  });

  it('automation’s name is nobody’s secret', async () => {
    const { service } = await stage({ holderName: 'hidden' });
    const change = { ...update, by: { oid: 'robot', name: 'Nightly job', kind: 'automation' } } as const;
    assert.deepEqual(await service.views.change(BEN, change), change);
  });
});

describe('canTakeOver', () => {
  it('that throws or rejects forbids, in the answer and on the attempt, and is logged', async () => {
    for (const canTakeOver of [
      () => {
        throw new Error('broke');
      },
      () => Promise.reject(new Error('broke')),
    ]) {
      const { service, log } = await stage({ canTakeOver });
      assert.equal((await service.claim(BEN, ORDER, SESSION)).canTakeOver, false);
      assert.equal((await service.renew(BEN, ORDER, SESSION)).canTakeOver, false);
      const attempt = service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'anna' });
      assert.equal(await attempt.then(() => 'taken', code), 'take-over-denied');
      assert.deepEqual(
        log.lines.map(({ level, reason }) => [level, reason]),
        [['error', 'broke']],
      );
    }
  });

  it('is answered in every held reply: claim, renew and take-over (F18)', async () => {
    const { service } = await stage({ canTakeOver: (taker) => taker.oid === 'ben' });
    for (const [taker, can] of [
      [BEN, true],
      [CARL, false],
    ] as const) {
      assert.equal((await service.claim(taker, ORDER, SESSION)).canTakeOver, can);
      assert.equal((await service.renew(taker, ORDER, SESSION)).canTakeOver, can);
    }
    const other = await service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'dora' });
    assert.deepEqual([other.outcome, other.canTakeOver], ['held', true]);
  });
});
