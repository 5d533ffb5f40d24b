import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError } from '../../core/index.ts';
import { ANN, BOB, LONG_MS, SHORT_MS, entityOf, type ContractKit } from './contract-kit.ts';

/** Section 4: reading. */
export function readingContract(kit: ContractKit): void {
  const pageThrough = async (entityType: string, limit: number) => {
    const uids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await kit.store.list(kit.tenant, entityType, {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      assert.equal(page.locks.length <= limit, true);
      assert.ok(uids.length <= 1_000, 'the pages never end');
      uids.push(...page.locks.map(({ entityUid }) => entityUid));
      cursor = page.next;
    } while (cursor !== undefined);
    return uids;
  };

  describe('reading', () => {
    it('an entity ⇒ its lock with what is left of it, its fence and the moment', async () => {
      const entity = kit.entity();
      const { lock } = await kit.store.claim(entity.step(ANN, 's1'));
      const snapshot = await kit.store.read(entity.target);
      assert.equal(snapshot.lock?.holderOid, ANN.oid);
      assert.equal(snapshot.fence, lock?.fence);
      assert.equal(snapshot.lock.fence, lock?.fence);
      assert.equal(snapshot.lock.at, snapshot.asOf);
      assert.equal(snapshot.asOf > (lock?.at ?? Infinity), true);
      assert.equal(
        snapshot.lock.expiresInMs <= LONG_MS && snapshot.lock.expiresInMs > LONG_MS - 10_000,
        true,
      );
    });

    it('many entities ⇒ each as read alone, in their order, all of one moment', async () => {
      const [held, free, ended, named] = [
        kit.entity(),
        kit.entity(),
        kit.entity(),
        kit.entity('Étage {7}:x'),
      ];
      await kit.store.claim(held.step(ANN, 's1'));
      await kit.store.claim(named.step(BOB, 's1'));
      await kit.store.claim(ended.step(BOB, 's1'));
      await kit.store.release(ended.release(BOB, 's1'));
      const entities = [named, free, held, ended, held];
      const all = await kit.store.readMany(
        kit.tenant,
        entities.map(({ target }) => target.ref),
      );
      assert.deepEqual(
        all.map(({ lock }) => lock?.holderOid ?? null),
        [BOB.oid, null, ANN.oid, null, ANN.oid],
      );
      assert.equal(new Set(all.map(({ asOf }) => asOf)).size, 1);
      for (const [at, { target }] of entities.entries()) {
        const { lock, fence } = await kit.store.read(target);
        assert.deepEqual([all[at]?.fence, all[at]?.lock?.entityUid], [fence, lock?.entityUid]);
      }
      assert.deepEqual(await kit.store.readMany(kit.tenant, []), []);
      const elsewhere = await kit.store.readMany(kit.otherTenant, [held.target.ref]);
      assert.equal(elsewhere[0]?.lock, null);
    });

    it('writes nothing', async () => {
      const before = (await kit.lifetimesMs()).length;
      await kit.store.read(kit.entity('Untouched').target);
      await kit.store.readMany(kit.tenant, [kit.entity('Untouched').target.ref]);
      await kit.store.list(kit.tenant, 'Untouched', { limit: 10 });
      await kit.store.listHeldBy(kit.tenant, ['Untouched', 'NeverSeen'], ANN.oid);
      assert.equal((await kit.lifetimesMs()).length <= before, true);
    });

    it('a list has the live locks of one type, those that end first in front', async () => {
      const [late, early, other, gone] = [
        kit.entity('Listed'),
        kit.entity('Listed'),
        kit.entity('Unlisted'),
        kit.entity('Listed'),
      ];
      await kit.store.claim(late.step(ANN, 's1'));
      await kit.store.claim(early.step(BOB, 's1', { leaseMs: LONG_MS / 2 }));
      await kit.store.claim(other.step(BOB, 's1'));
      await kit.store.claim(gone.step(ANN, 's1'));
      await kit.store.release(gone.release(ANN, 's1'));
      const page = await kit.store.list(kit.tenant, 'Listed', { limit: 10 });
      assert.deepEqual(
        page.locks.map(({ entityUid, holderOid, at }) => [entityUid, holderOid, at]),
        [
          [early.target.ref.entityUid, BOB.oid, page.asOf],
          [late.target.ref.entityUid, ANN.oid, page.asOf],
        ],
      );
      assert.equal(page.locks[0]?.fence, (await kit.store.read(early.target)).fence);
      assert.equal(page.next, undefined);
    });

    it('a list forgets a lock when its lease ends', async () => {
      const entity = kit.entity('Lapsing');
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(entity);
      assert.deepEqual((await kit.store.list(kit.tenant, 'Lapsing', { limit: 10 })).locks, []);
    });

    it('a list follows a renewal', async () => {
      const entity = kit.entity('Renewing');
      await kit.store.claim(entity.step(ANN, 's1', { leaseMs: LONG_MS / 2 }));
      await kit.store.renew(entity.step(ANN, 's1'));
      const { locks } = await kit.store.list(kit.tenant, 'Renewing', { limit: 10 });
      assert.equal(locks.length, 1);
      assert.equal((locks[0]?.expiresInMs ?? 0) > LONG_MS - 10_000, true);
    });

    it('a short lease never takes a long one out of the list', async () => {
      const [long, short] = [kit.entity('Mixed'), kit.entity('Mixed')];
      await kit.store.claim(long.step(ANN, 's1'));
      await kit.store.claim(short.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(short);
      const { locks } = await kit.store.list(kit.tenant, 'Mixed', { limit: 10 });
      assert.deepEqual(
        locks.map(({ entityUid }) => entityUid),
        [long.target.ref.entityUid],
      );
    });

    it('pages go on behind a cursor and lose nothing, also where leases end in the same millisecond', async () => {
      const entities = Array.from({ length: 60 }, () => kit.entity('Paged'));
      await Promise.all(entities.map((entity) => kit.store.claim(entity.step(ANN, 's1'))));
      const expected = entities.map(({ target }) => target.ref.entityUid).sort();
      for (const limit of [1, 7, 60, 1_000]) {
        assert.deepEqual([...(await pageThrough('Paged', limit))].sort(), expected, `limit ${limit}`);
      }
    });

    it('pages: what ends meanwhile is missing, what stays is not', async () => {
      const entities = Array.from({ length: 5 }, () => kit.entity('Shrinking'));
      for (const [at, entity] of entities.entries()) {
        await kit.store.claim(entity.step(ANN, 's1', { leaseMs: LONG_MS + at * 1_000 }));
      }
      const first = await kit.store.list(kit.tenant, 'Shrinking', { limit: 2 });
      for (const at of [1, 3]) await kit.store.release((entities[at] ?? kit.entity()).release(ANN, 's1'));
      const rest = await kit.store.list(kit.tenant, 'Shrinking', { limit: 10, cursor: first.next ?? '' });
      const uid = (at: number) => entities[at]?.target.ref.entityUid;
      assert.deepEqual(
        rest.locks.map(({ entityUid }) => entityUid),
        [uid(2), uid(4)],
      );
      assert.equal(rest.next, undefined);
    });

    it('a cursor that was never given out is a bad request', async () => {
      await assert.rejects(
        async () => kit.store.list(kit.tenant, 'Paged', { limit: 10, cursor: 'nonsense' }),
        (error: unknown) =>
          error instanceof LockError && error.code === 'bad-request' && error.details.field === 'cursor',
      );
    });

    it('"mine" has all live locks of one holder among these types, and nobody else’s', async () => {
      const mine = [kit.entity('MineA'), kit.entity('MineB')];
      const [bobs, unasked, lapsing] = [kit.entity('MineA'), kit.entity('MineC'), kit.entity('MineA')];
      for (const entity of [...mine, unasked]) await kit.store.claim(entity.step(ANN, 's1'));
      await kit.store.claim(bobs.step(BOB, 's1'));
      await kit.store.claim(lapsing.step(ANN, 's1', { leaseMs: SHORT_MS }));
      await kit.lapse(lapsing);
      const { locks, asOf, next } = await kit.store.listHeldBy(kit.tenant, ['MineA', 'MineB'], ANN.oid);
      assert.deepEqual(
        locks.map(({ entityUid }) => entityUid).sort(),
        mine.map(({ target }) => target.ref.entityUid).sort(),
      );
      assert.equal(asOf > 0, true);
      assert.equal(next, undefined);
    });

    it('"mine" goes through all pages', async () => {
      const step = (at: number) => entityOf(kit.tenant, 'Many', `m-${at}`).step(ANN, 's1');
      // Some at a time: all at once is more than a busy machine answers within a store's patience.
      for (let from = 0; from < 1_100; from += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, at) => kit.store.claim(step(from + at))));
      }
      const { locks } = await kit.store.listHeldBy(kit.tenant, ['Many'], ANN.oid);
      assert.equal(new Set(locks.map(({ entityUid }) => entityUid)).size, 1_100);
      assert.equal(locks.length, 1_100);
    });

    it('"mine" of no types is empty', async () => {
      assert.deepEqual((await kit.store.listHeldBy(kit.tenant, [], ANN.oid)).locks, []);
    });
  });
}
