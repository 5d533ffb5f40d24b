import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, LONG_MS, SHORT_MS, type ContractKit } from './contract-kit.ts';

/** Section 5: release. */
export function releaseContract(kit: ContractKit): void {
  describe('release', () => {
    it('the last session ends the lock, and Released carries the record that ended', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      assert.deepEqual(await kit.store.release(entity.release(ANN, 's1')), {
        outcome: 'released',
        lock: null,
      });
      assert.equal((await kit.store.read(entity.target)).lock, null);
      const released = (await kit.changesOf(entity)).at(-1);
      assert.equal(released?.operation, 'Released');
      assert.equal(released.lock.expiresInMs, 0);
      assert.equal(released.lock.holderName, ANN.name);
      assert.equal(released.lock.acquiredAtUtc, lock?.acquiredAtUtc);
      assert.equal(released.fence, lock?.fence);
    });

    it('the fence does not move', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1'));
      assert.equal((await kit.store.read(entity.target)).fence, lock?.fence);
    });

    it('two tabs: closing one never frees the other’s lock (F21)', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2'));
      const first = await kit.store.release(entity.release(ANN, 's1'));
      assert.equal(first.outcome, 'kept');
      assert.equal(first.lock?.holderOid, ANN.oid);
      assert.equal((await kit.store.renew(entity.step(ANN, 's2'))).outcome, 'acquired');
      assert.equal((await kit.store.release(entity.release(ANN, 's2'))).outcome, 'released');
    });

    it('a delayed release of a closed tab does nothing (F21)', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2'));
      await kit.store.release(entity.release(ANN, 's1'));
      const before = await kit.changesOf(entity);
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'kept');
      assert.equal((await kit.changesOf(entity)).length, before.length);
      assert.equal((await kit.store.read(entity.target)).lock?.holderOid, ANN.oid);
    });

    it('the lock’s end becomes the latest end that is left, and Renewed says so', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2', { leaseMs: LONG_MS / 2 }));
      const { outcome, lock } = await kit.store.release(entity.release(ANN, 's1'));
      assert.equal(outcome, 'kept');
      assert.equal(
        (lock?.expiresInMs ?? 0) <= LONG_MS / 2 && (lock?.expiresInMs ?? 0) > LONG_MS / 2 - 10_000,
        true,
      );
      const change = (await kit.changesOf(entity)).at(-1);
      assert.equal(change?.operation, 'Renewed');
      assert.deepEqual(change.lock, lock);
    });

    it('a foreign release does nothing: held', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      for (const sessionId of ['s1', null]) {
        const result = await kit.store.release(entity.release(BOB, sessionId));
        assert.equal(result.outcome, 'held');
        assert.equal(result.lock?.holderOid, ANN.oid);
      }
      assert.equal((await kit.changesOf(entity)).length, 1);
    });

    it('of a free entity ⇒ gone, and nothing is published', async () => {
      const entity = kit.entity();
      assert.deepEqual(await kit.store.release(entity.release(ANN, 's1')), { outcome: 'gone', lock: null });
      assert.equal((await kit.changesOf(entity)).length, 0);
    });

    it('a late release ⇒ gone, and that session resumes no more', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'gone');
      assert.equal(
        (await kit.store.renew(entity.step(ANN, 's1', { fence: lock?.fence ?? 0 }))).outcome,
        'lost',
      );
    });

    it('a late release by somebody else leaves the last holder’s sessions alone', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      assert.equal((await kit.store.release(entity.release(BOB, 's1'))).outcome, 'gone');
      assert.equal((await kit.store.release(entity.release(BOB, null))).outcome, 'gone');
      assert.equal(
        (await kit.store.renew(entity.step(ANN, 's1', { fence: lock?.fence ?? 0 }))).outcome,
        'acquired',
      );
    });

    it('session null ⇒ all of the holder’s sessions end', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2'));
      assert.equal((await kit.store.release(entity.release(ANN, null))).outcome, 'released');
      assert.equal((await kit.store.read(entity.target)).lock, null);
      for (const session of ['s1', 's2']) {
        const result = await kit.store.renew(entity.step(ANN, session, { fence: lock?.fence ?? 0 }));
        assert.equal(result.outcome, 'lost');
      }
    });

    it('with a grace the session ends then, record and list follow, and Renewed is published', async () => {
      const entity = kit.entity('Graceful');
      await kit.store.claim(entity.step(ANN, 's1'));
      const { outcome, lock } = await kit.store.release(entity.release(ANN, 's1', 5_000));
      assert.equal(outcome, 'released');
      assert.equal(lock?.expiresInMs, 5_000);
      const [listed] = (await kit.store.list(kit.tenant, 'Graceful', { limit: 10 })).locks;
      assert.equal((listed?.expiresInMs ?? LONG_MS) <= 5_000, true);
      const change = (await kit.changesOf(entity)).at(-1);
      assert.equal(change?.operation, 'Renewed');
      assert.deepEqual(change.lock, lock);
    });

    it('a reload re-claims inside the grace and nobody slips in', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1', 5_000));
      assert.equal((await kit.store.claim(entity.step(BOB, 's1'))).outcome, 'held');
      const again = await kit.store.claim(entity.step(ANN, 's2', { fence: first.lock?.fence ?? 0 }));
      assert.equal(again.outcome, 'acquired');
      assert.equal(again.changed, false);
      assert.equal(again.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
      assert.equal(again.lock?.expiresInMs, LONG_MS);
    });

    it('a session in its grace is on its way out and does not count as another one', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1', 5_000));
      assert.equal((await kit.store.claim(entity.step(ANN, 's2'))).otherSessions, 0);
    });

    it('after the grace the lock is free by itself', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1', SHORT_MS));
      await kit.lapse(entity);
      assert.equal((await kit.store.claim(entity.step(BOB, 's1'))).outcome, 'acquired');
    });

    it('with a grace and another session ⇒ kept, until that one’s end', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2'));
      const { outcome, lock } = await kit.store.release(entity.release(ANN, 's1', 5_000));
      assert.equal(outcome, 'kept');
      assert.equal((lock?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
    });

    it('a grace never lengthens a lease', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: 2_000 }));
      const { lock } = await kit.store.release(entity.release(ANN, 's1', 30_000));
      assert.equal((lock?.expiresInMs ?? LONG_MS) <= 2_000, true);
    });
  });
}
