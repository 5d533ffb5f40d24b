import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WRITE_LEASE_MS, newWriteSession } from '../../core/index.ts';
import { until } from '../support/until.ts';
import { ANN, BOB, DAY_MS, LONG_MS, SHORT_MS, type ContractKit, type Entity } from './contract-kit.ts';

/** The hold of one request that writes (`hold: true`). */
export function holdWriteContract(kit: ContractKit): void {
  const hold = (entity: Entity, holder = ANN, session = newWriteSession(), more: { fence?: number } = {}) =>
    kit.store.holdWrite(entity.step(holder, session, { leaseMs: WRITE_LEASE_MS, ...more }));
  const operations = async (entity: Entity) =>
    (await kit.changesOf(entity)).map(({ operation }) => operation);
  const read = async (entity: Entity) => (await kit.store.read(entity.target)).lock;

  describe('hold of a write', () => {
    it('free ⇒ acquired for its lease, Acquired is published, and its release frees the entity', async () => {
      const entity = kit.entity();
      const session = newWriteSession();
      const { outcome, lock } = await hold(entity, ANN, session);
      assert.deepEqual([outcome, lock?.holderOid, lock?.expiresInMs], ['acquired', ANN.oid, WRITE_LEASE_MS]);
      assert.equal((await kit.store.release(entity.release(ANN, session))).outcome, 'released');
      assert.equal(await read(entity), null);
      assert.deepEqual(await operations(entity), ['Acquired', 'Released']);
    });

    it('another holder ⇒ held, with their lock, and nothing is published', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(BOB, 's1'));
      const { outcome, lock } = await hold(entity);
      assert.deepEqual([outcome, lock?.holderOid], ['held', BOB.oid]);
      assert.deepEqual(await operations(entity), ['Acquired']);
    });

    it('the holder’s own open form ⇒ joins without a word, and the form keeps its lock afterwards', async () => {
      const entity = kit.entity();
      const session = newWriteSession();
      const before = (await kit.store.claim(entity.step(ANN, 's1'))).lock;
      const { outcome, lock } = await hold(entity, ANN, session);
      assert.equal(outcome, 'acquired');
      assert.equal(lock?.acquiredAtUtc, before?.acquiredAtUtc);
      assert.equal(lock?.fence, before?.fence);
      assert.equal((lock?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
      assert.deepEqual(await operations(entity), ['Acquired']);
      assert.equal((await kit.store.release(entity.release(ANN, session))).outcome, 'kept');
      const renewed = await kit.store.renew(entity.step(ANN, 's1'));
      assert.deepEqual([renewed.outcome, renewed.otherSessions], ['acquired', 0]);
      assert.equal((renewed.lock?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
    });

    it('is no open form: no page is told of another window', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await hold(entity);
      assert.equal((await kit.store.renew(entity.step(ANN, 's1'))).otherSessions, 0);
    });

    it('a lease with less left is lengthened, and others hear of it', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: WRITE_LEASE_MS / 2 }));
      assert.equal((await hold(entity)).lock?.expiresInMs, WRITE_LEASE_MS);
      assert.deepEqual(await operations(entity), ['Acquired', 'Renewed']);
    });

    it('another write of the same holder under way ⇒ busy, whether a form is open or not', async () => {
      for (const isOpen of [false, true]) {
        const entity = kit.entity();
        const first = newWriteSession();
        if (isOpen) await kit.store.claim(entity.step(ANN, 's1'));
        assert.equal((await hold(entity, ANN, first)).outcome, 'acquired');
        const second = await hold(entity);
        assert.deepEqual([second.outcome, second.lock?.holderOid], ['busy', ANN.oid]);
        await kit.store.release(entity.release(ANN, first));
        assert.equal((await hold(entity)).outcome, 'acquired');
      }
    });

    it('50 at once by one holder: one acquired, 49 busy; by two: nobody writes beside anybody (F16)', async () => {
      const entity = kit.entity();
      const alone = await Promise.all(Array.from({ length: 50 }, () => hold(entity)));
      assert.equal(alone.filter(({ outcome }) => outcome === 'acquired').length, 1);
      assert.equal(alone.filter(({ outcome }) => outcome === 'busy').length, 49);
      const contested = kit.entity();
      const both = await Promise.all(
        Array.from({ length: 50 }, (_, at) => hold(contested, at % 2 ? ANN : BOB)),
      );
      assert.equal(both.filter(({ outcome }) => outcome === 'acquired').length, 1);
    });

    it('a write that never ended blocks nobody after its lease', async () => {
      const entity = kit.entity();
      await kit.store.holdWrite(entity.step(ANN, newWriteSession(), { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      assert.equal((await hold(entity)).outcome, 'acquired');
    });

    it('a write that never ended beside an open form is over with its own lease, not with the form’s', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.holdWrite(entity.step(ANN, newWriteSession(), { leaseMs: SHORT_MS }));
      await until('its lease is over', async () => (await hold(entity)).outcome === 'acquired');
      assert.equal(((await read(entity))?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
    });

    it('a final decision ends the write with all open forms', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await hold(entity);
      assert.equal((await kit.store.release(entity.release(ANN, null))).outcome, 'released');
      assert.equal(await read(entity), null);
    });

    it('another holder came since the write’s fence ⇒ stale, and nothing is held', async () => {
      const entity = kit.entity();
      const fence = (await kit.store.claim(entity.step(ANN, 's1'))).lock?.fence ?? 0;
      await kit.store.release(entity.release(ANN, 's1'));
      const session = newWriteSession();
      assert.equal((await hold(entity, ANN, session, { fence })).outcome, 'acquired');
      await kit.store.release(entity.release(ANN, session));
      await kit.store.claim(entity.step(BOB, 's1'));
      await kit.store.release(entity.release(BOB, 's1'));
      assert.deepEqual(await hold(entity, ANN, newWriteSession(), { fence }), {
        outcome: 'stale',
        lock: null,
      });
      assert.equal(await read(entity), null);
    });

    it('a fence that the store lost is kept; one older than a fence lives is stale', async () => {
      const { fence } =
        (await hold(kit.entity(), ANN, newWriteSession(), { fence: Date.now() - 60_000 })).lock ?? {};
      assert.equal((fence ?? 0) <= Date.now() - 60_000, true);
      const old = await hold(kit.entity(), ANN, newWriteSession(), { fence: Date.now() - 2 * DAY_MS });
      assert.equal(old.outcome, 'stale');
    });
  });
}
