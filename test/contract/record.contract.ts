import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, LONG_MS, SHORT_MS, entityOf, type ContractKit } from './contract-kit.ts';

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Section 4: the record, and the names under which it is kept. */
export function recordContract(kit: ContractKit): void {
  describe('the record', () => {
    it('has exactly six camelCase fields in this order, and then what the clock says of it', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      assert.deepEqual(Object.keys(lock ?? {}), [
        'entityType',
        'entityUid',
        'holderOid',
        'holderName',
        'acquiredAtUtc',
        'expiresAtUtc',
        'expiresInMs',
        'fence',
        'at',
      ]);
      assert.equal(lock?.entityUid, entity.target.ref.entityUid);
      assert.equal(lock.holderOid, ANN.oid);
      assert.equal(lock.holderName, ANN.name);
    });

    it('has dates in ISO-8601 UTC with Z, and its end is the moment plus what is left', async () => {
      const { lock } = await kit.store.claim(kit.entity().step(ANN, 's1'));
      assert.match(lock?.acquiredAtUtc ?? '', ISO_UTC);
      const endsAtMs = Math.floor((lock?.at ?? 0) / 1_000) + (lock?.expiresInMs ?? 0);
      assert.equal(lock?.expiresAtUtc, new Date(endsAtMs).toISOString());
    });

    it('starts now by the clock of the store', async () => {
      const { lock } = await kit.store.claim(kit.entity().step(ANN, 's1'));
      const driftMs = Math.abs(Date.parse(lock?.acquiredAtUtc ?? '') - (lock?.at ?? 0) / 1_000);
      assert.ok(driftMs < 400, `acquiredAtUtc and at differ by ${driftMs} ms`);
    });

    it('keeps acquiredAtUtc over a renewal', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1'));
      const renewed = await kit.store.renew(entity.step(ANN, 's1', { leaseMs: 2 * LONG_MS }));
      assert.equal(renewed.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
      assert.equal(renewed.lock?.expiresInMs, 2 * LONG_MS);
    });

    it('keeps acquiredAtUtc over a claim by the same holder', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS * 10 }));
      const again = await kit.store.claim(entity.step(ANN, 's2'));
      assert.equal(again.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
      assert.equal(again.lock?.expiresInMs, LONG_MS);
      assert.equal((await kit.store.read(entity.target)).lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
    });

    it('starts anew for the same holder once the lease was over', async () => {
      const entity = kit.entity();
      const first = await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      const again = await kit.store.claim(entity.step(ANN, 's1'));
      assert.notEqual(again.lock?.acquiredAtUtc, first.lock?.acquiredAtUtc);
    });

    it('carries names and ids of any script and sign', async () => {
      const entity = entityOf(kit.tenant, 'ApprovalRequest', 'Größe "1" / {2}:\\3 %7B 数');
      const holder = { oid: 'o "1" {2}:3', name: 'Zoë "Z" O\'Neil \\ 数' };
      await kit.store.claim(entity.step(holder, 's1'));
      const { lock } = await kit.store.read(entity.target);
      assert.equal(lock?.holderName, holder.name);
      assert.equal(lock.holderOid, holder.oid);
      assert.equal((await kit.store.claim(entity.step(holder, 's2'))).outcome, 'acquired');
      const listed = await kit.store.list(kit.tenant, 'ApprovalRequest', { limit: 1_000 });
      assert.equal(
        listed.locks.some(({ entityUid }) => entityUid === entity.target.ref.entityUid),
        true,
      );
    });

    it('belongs to one entity: colons and braces never make two entities one', async () => {
      const entities = [
        entityOf(kit.tenant, 'x:y', 'z'),
        entityOf(kit.tenant, 'x', 'y:z'),
        entityOf(kit.tenant, '{x', 'y}:z'),
        entityOf(kit.tenant, 'x%3Ay', 'z'),
        entityOf('}tenant{', 'x', 'y:z'),
      ];
      for (const [at, entity] of entities.entries()) {
        const result = await kit.store.claim(entity.step({ oid: `holder-${at}`, name: 'H' }, 's1'));
        assert.equal(result.outcome, 'acquired', JSON.stringify(entity.target));
      }
    });

    it('belongs to one tenant: another one’s is neither read, listed nor in the way (F33)', async () => {
      const mine = entityOf(kit.tenant, 'Isolated', 'one');
      const theirs = entityOf(kit.otherTenant, 'Isolated', 'one');
      await kit.store.claim(mine.step(ANN, 's1'));
      assert.equal((await kit.store.read(theirs.target)).lock, null);
      assert.equal((await kit.store.read(theirs.target)).fence, 0);
      assert.deepEqual((await kit.store.list(kit.otherTenant, 'Isolated', { limit: 10 })).locks, []);
      assert.deepEqual((await kit.store.listHeldBy(kit.otherTenant, ['Isolated'], ANN.oid)).locks, []);
      assert.equal((await kit.store.claim(theirs.step(BOB, 's1'))).outcome, 'acquired');
      assert.equal((await kit.store.release(theirs.release(ANN, 's1'))).outcome, 'held');
    });
  });
}
