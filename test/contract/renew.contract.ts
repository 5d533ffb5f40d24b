import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, DAY_MS, LONG_MS, SHORT_MS, type ContractKit, type Entity } from './contract-kit.ts';

/** Section 5: renew, and section 4: a missing fence. */
export function renewContract(kit: ContractKit): void {
  /** Ann's lock, run out. Answers her fence. */
  const lapsed = async (entity: Entity, ...sessions: readonly string[]): Promise<number> => {
    let fence = 0;
    for (const session of sessions) {
      const { lock } = await kit.store.claim(entity.step(ANN, session, { leaseMs: SHORT_MS }));
      fence = lock?.fence ?? 0;
    }
    await kit.lapse(entity);
    return fence;
  };

  describe('renew', () => {
    it('extends the lease of a listed session, and Renewed is published', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: LONG_MS / 2 }));
      const result = await kit.store.renew(entity.step(ANN, 's1'));
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.lock?.expiresInMs, LONG_MS);
      const changes = await kit.changesOf(entity);
      assert.deepEqual(
        changes.map(({ operation }) => operation),
        ['Acquired', 'Renewed'],
      );
      assert.deepEqual(changes[1]?.lock, result.lock);
    });

    it('says how many other sessions the holder has', async () => {
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(entity.step(ANN, 's2'));
      assert.equal((await kit.store.renew(entity.step(ANN, 's1'))).otherSessions, 1);
    });

    it('never adds a session to a live lock: lost, nothing changes, nothing is published', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: LONG_MS / 2 }));
      const result = await kit.store.renew(entity.step(ANN, 's2', { fence: first.lock?.fence ?? 0 }));
      assert.equal(result.outcome, 'lost');
      assert.equal(result.lock?.holderOid, ANN.oid);
      assert.equal(result.changed, false);
      assert.equal(result.lock.expiresInMs <= LONG_MS / 2, true);
      assert.equal((await kit.changesOf(entity)).length, 1);
      assert.equal((await kit.store.release(entity.release(ANN, 's1'))).outcome, 'released');
    });

    it('held by somebody else ⇒ held, with their lock', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.takeOver({ ...entity.step(BOB, 's1'), fromHolderOid: ANN.oid });
      const result = await kit.store.renew(entity.step(ANN, 's1', { fence: first.lock?.fence ?? 0 }));
      assert.equal(result.outcome, 'held');
      assert.equal(result.lock?.holderOid, BOB.oid);
      assert.equal(result.changed, true);
    });

    it('a lapsed lock resumes where the session is listed and the fence is the caller’s; Acquired is published', async () => {
      const entity = kit.entity();
      const fence = await lapsed(entity, 's1');
      const result = await kit.store.renew(entity.step(ANN, 's1', { fence }));
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.changed, false);
      assert.equal(result.lock?.fence, fence);
      const changes = await kit.changesOf(entity);
      assert.deepEqual(
        changes.map(({ operation }) => operation),
        ['Acquired', 'Acquired'],
      );
    });

    it('lapsed sessions stay listed until another holder comes: a sleeping tab resumes beside a waking one', async () => {
      const entity = kit.entity();
      const fence = await lapsed(entity, 's1', 's2');
      assert.equal((await kit.store.renew(entity.step(ANN, 's1', { fence }))).outcome, 'acquired');
      const second = await kit.store.renew(entity.step(ANN, 's2', { fence }));
      assert.equal(second.outcome, 'acquired');
      assert.equal(second.otherSessions, 1);
    });

    it('a lapsed lock is lost to a caller without a fence, or with another one', async () => {
      const entity = kit.entity();
      const fence = await lapsed(entity, 's1');
      for (const step of [entity.step(ANN, 's1'), entity.step(ANN, 's1', { fence: fence - 1 })]) {
        const result = await kit.store.renew(step);
        assert.equal(result.outcome, 'lost');
        assert.equal(result.lock, null);
      }
      assert.equal((await kit.changesOf(entity)).length, 1);
    });

    it('a lapsed lock is lost to a session that is not listed, and to another holder with the same fence', async () => {
      const entity = kit.entity();
      const fence = await lapsed(entity, 's1');
      assert.equal((await kit.store.renew(entity.step(ANN, 's2', { fence }))).outcome, 'lost');
      assert.equal((await kit.store.renew(entity.step(BOB, 's1', { fence }))).outcome, 'lost');
    });

    it('after a release it never brings the lock back', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1'));
      const result = await kit.store.renew(entity.step(ANN, 's1', { fence: lock?.fence ?? 0 }));
      assert.equal(result.outcome, 'lost');
      assert.equal((await kit.store.read(entity.target)).lock, null);
    });

    it('a lapsed lock that somebody else held in between is never silently resumed (F27)', async () => {
      const entity = kit.entity();
      const fence = await lapsed(entity, 's1');
      await kit.store.claim(entity.step(BOB, 's1'));
      await kit.store.release(entity.release(BOB, 's1'));
      const result = await kit.store.renew(entity.step(ANN, 's1', { fence }));
      assert.equal(result.outcome, 'lost');
      assert.equal(result.lock, null);
      assert.equal(result.changed, true);
    });

    it('the store lost its fence ⇒ resumes, adopts the caller’s, changed is null', async () => {
      const entity = kit.entity();
      const fence = Date.now() - 60_000;
      const result = await kit.store.renew(entity.step(ANN, 's1', { fence }));
      assert.equal(result.outcome, 'acquired');
      assert.equal(result.changed, null);
      assert.equal(result.lock?.fence, fence);
      assert.equal((await kit.store.read(entity.target)).fence, fence);
      const [change] = await kit.changesOf(entity);
      assert.equal(change?.operation, 'Acquired');
      assert.equal(change.fence, fence);
    });

    it('the store lost its fence ⇒ the holder’s second tab is not told that anything changed', async () => {
      const entity = kit.entity();
      const fence = Date.now() - 60_000;
      await kit.store.renew(entity.step(ANN, 's1', { fence }));
      const second = await kit.store.renew(entity.step(ANN, 's2', { fence }));
      assert.equal(second.outcome, 'lost');
      assert.equal(second.changed, false);
      const again = await kit.store.claim(entity.step(ANN, 's2', { fence }));
      assert.equal(again.outcome, 'acquired');
      assert.equal(again.changed, false);
    });

    it('no fence and the caller’s is older than one lives ⇒ lost, changed', async () => {
      const result = await kit.store.renew(
        kit.entity().step(ANN, 's1', { fence: Date.now() - DAY_MS - 60_000 }),
      );
      assert.equal(result.outcome, 'lost');
      assert.equal(result.changed, true);
    });

    it('no fence and the caller’s is from the future ⇒ lost: it was never given out', async () => {
      const result = await kit.store.renew(kit.entity().step(ANN, 's1', { fence: Date.now() + DAY_MS }));
      assert.equal(result.outcome, 'lost');
    });
  });
}
