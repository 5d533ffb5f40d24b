import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { until } from '../support/until.ts';
import { ANN, BOB, EVE, entityOf, type ContractKit } from './contract-kit.ts';

/** Section 5: changes leave in commit order. Section 9: what they carry, and whom they reach. */
export function changesContract(kit: ContractKit): void {
  describe('changes', () => {
    it('leave in commit order: fence and at strictly increase, and the last one is the state', async () => {
      const entity = kit.entity();
      const verbs = [ANN, BOB, EVE].map(async (holder) => {
        for (let at = 0; at < 40; at += 1) {
          await kit.store.claim(entity.step(holder, 's'));
          await kit.store.renew(entity.step(holder, 's'));
          const from = [ANN, BOB, EVE][at % 3] ?? ANN;
          await kit.store.takeOver({ ...entity.step(holder, 's'), fromHolderOid: from.oid });
          await kit.store.release(entity.release(holder, 's'));
        }
      });
      await Promise.all(verbs);
      const changes = await kit.changesOf(entity);
      assert.equal(changes.length > 100, true);
      for (const [at, change] of changes.entries()) {
        const before = changes[at - 1];
        assert.ok(before === undefined || change.fence >= before.fence, `fence fell at change ${at}`);
        assert.ok(before === undefined || change.at > before.at, `at did not grow at change ${at}`);
        assert.equal(change.lock.fence, change.fence);
        assert.equal(change.lock.at, change.at);
      }
      const { lock } = await kit.store.read(entity.target);
      assert.equal(changes.at(-1)?.operation === 'Released', lock === null);
    });

    it('a step that does nothing publishes nothing', async () => {
      const entity = kit.entity();
      await kit.store.renew(entity.step(ANN, 's1'));
      await kit.store.release(entity.release(ANN, 's1'));
      assert.deepEqual(await kit.changesOf(entity), []);
    });

    it('the application’s own change reaches listeners with its author and the moment', async () => {
      const recorder = await ChangeRecorder.start(kit.feed, kit.tenant);
      const by = { oid: 'ann', name: 'Ann Lee', kind: 'user' } as const;
      await kit.feed.publish(kit.tenant, {
        entityType: 'Doc',
        entityUid: '7 / {x}',
        operation: 'Archived',
        by,
      });
      const heard = await until('the change', () =>
        recorder.changes(kit.tenant).find(({ operation }) => operation === 'Archived'),
      );
      recorder.stop();
      assert.deepEqual(
        { ...heard, at: 0 },
        { entityType: 'Doc', entityUid: '7 / {x}', operation: 'Archived', by, at: 0 },
      );
      assert.equal(Math.abs(heard.at / 1_000 - Date.now()) < 5_000, true);
    });

    it('data changes and lock changes keep the order in which they were made', async () => {
      const recorder = await ChangeRecorder.start(kit.feed, kit.tenant);
      const entity = kit.entity();
      await kit.store.claim(entity.step(ANN, 's1'));
      await kit.feed.publish(kit.tenant, { ...entity.target.ref, operation: 'Updated' });
      await kit.store.release(entity.release(ANN, 's1'));
      await kit.changesOf(entity);
      const heard = recorder.changes(kit.tenant).map(({ operation }) => operation);
      recorder.stop();
      assert.deepEqual(heard, ['Acquired', 'Updated', 'Released']);
    });

    it('stay in their tenant (F33)', async () => {
      const recorder = await ChangeRecorder.start(kit.feed, kit.tenant, kit.otherTenant);
      const theirs = entityOf(kit.otherTenant, 'Doc', 'secret');
      await kit.store.claim(theirs.step(ANN, 's1'));
      await kit.changesOf(theirs);
      await kit.changesOf(kit.entity());
      const [ours, other] = [recorder.changes(kit.tenant), recorder.changes(kit.otherTenant)];
      recorder.stop();
      assert.deepEqual(ours, []);
      assert.deepEqual(
        other.map(({ entityUid }) => entityUid),
        ['secret'],
      );
    });
  });
}
