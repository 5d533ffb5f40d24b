import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LockError,
  LockRegistry,
  LockService,
  MemoryChangeFeed,
  MemoryLockStore,
  StoreUnavailable,
  entityRef,
  lockable,
  type EntityChange,
  type LockStore,
} from '../../../core/index.ts';
import { ANNA, BEN, EVE, ROBOT } from './people.ts';
import { RecordedLog } from './recorded-log.ts';
import { serviceAt, uniformStore } from './service-at.ts';

const START = 1_700_000_000_000;
const ORDER = entityRef('Order', '1');
const SESSION = { sessionId: 's' };

const hasCode = (code: string) => (error: unknown) => error instanceof LockError && error.code === code;

function serviceOver(store: LockStore, clock = { nowMs: START }) {
  const log = new RecordedLog();
  const feed = new MemoryChangeFeed();
  const registry = new LockRegistry([lockable('Order')]);
  const service = new LockService({ store, feed, registry, log, now: () => clock.nowMs });
  return { service, log, feed, clock };
}

describe('LockService over a store that works', () => {
  it('answers a claim with who asks, when to renew, and no offer to take over one’s own', async () => {
    const { service } = serviceAt(START, { order: { leaseMs: 400_000, renewEveryMs: 100_000 } });
    const answer = await service.claim(ANNA, ORDER, SESSION);
    assert.deepEqual(
      { ...answer, lock: answer.lock?.holderOid },
      {
        outcome: 'acquired',
        lock: 'anna',
        changed: null,
        otherSessions: 0,
        renewAfterMs: 100_000,
        canTakeOver: false,
        me: { holderOid: 'anna' },
      },
    );
    assert.equal(answer.lock?.expiresInMs, 400_000);
  });

  it('takes the holder’s name and tenant from the principal alone', async () => {
    const { service } = serviceAt(START);
    await service.claim(ANNA, ORDER, SESSION);
    assert.equal((await service.claim(EVE, ORDER, SESSION)).outcome, 'acquired');
    assert.deepEqual(
      (await service.list(EVE, 'Order', { limit: 10 })).locks.map((lock) => lock.holderName),
      ['Eve'],
    );
    assert.equal((await service.read(ANNA, ORDER)).locks[0]?.holderName, 'Anna');
  });

  it('asks the application whether the one who is held may take over', async () => {
    const asked: unknown[] = [];
    const { service } = serviceAt(START, {
      order: {
        canTakeOver: async (taker, lock, ref) => {
          asked.push([taker.oid, lock.holderOid, ref.entityUid]);
          return taker.oid === 'ben';
        },
      },
    });
    await service.claim(ANNA, ORDER, SESSION);
    assert.deepEqual(asked, [], 'nobody asks about a lock that was acquired');
    assert.equal((await service.claim(BEN, ORDER, SESSION)).canTakeOver, true);
    assert.equal((await service.claim({ ...BEN, oid: 'carl' }, ORDER, SESSION)).canTakeOver, false);
    assert.deepEqual(asked, [
      ['ben', 'anna', '1'],
      ['carl', 'anna', '1'],
    ]);
  });

  it('denies a take-over that the application forbids, and the lock stands', async () => {
    const { service } = serviceAt(START, { order: { canTakeOver: () => false } });
    await service.claim(ANNA, ORDER, SESSION);
    await assert.rejects(
      service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'anna' }),
      (error: unknown) =>
        error instanceof LockError &&
        error.code === 'take-over-denied' &&
        error.details.lock?.holderOid === 'anna',
    );
    assert.equal((await service.read(BEN, ORDER)).locks[0]?.holderOid, 'anna');
  });

  it('asks nobody about a free record, nor about one’s own', async () => {
    const { service } = serviceAt(START, { order: { canTakeOver: () => assert.fail('was asked') } });
    const take = () => service.takeOver(ANNA, ORDER, { ...SESSION, fromHolderOid: 'ben' });
    assert.equal((await take()).outcome, 'acquired');
    assert.equal((await take()).outcome, 'acquired');
  });

  it('does not take over from a holder whom the taker did not see', async () => {
    const { service } = serviceAt(START);
    await service.claim(ANNA, ORDER, SESSION);
    const answer = await service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'carl' });
    assert.equal(answer.outcome, 'held');
    assert.equal(answer.canTakeOver, true);
  });

  it('takes over from nobody about whom the policy was not asked, whoever claims in between', async () => {
    for (const seen of [null, { oid: 'ben', name: 'Ben' }, { oid: 'carl', name: 'Carl' }]) {
      const { service, store } = serviceAt(START, {
        order: { canTakeOver: (_taker, { holderOid }) => holderOid === 'carl' },
      });
      const step = { tenant: 'acme', ref: ORDER, sessionId: 's', leaseMs: 300_000 };
      if (seen !== null) await store.claim({ ...step, holder: seen });
      const read = store.read.bind(store);
      store.read = async (target) => {
        const snapshot = await read(target);
        if (seen !== null) {
          await store.release({ ...step, holderOid: seen.oid, sessionId: null, graceMs: 0 });
        }
        await store.claim({ ...step, holder: { oid: 'anna', name: 'Anna' } });
        return snapshot;
      };
      const answer = await service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'anna' });
      assert.deepEqual([answer.outcome, answer.lock?.holderOid], ['held', 'anna'], seen?.name);
    }
  });

  it('takes an error of the application’s policy for a no, and logs it, instead of failing open', async () => {
    const { service, log } = serviceAt(START, {
      order: {
        canTakeOver: () => {
          throw new Error('policy broke');
        },
      },
    });
    await service.claim(ANNA, ORDER, SESSION);
    const { outcome, canTakeOver } = await service.claim(BEN, ORDER, SESSION);
    assert.deepEqual([outcome, canTakeOver], ['held', false]);
    await assert.rejects(
      service.takeOver(BEN, ORDER, { ...SESSION, fromHolderOid: 'anna' }),
      hasCode('take-over-denied'),
    );
    assert.equal(service.storeState, 'ok');
    assert.match(JSON.stringify(log.lines), /policy broke/);
  });

  it('lets automation read and release nothing, hold nothing and write everything', async () => {
    const { service } = serviceAt(START);
    await service.claim(ANNA, ORDER, SESSION);
    const refused = hasCode('automation-cannot-claim');
    await assert.rejects(service.claim(ROBOT, ORDER, SESSION), refused);
    await assert.rejects(service.renew(ROBOT, ORDER, SESSION), refused);
    await assert.rejects(service.takeOver(ROBOT, ORDER, { ...SESSION, fromHolderOid: 'anna' }), refused);
    assert.equal(await service.checkWrite(ROBOT, ORDER, 1), null);
    assert.equal((await service.release(ROBOT, ORDER, { sessionId: null })).outcome, 'held');
    assert.equal((await service.read(ROBOT, ORDER)).locks.length, 1);
  });

  it('knows a record by any spelling, in every call', async () => {
    const { service } = serviceAt(START);
    const guid = '0b4f3d9e-9a51-4c6b-8f5e-3c1d2e4f5a6b';
    const tenant = 'c1d2e4f5-0b4f-4c6b-8f5e-9a513d9e5a6b';
    const anna = { ...ANNA, tenant };
    const ben = { ...BEN, tenant: tenant.toUpperCase() };
    const spelled = { entityType: 'Order', entityUid: guid.toUpperCase() };
    await service.claim(anna, { ...spelled, entityUid: guid }, SESSION);
    assert.equal((await service.checkWrite(ben, spelled))?.code, 'entity-locked');
    assert.equal((await service.claim(ben, spelled, SESSION)).outcome, 'held');
    assert.equal((await service.read(ben, spelled)).locks[0]?.entityUid, guid);
    assert.equal((await service.list(ben, 'Order', { limit: 10 })).locks.length, 1);
    assert.equal((await service.release(ben, spelled, { sessionId: null })).outcome, 'held');
    const taken = await service.takeOver(ben, spelled, { ...SESSION, fromHolderOid: 'anna' });
    assert.equal(taken.outcome, 'acquired');
    assert.equal((await service.listMine(ben)).locks.length, 1);
    await assert.rejects(service.checkWrite(ben, { ...spelled, entityUid: '' }), hasCode('bad-request'));
  });

  it('checks writes by the write rule', async () => {
    const { service } = serviceAt(START);
    assert.equal(await service.checkWrite(BEN, ORDER), null);
    const { lock } = await service.claim(ANNA, ORDER, SESSION);
    assert.equal((await service.checkWrite(BEN, ORDER))?.code, 'entity-locked');
    assert.equal(await service.checkWrite(ANNA, ORDER, lock?.fence), null);
    assert.equal((await service.checkWrite(ANNA, ORDER, 1))?.code, 'stale-fence');
  });

  it('lists the caller’s own locks over all types', async () => {
    const { service } = serviceAt(START);
    await service.claim(ANNA, ORDER, SESSION);
    await service.claim(ANNA, entityRef('Invoice', '7'), SESSION);
    await service.claim(BEN, entityRef('Order', '2'), SESSION);
    const { locks, store, me } = await service.listMine(ANNA);
    assert.deepEqual(
      locks.map(({ entityType, entityUid }) => `${entityType} ${entityUid}`),
      ['Order 1', 'Invoice 7'],
    );
    assert.equal(store, 'ok');
    assert.deepEqual(me, { holderOid: 'anna' });
  });

  it('refuses a type that nobody registered, in every call that names one', async () => {
    const { service } = serviceAt(START);
    const ref = entityRef('Customer', '1');
    const refused = hasCode('type-not-lockable');
    await assert.rejects(service.claim(ANNA, ref, SESSION), refused);
    await assert.rejects(service.renew(ANNA, ref, SESSION), refused);
    await assert.rejects(service.takeOver(ANNA, ref, { ...SESSION, fromHolderOid: 'ben' }), refused);
    await assert.rejects(service.release(ANNA, ref, SESSION), refused);
    await assert.rejects(service.read(ANNA, ref), refused);
    await assert.rejects(service.list(ANNA, 'Customer', { limit: 1 }), refused);
    await assert.rejects(service.checkWrite(ANNA, ref), refused);
    await assert.rejects(service.checkWrite(ROBOT, ref), refused);
  });
});

