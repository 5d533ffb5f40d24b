import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, LONG_MS, SHORT_MS, type ContractKit } from './contract-kit.ts';

/** Section 5: claim. */
export function claimContract(kit: ContractKit): void {
  describe('claim', () => {
    it('free ⇒ acquired, and Acquired is published', async () => {
      const entity = kit.entity();
      const result = await kit.store.claim(entity.step(ANN, 's1'));
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.changed, null);
      assert.equal(result.otherSessions, 0);
      assert.equal(result.lock?.expiresInMs, LONG_MS);
      const [change, ...more] = await kit.changesOf(entity);
      assert.equal(change?.operation, 'Acquired');
      assert.deepEqual(change.lock, result.lock);
      assert.equal(more.length, 0);
    });

    it('same holder ⇒ acquired, session added, lease extended, Renewed published', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: LONG_MS / 2 }));
      const again = await kit.store.claim(entity.step(ANN, 's2'));
      assert.equal(again.outcome, 'acquired');
      assert.equal(again.otherSessions, 1);
      assert.equal(again.lock?.expiresInMs, LONG_MS);
      assert.deepEqual(operations(await kit.changesOf(entity)), ['Acquired', 'Renewed']);
      // The added session is a real one: it can renew.
      assert.equal((await kit.store.renew(entity.step(ANN, 's2'))).outcome, 'acquired');
    });

    it('same holder with a shorter lease ⇒ the lock does not end sooner', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      const { lock } = await kit.store.claim(entity.step(ANN, 's2', { leaseMs: 1_000 }));
      assert.equal((lock?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
    });

    it('same session twice ⇒ still one session', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      assert.equal((await kit.store.claim(entity.step(ANN, 's1'))).otherSessions, 0);
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'released');
    });

    it('other ⇒ held, with their record and remaining ms, and nothing is published', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      const result = await kit.store.claim(entity.step(BOB, 's1'));
      assert.equal(result.outcome, 'held');
      assert.equal(result.lock?.holderOid, ANN.oid);
      assert.equal(result.lock.holderName, ANN.name);
      assert.equal(result.lock.expiresInMs > LONG_MS - 10_000 && result.lock.expiresInMs <= LONG_MS, true);
      assert.equal(result.otherSessions, 0);
      assert.deepEqual(operations(await kit.changesOf(entity)), ['Acquired']);
    });

    it('other, after the lease ⇒ acquired without any message of its end', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      const result = await kit.store.claim(entity.step(BOB, 's1'));
      assert.equal(result.outcome, 'acquired');
      assert.deepEqual(operations(await kit.changesOf(entity)), ['Acquired', 'Acquired']);
    });

    it('another holder’s claim deletes the last one’s sessions', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      await kit.store.claim(entity.step(BOB, 's2', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      const back = await kit.store.claim(entity.step(ANN, 's3'));
      assert.equal(back.outcome, 'acquired');
      assert.equal(back.otherSessions, 0);
      assert.equal((await kit.store.renew(entity.step(ANN, 's1'))).outcome, 'lost');
    });

    it('without a session id, the session is "" like any other', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, ''));
      assert.equal((await kit.store.renew(entity.step(ANN, ''))).outcome, 'acquired');
      assert.equal((await kit.store.claim(entity.step(ANN, 's1'))).otherSessions, 1);
      assert.equal((await kit.store.release(entity.release(ANN, ''))).outcome, 'kept');
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'released');
    });

    it('200 parallel claims of one free entity: one acquired, 199 held, all naming the same winner (F22)', async () => {
      const entity = kit.entity();
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          kit.store.claim(entity.step({ oid: `user-${at}`, name: `User ${at}` }, 's')),
        ),
      );
      const winners = results.filter(({ outcome }) => outcome === 'acquired');
      assert.equal(winners.length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === 'held').length, 199);
      assert.deepEqual(
        [...new Set(results.map(({ lock }) => lock?.holderOid))],
        [winners[0]?.lock?.holderOid],
      );
    });

    it('every key that any sequence of verbs leaves behind goes by itself (F3)', async () => {
      const random = lcg(20_260_731);
      const entities = Array.from({ length: 6 }, () => kit.entity('Random'));
      const holders = [ANN, BOB];
      for (let at = 0; at < 300; at += 1) {
        const entity = pick(entities, random);
        const holder = pick(holders, random);
        const session = pick(['s1', 's2', 's3'], random);
        const leaseMs = pick([5, 50, LONG_MS], random);
        const step = entity.step(holder, session, { leaseMs, fence: Date.now() - 1_000 });
        await pick(
          [
            () => kit.store.claim(step),
            () => kit.store.renew(step),
            () =>
              kit.store.release(
                entity.release(holder, pick([session, null], random), pick([0, 5_000], random)),
              ),
            () => kit.store.takeOver({ ...step, fromHolderOid: pick(holders, random).oid }),
          ],
          random,
        )();
      }
      const lifetimes = await kit.lifetimesMs();
      assert.equal(lifetimes.length > 0, true);
      assert.ok(Math.min(...lifetimes) > 0, `the shortest lifetime is ${Math.min(...lifetimes)}`);
    });
  });
}

function operations(changes: readonly { readonly operation: string }[]): readonly string[] {
  return changes.map(({ operation }) => operation);
}

/** Repeatable pseudo-random numbers from 0 to 1 (the linear congruence of Numerical Recipes). */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
