import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, EVE, LONG_MS, SHORT_MS, type ContractKit } from './contract-kit.ts';

/** Section 5: take over. */
export function takeOverContract(kit: ContractKit): void {
  describe('take over', () => {
    it('from the holder that the taker saw ⇒ acquired, a new fence, TakenOver published', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1'));
      const result = await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.lock?.holderOid, BOB.oid);
      assert.equal(result.lock.expiresInMs, LONG_MS);
      assert.equal(result.lock.fence > (first.lock?.fence ?? Infinity), true);
      assert.equal(result.changed, null);
      const change = (await kit.changesOf(entity)).at(-1);
      assert.equal(change?.operation, 'TakenOver');
      assert.deepEqual(change.lock, result.lock);
    });

    it('the lease is the taker’s own, also where the last one had longer', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      const step = entity.step(BOB, 's1', { leaseMs: LONG_MS / 2 });
      const { lock } = await kit.store.takeOver({ ...step, fromHolderOid: ANN.oid });
      assert.equal(lock?.expiresInMs, LONG_MS / 2);
    });

    it('ends the last holder’s sessions: their renewal is held, their release does nothing', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      assert.equal((await kit.store.renew(entity.step(ANN, 's1'))).outcome, 'held');
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'held');
      assert.equal((await kit.store.release(entity.release(BOB, 's1'))).outcome, 'released');
    });

    it('a different holder now ⇒ held, with the present lock', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(EVE, 's1'));
      const result = await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      assert.equal(result.outcome, 'held');
      assert.equal(result.lock?.holderOid, EVE.oid);
      assert.equal(result.changed, null);
      assert.equal((await kit.changesOf(entity)).length, 1);
    });

    it('free now ⇒ acquired, Acquired published', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      const result = await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      assert.equal(result.outcome, 'acquired');
      assert.equal((await kit.changesOf(entity)).at(-1)?.operation, 'Acquired');
    });

    it('the taker’s own by now ⇒ acquired, session added, record kept, Renewed published', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(BOB, 's1', { leaseMs: LONG_MS / 2 }));
      const result = await kit.store.takeOver({ ...entity.step(BOB, 's2'), fromHolderOid: ANN.oid });
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
      assert.equal(result.lock?.fence, first.lock?.fence);
      assert.equal(result.otherSessions, 1);
      assert.equal((await kit.changesOf(entity)).at(-1)?.operation, 'Renewed');
    });

    it('50 parallel take-overs of one lock: exactly one final holder, each loser knows who (F17)', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const step = entity.step({ oid: `taker-${at}`, name: `Taker ${at}` }, 's');
          return kit.store.takeOver({ ...step, fromHolderOid: ANN.oid });
        }),
      );
      const winners = results.filter(({ outcome }) => outcome === 'acquired');
      const losers = results.filter(({ outcome }) => outcome === 'held');
      const holder = (await kit.store.read(entity.target)).lock?.holderOid;
      assert.equal(winners.length, 1);
      assert.equal(losers.length, 49);
      assert.deepEqual([...new Set(results.map(({ lock }) => lock?.holderOid))], [holder]);
    });
  });
}
