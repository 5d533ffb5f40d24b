import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, DAY_MS, SHORT_MS, type ContractKit, type Entity } from './contract-kit.ts';

/** Sections 2 and 4: the fence, and what `changed` says. */
export function fenceContract(kit: ContractKit): void {
  const fenceOf = async (entity: Entity) => (await kit.store.read(entity.target)).fence;

  describe('the fence', () => {
    it('is 0 before anybody held the entity', async () => {
      assert.equal(await fenceOf(kit.entity()), 0);
    });

    it('starts from the clock, so that a store that forgot it gives out no number twice', async () => {
      const { lock } = await kit.store.claim(kit.entity().step(ANN, 's1'));
      assert.equal(lock?.fence, Math.floor((lock?.at ?? 0) / 1_000));
    });

    it('advances whenever a different holder gets the lock', async () => {
      const entity = kit.entity();
      const fences: number[] = [];
      for (const holder of [ANN, BOB, ANN, BOB]) {
        const { lock } = await kit.store.claim(entity.step(holder, 's'));
        fences.push(lock?.fence ?? 0);
        await kit.store.release(entity.release(holder, 's'));
      }
      assert.deepEqual(
        fences,
        [...new Set(fences)].sort((a, b) => a - b),
      );
    });

    it('grows by at least one even within a millisecond', async () => {
      const entity = kit.entity();
      let last = 0;
      for (let at = 0; at < 20; at += 1) {
        const holder = { oid: `h${at % 2}`, name: 'H' };
        const { lock } = await kit.store.takeOver({
          ...entity.step(holder, 's'),
          fromHolderOid: `h${(at + 1) % 2}`,
        });
        assert.equal((lock?.fence ?? 0) > last, true);
        last = lock?.fence ?? 0;
      }
    });

    it('stays through renewals, releases, lapses and new claims of the same holder', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      await kit.store.claim(entity.step(ANN, 's2'));
      await kit.store.renew(entity.step(ANN, 's2'));
      await kit.store.release(entity.release(ANN, 's2'));
      await kit.store.claim(entity.step(ANN, 's3'));
      assert.equal(await fenceOf(entity), lock?.fence);
    });

    it('outlives the lock', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      assert.equal(await fenceOf(entity), lock?.fence);
    });
  });

  describe('changed', () => {
    it('is null for a caller without a fence', async () => {
      assert.equal((await kit.store.claim(kit.entity().step(ANN, 's1'))).changed, null);
    });

    it('is false where nobody else held the entity since', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      const again = await kit.store.claim(entity.step(ANN, 's2', { fence: lock?.fence ?? 0 }));
      assert.equal(again.changed, false);
    });

    it('is true where somebody else held it, and where somebody else holds it now', async () => {
      const entity = kit.entity();
      const fence = (await kit.store.claim(entity.step(ANN, 's1'))).lock?.fence ?? 0;
      await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      assert.equal((await kit.store.claim(entity.step(ANN, 's2', { fence }))).changed, true);
      await kit.store.release(entity.release(BOB, 's1'));
      const after = await kit.store.claim(entity.step(ANN, 's2', { fence }));
      assert.equal(after.outcome, 'acquired');
      assert.equal(after.changed, true);
    });

    it('fence missing and the caller’s younger than one lives ⇒ null: the store lost it', async () => {
      const step = kit.entity().step(ANN, 's1', { fence: Date.now() - DAY_MS / 2 });
      assert.equal((await kit.store.claim(step)).changed, null);
    });

    it('fence missing and the caller’s older ⇒ true', async () => {
      const step = kit.entity().step(ANN, 's1', { fence: Date.now() - DAY_MS - 60_000 });
      assert.equal((await kit.store.claim(step)).changed, true);
    });
  });
}
