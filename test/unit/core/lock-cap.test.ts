import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError, LockRegistry, LockService, MemoryChangeFeed, lockable } from '../../../core/index.ts';
import { ANNA, BEN } from './people.ts';
import { RecordedLog } from './recorded-log.ts';
import { serviceAt, uniformStore } from './service-at.ts';

const order = (number: number) => ({ entityType: 'Order', entityUid: `O-${number}` });
const session = { sessionId: 's1' };
const isTooMany = (error: unknown) =>
  error instanceof LockError && error.code === 'too-many-locks' && error.status === 429;

describe('the cap on one user’s live locks (F35)', () => {
  it('refuses the claim that would be one too many, in words that help', async () => {
    const { service } = serviceAt(1_000_000, { maxLocksPerHolder: 3 });
    for (const number of [1, 2, 3]) await service.claim(ANNA, order(number), session);
    await assert.rejects(service.claim(ANNA, order(4), session), (error: unknown) => {
      assert.ok(isTooMany(error), 'expected too-many-locks');
      assert.match(String(error), /3 records already/);
      return true;
    });
    assert.equal((await service.read(BEN, order(4))).locks.length, 0, 'nothing was locked');
  });

  it('counts over all types', async () => {
    const { service } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    await service.claim(ANNA, order(1), session);
    await assert.rejects(
      service.claim(ANNA, { entityType: 'Invoice', entityUid: 'I-1' }, session),
      isTooMany,
    );
  });

  it('leaves what is held alone: renewals, further windows, releases', async () => {
    const { service } = serviceAt(1_000_000, { maxLocksPerHolder: 2 });
    for (const number of [1, 2]) await service.claim(ANNA, order(number), session);
    assert.equal((await service.renew(ANNA, order(1), session)).outcome, 'acquired');
    assert.equal((await service.claim(ANNA, order(1), { sessionId: 's2' })).outcome, 'acquired');
    assert.equal((await service.release(ANNA, order(2), { sessionId: 's1' })).outcome, 'released');
    assert.equal((await service.claim(ANNA, order(3), session)).outcome, 'acquired');
  });

  it('counts neither what somebody else holds nor what was answered held', async () => {
    const { service } = serviceAt(1_000_000, { maxLocksPerHolder: 2 });
    for (const number of [1, 2]) await service.claim(BEN, order(number), session);
    for (const number of [1, 2])
      assert.equal((await service.claim(ANNA, order(number), session)).outcome, 'held');
    for (const number of [3, 4]) {
      assert.equal((await service.claim(ANNA, order(number), session)).outcome, 'acquired');
    }
  });

  it('counts what was taken over for the one who took it', async () => {
    const { service } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    await service.claim(BEN, order(1), session);
    await service.claim(ANNA, order(2), session);
    const takeOver = { sessionId: 's1', fromHolderOid: BEN.oid };
    await assert.rejects(service.takeOver(ANNA, order(1), takeOver), isTooMany);
    await service.release(ANNA, order(2), { sessionId: 's1' });
    assert.equal((await service.takeOver(ANNA, order(1), takeOver)).outcome, 'acquired');
  });

  it('lets leases run out, and forgets them', async () => {
    const { service, clock } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    await service.claim(ANNA, order(1), session);
    clock.nowMs += 300_001;
    assert.equal((await service.claim(ANNA, order(2), session)).outcome, 'acquired');
  });

  it('counts lapsed locks that a renewal would resume', async () => {
    const { service, clock } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    const { lock } = await service.claim(ANNA, order(1), session);
    clock.nowMs += 300_001;
    await service.claim(ANNA, order(2), session);
    const asleep = { ...session, fence: lock?.fence };
    await assert.rejects(service.renew(ANNA, order(1), asleep), isTooMany);
    await service.release(ANNA, order(2), session);
    assert.equal((await service.renew(ANNA, order(1), asleep)).outcome, 'acquired');
  });

  it('never ends a live lock: one that another process gave out is renewed, full as this one is', async () => {
    const { service, store, feed, registry, log, clock } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    const now = () => clock.nowMs;
    const elsewhere = new LockService({ store, feed, registry, log, now, maxLocksPerHolder: 1 });
    await service.claim(ANNA, order(1), session);
    await elsewhere.claim(ANNA, order(2), session);
    assert.equal((await service.renew(ANNA, order(2), session)).outcome, 'acquired');
    assert.equal((await elsewhere.renew(ANNA, order(1), session)).outcome, 'acquired');
  });

  it('asks the store before it refuses: another process may have let go', async () => {
    const { service, store } = serviceAt(1_000_000, { maxLocksPerHolder: 1 });
    await service.claim(ANNA, order(1), session);
    const target = { tenant: ANNA.tenant, ref: order(1) };
    await store.release({ ...target, holderOid: ANNA.oid, sessionId: null, graceMs: 0 });
    assert.equal((await service.claim(ANNA, order(2), session)).outcome, 'acquired');
  });

  it('holds for claims that come all at once', async () => {
    const { service, store } = serviceAt(1_000_000, { maxLocksPerHolder: 5 });
    const claims = Array.from({ length: 20 }, (_, number) => service.claim(ANNA, order(number), session));
    const settled = await Promise.allSettled(claims);
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 5);
    assert.equal((await store.listHeldBy(ANNA.tenant, ['Order'], ANNA.oid)).locks.length, 5);
  });

  it('never stands in the way while the store cannot say', async () => {
    const service = new LockService({
      store: uniformStore(() => Promise.reject(new Error('away'))),
      feed: new MemoryChangeFeed(),
      registry: new LockRegistry([lockable('Order')]),
      log: new RecordedLog(),
      maxLocksPerHolder: 1,
    });
    for (const number of [1, 2, 3]) {
      assert.equal((await service.claim(ANNA, order(number), session)).outcome, 'unknown');
    }
  });

  for (const max of [0, -1, 1.5, Number.NaN]) {
    it(`refuses to be ${max}`, () => {
      assert.throws(
        () => serviceAt(0, { maxLocksPerHolder: max }),
        /maxLocksPerHolder: expected a whole number/,
      );
    });
  }
});