describe('LockService over a store that rejects', () => {
  const failures: readonly (readonly [what: string, error: unknown])[] = [
    ['with StoreUnavailable', new StoreUnavailable('no answer within 500 ms')],
    ['with any error', new TypeError('Cannot read properties of undefined')],
    ['with something that is no error', 'ECONNREFUSED'],
  ];
  for (const [what, failure] of failures) {
    it(`fails open in every call, ${what}`, async () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is the case under test
      const { service } = serviceOver(uniformStore(() => Promise.reject(failure)));
      const unknown = {
        outcome: 'unknown',
        lock: null,
        changed: null,
        otherSessions: 0,
        renewAfterMs: 10_000,
        canTakeOver: false,
        me: { holderOid: 'anna' },
      };
      assert.deepEqual(await service.claim(ANNA, ORDER, SESSION), unknown);
      assert.deepEqual(await service.renew(ANNA, ORDER, SESSION), unknown);
      assert.deepEqual(await service.takeOver(ANNA, ORDER, { ...SESSION, fromHolderOid: 'ben' }), unknown);
      assert.deepEqual(await service.release(ANNA, ORDER, SESSION), { outcome: 'unknown' });
      const nobodyKnows = { locks: [], asOf: 0, me: { holderOid: 'anna' }, store: 'unavailable' };
      assert.deepEqual(await service.read(ANNA, ORDER), nobodyKnows);
      assert.deepEqual(await service.list(ANNA, 'Order', { limit: 1 }), nobodyKnows);
      assert.deepEqual(await service.listMine(ANNA), nobodyKnows);
      assert.equal(await service.checkWrite(ANNA, ORDER, 1), null);
      assert.equal(service.storeState, 'unavailable');
    });
  }

  it('fails open where a store throws instead of rejecting', async () => {
    const { service } = serviceOver(
      uniformStore(() => {
        throw new Error('thrown');
      }),
    );
    assert.equal((await service.claim(ANNA, ORDER, SESSION)).outcome, 'unknown');
  });

  it('asks again sooner where renewals are more frequent than that', async () => {
    const store = uniformStore(() => Promise.reject(new Error('down')));
    const registry = new LockRegistry([lockable('Order', { renewEveryMs: 3_000 })]);
    const service = new LockService({
      store,
      registry,
      feed: new MemoryChangeFeed(),
      log: new RecordedLog(),
    });
    assert.equal((await service.claim(ANNA, ORDER, SESSION)).renewAfterMs, 3_000);
  });

  it('still refuses what is the caller’s own fault', async () => {
    const { service } = serviceOver(uniformStore(() => Promise.reject(new Error('down'))));
    await assert.rejects(service.claim(ROBOT, ORDER, SESSION), hasCode('automation-cannot-claim'));
    await assert.rejects(
      service.claim(ANNA, entityRef('Customer', '1'), SESSION),
      hasCode('type-not-lockable'),
    );
  });

  it('leaves the patience to the store: a call that hangs hangs, and the others go on', async () => {
    const good = new MemoryLockStore();
    const silence = new Promise<never>(() => {});
    const { service } = serviceOver({
      kind: 'half',
      claim: () => silence,
      renew: () => silence,
      release: () => silence,
      takeOver: () => silence,
      holdWrite: () => silence,
      read: (target) => good.read(target),
      readMany: (...args) => good.readMany(...args),
      list: (...args) => good.list(...args),
      listHeldBy: (...args) => good.listHeldBy(...args),
    });
    const claim = service.claim(ANNA, ORDER, SESSION).then(() => 'answered');
    assert.equal((await service.read(ANNA, ORDER)).store, 'ok');
    assert.equal(await Promise.race([claim, Promise.resolve('silent')]), 'silent');
  });

  it('warns once in five seconds, with the store’s own words', async () => {
    let words = 'READONLY You can’t write against a read only replica.';
    const { service, log, clock } = serviceOver(uniformStore(() => Promise.reject(new Error(words))));
    const claimTwice = async () => {
      await service.claim(ANNA, ORDER, SESSION);
      await service.list(ANNA, 'Order', { limit: 1 });
    };
    await claimTwice();
    clock.nowMs += 4_999;
    await claimTwice();
    assert.deepEqual(
      log.lines.map(({ level, reason }) => [level, reason]),
      [['warn', words]],
    );
    clock.nowMs += 1;
    words = 'connect ECONNREFUSED';
    await claimTwice();
    assert.deepEqual(log.lines.map(({ reason }) => reason).slice(1), ['connect ECONNREFUSED']);
  });

  it('logs a fault in the set-up as an error, because waiting does not help', async () => {
    const fault = new StoreUnavailable('NOPERM this user has no permissions', { setupFault: true });
    const { service, log } = serviceOver(uniformStore(() => Promise.reject(fault)));
    await service.claim(ANNA, ORDER, SESSION);
    assert.deepEqual(
      log.lines.map(({ level, reason }) => [level, reason]),
      [['error', 'NOPERM this user has no permissions']],
    );
  });

  it('is well again with the first call that succeeds', async () => {
    const good = new MemoryLockStore();
    let down = true;
    const { service } = serviceOver({
      ...uniformStore(() => Promise.reject(new Error('down'))),
      claim: (step) => (down ? Promise.reject(new Error('down')) : good.claim(step)),
    });
    await service.claim(ANNA, ORDER, SESSION);
    assert.equal(service.storeState, 'unavailable');
    down = false;
    assert.equal((await service.claim(ANNA, ORDER, SESSION)).outcome, 'acquired');
    assert.equal(service.storeState, 'ok');
  });
});

