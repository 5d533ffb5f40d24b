import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import {
  FENCE_LIFETIME_MS,
  MemoryChangeFeed,
  MemoryLockStore,
  entityRef,
  microClock,
} from '../../../core/index.ts';
import { LockSlot } from '../../../core/lock-slot.ts';

const START = 1_700_000_000_000;
const LEASE = 300_000;
const SWEEP_EVERY_MS = 60_000;
const ANNA = { oid: 'anna', name: 'Anna' };

function storeAt(startMs: number) {
  const clock = { nowMs: startMs };
  const store = new MemoryLockStore(new MemoryChangeFeed(microClock(() => clock.nowMs)));
  const step = (uid: string, tenant = 'acme') => ({
    tenant,
    ref: entityRef('Order', uid),
    holder: ANNA,
    holderOid: ANNA.oid,
    fromHolderOid: 'ben',
    sessionId: 's',
    graceMs: 0,
    leaseMs: LEASE,
  });
  /** How many slots the store keeps: a sweep looks at each of them once. */
  const slotCount = async () => {
    clock.nowMs += SWEEP_EVERY_MS;
    const looks = mock.method(LockSlot.prototype, 'isSpent');
    await store.renew(step('the sweeper itself'));
    const count = looks.mock.callCount();
    looks.mock.restore();
    return count;
  };
  return { clock, store, step, slotCount };
}

// What is kept, and for how long. The verbs themselves are the contract suite's.
describe('MemoryLockStore forgets', () => {
  it('a record once its fence has run out, and not before', async () => {
    const { clock, store, step, slotCount } = storeAt(START);
    await store.claim(step('1'));
    await store.release(step('1'));
    clock.nowMs += FENCE_LIFETIME_MS - SWEEP_EVERY_MS - 1;
    assert.equal(await slotCount(), 1);
    assert.equal((await store.read(step('1'))).fence, START, 'the fence was not touched by the sweep');
    clock.nowMs += 1;
    await slotCount(); // looks at it once more and lets it go
    assert.equal(await slotCount(), 1, 'only the sweeper’s own');
    assert.equal((await store.read(step('1'))).fence, 0);
  });

  it('records that were only renewed or released, as soon as it sweeps', async () => {
    const { store, step, slotCount } = storeAt(START);
    for (let index = 0; index < 50; index += 1) {
      await store.renew(step(`renewed ${index}`));
      await store.release(step(`released ${index}`));
    }
    assert.equal(await slotCount(), 100);
    assert.equal(await slotCount(), 1, 'only the sweeper’s own');
  });

  it('nothing that is still locked, however long ago it was claimed', async () => {
    const { clock, store, step, slotCount } = storeAt(START);
    await store.claim({ ...step('1'), leaseMs: FENCE_LIFETIME_MS - 1 });
    clock.nowMs += FENCE_LIFETIME_MS - SWEEP_EVERY_MS - 2;
    await slotCount();
    assert.equal((await store.read(step('1'))).lock?.holderOid, 'anna');
  });

  it('a session that ended more than a day ago, while its holder goes on', async () => {
    const { clock, store, step } = storeAt(START);
    await store.claim({ ...step('1'), sessionId: 'old' });
    for (let day = 0; day < 2; day += 1) {
      await store.claim(step('1'));
      clock.nowMs += FENCE_LIFETIME_MS - 1;
    }
    await store.claim(step('1'));
    const late = await store.renew({ ...step('1'), sessionId: 'old' });
    assert.equal(late.outcome, 'lost');
  });

  it('nothing by reading, and remembers nothing by it', async () => {
    const { store, step, slotCount } = storeAt(START);
    for (let index = 0; index < 50; index += 1) await store.read(step(`read ${index}`));
    await store.list('acme', 'Order', { limit: 10 });
    await store.listHeldBy('acme', ['Order'], 'anna');
    assert.equal(await slotCount(), 0);
  });

  it('at most once a minute', async () => {
    const { clock, store, step, slotCount } = storeAt(START);
    for (let index = 0; index < 10; index += 1) await store.claim(step(String(index)));
    await slotCount();
    const looks = mock.method(LockSlot.prototype, 'isSpent');
    clock.nowMs += SWEEP_EVERY_MS - 1;
    await store.claim(step('11'));
    assert.equal(looks.mock.callCount(), 0);
    looks.mock.restore();
  });
});