describe('LockService.publish', () => {
  it('stamps the change and brings it into the one spelling', async () => {
    const { service, feed } = serviceAt(START);
    const heard: [string, EntityChange][] = [];
    feed.onChange((tenant, change) => heard.push([tenant, change]));
    const by = { oid: 'anna', name: 'Anna', kind: 'user' } as const;
    await service.publish('acme', {
      entityType: 'Order',
      entityUid: '0B4F3D9E-9A51-4C6B-8F5E-3C1D2E4F5A6B',
      operation: 'Updated',
      by,
    });
    assert.deepEqual(heard, [
      [
        'acme',
        {
          entityType: 'Order',
          entityUid: '0b4f3d9e-9a51-4c6b-8f5e-3c1d2e4f5a6b',
          operation: 'Updated',
          by,
          at: START * 1_000,
        },
      ],
    ]);
  });

  it('brings the tenant into the one spelling too: connections are grouped by it', async () => {
    const { service, feed } = serviceAt(START);
    const heard: string[] = [];
    feed.onChange((tenant) => heard.push(tenant));
    await service.publish('C1D2E4F5-0B4F-4C6B-8F5E-9A513D9E5A6B', { ...ORDER, operation: 'Updated' });
    assert.deepEqual(heard, ['c1d2e4f5-0b4f-4c6b-8f5e-9a513d9e5a6b']);
  });

  it('never rejects: not with a feed that does, nor with a change that names no possible record', async () => {
    const feed = new MemoryChangeFeed();
    feed.publish = () => Promise.reject(new Error('backplane gone'));
    const log = new RecordedLog();
    const registry = new LockRegistry([lockable('Order')]);
    let nowMs = START;
    const service = new LockService({ store: new MemoryLockStore(), feed, registry, log, now: () => nowMs });
    await service.publish('acme', { ...ORDER, operation: 'Updated' });
    nowMs += 5_000;
    await service.publish('acme', { entityType: '', entityUid: '1', operation: 'Updated' });
    assert.equal(log.lines.length, 2);
    assert.equal(log.lines[0]?.reason, 'backplane gone');
    assert.match(String(log.lines[1]?.reason), /^entityType: /);
  });

  it('says nothing about the store, whose own state stays what its last call came to', async () => {
    const { service } = serviceOver(uniformStore(() => Promise.reject(new Error('down'))));
    await service.claim(ANNA, ORDER, SESSION);
    await service.publish('acme', { ...ORDER, operation: 'Updated' });
    assert.equal(service.storeState, 'unavailable');
  });
});
