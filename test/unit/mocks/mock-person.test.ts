import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntityChange } from '../../../core/index.ts';
import type { MockBackend, MockFailure } from '../../../mocks/index.ts';
import { ANNA, BEN, EVE, ROBOT, send, withMockServer } from './mock-server.ts';

const ORDER = { entityType: 'Order', entityUid: '1' };
const CLAIM = '/api/locks/Order/1/claim';

const outcome = async (user: typeof ANNA, url = CLAIM): Promise<unknown> =>
  (await send(user, 'POST', url)).body?.['outcome'];
const heardBy = (backend: MockBackend): EntityChange[] => {
  const heard: EntityChange[] = [];
  backend.feed.onChange((_, change) => heard.push(change));
  return heard;
};

describe('a person at another desk', () => {
  it('holds a record until it is released, whatever the network of the page does', async () => {
    await withMockServer({ fail: 'network', latencyMs: 60_000 }, async (backend) => {
      const lock = await backend.as(BEN).claim(ORDER);
      assert.deepEqual([lock.holderOid, lock.holderName], ['ben', 'Ben']);
      await assert.rejects(backend.as(ANNA).claim(ORDER), /^Error: Anna cannot have Order 1: Ben has it\.$/);
      await backend.as(BEN).release(ORDER);
      assert.equal((await backend.as(ANNA).claim(ORDER)).holderOid, 'anna');
    });
  });

  it('leaves alone what the same person has open in the page', async () => {
    await withMockServer({}, async (backend) => {
      await send(BEN, 'POST', CLAIM, { body: JSON.stringify({ sessionId: 'form' }) });
      await backend.as(BEN).claim(ORDER);
      await backend.as(BEN).release(ORDER);
      assert.equal(await outcome(ANNA), 'held');
    });
  });

  it('takes over from whoever has the record, and from nobody', async () => {
    await withMockServer({}, async (backend) => {
      await outcome(ANNA);
      assert.equal((await backend.as(BEN).takeOver(ORDER)).holderOid, 'ben');
      assert.equal(await outcome(ANNA), 'held');
      await backend.as(BEN).release(ORDER);
      assert.equal((await backend.as(BEN).takeOver(ORDER)).holderOid, 'ben');
    });
  });

  it('takes over only where the type allows it, and claims only as a user', async () => {
    await withMockServer({ order: { canTakeOver: () => false } }, async (backend) => {
      await outcome(ANNA);
      await assert.rejects(backend.as(BEN).takeOver(ORDER), { code: 'take-over-denied' });
      await assert.rejects(backend.as(ROBOT).claim(ORDER), { code: 'automation-cannot-claim' });
    });
  });

  it('says so when the store is made to fail', async () => {
    await withMockServer({ fail: 'unavailable' }, async (backend) => {
      await assert.rejects(backend.as(BEN).claim(ORDER), /Ben cannot have Order 1: the answer is unknown/);
    });
  });

  it('tells of a change in its own name, without its token', async () => {
    await withMockServer({}, async (backend) => {
      const heard = heardBy(backend);
      await backend.as(BEN).publish(ORDER);
      await backend.as(BEN).publish(ORDER, 'Deleted');
      const by = { oid: 'ben', name: 'Ben', kind: 'user' };
      assert.deepEqual(
        heard.map(({ at: _at, ...change }) => change),
        ['Updated', 'Deleted'].map((operation) => ({ ...ORDER, operation, by })),
      );
    });
  });

  it('is one of the backend’s users', async () => {
    await withMockServer({}, async (backend) => {
      assert.throws(() => backend.as({ ...BEN, token: 'other' }), /one of the backend's users, got Ben/);
    });
  });
});

describe('a mock backend that is reset', () => {
  it('has no lock of any user left, and says so to those who listen', async () => {
    await withMockServer({}, async (backend) => {
      await backend.as(EVE).claim(ORDER);
      // More than one page of the store's list.
      for (let uid = 0; uid < 1_001; uid += 1) {
        const ref = { entityType: 'Order', entityUid: `B-${uid}` };
        await backend.store.claim({ tenant: 'acme', ref, holder: BEN, sessionId: 's', leaseMs: 300_000 });
      }
      await send(ANNA, 'POST', CLAIM, { body: JSON.stringify({ sessionId: 'one' }) });
      await send(ANNA, 'POST', CLAIM, { body: JSON.stringify({ sessionId: 'two' }) });
      const heard = heardBy(backend);
      await backend.reset();
      assert.equal(heard.filter(({ operation }) => operation === 'Released').length, 1_003);
      for (const user of [ANNA, EVE])
        assert.deepEqual((await send(user, 'GET', '/api/locks/Order')).body?.['locks'], []);
    });
  });

  it('fails as it did at first, or not at all, and what hung is over', async () => {
    let failure: MockFailure | null = 'hang';
    let hangs = () => {};
    const arrived = new Promise<void>((resolve) => (hangs = resolve));
    const fail = () => {
      hangs();
      return failure;
    };
    await withMockServer({ fail }, async (backend) => {
      const claim = send(ANNA, 'POST', CLAIM);
      await arrived;
      await new Promise(setImmediate);
      failure = null;
      await Promise.all([backend.reset(), assert.rejects(claim, TypeError)]);
      assert.equal(await outcome(ANNA), 'acquired');
    });
    await withMockServer({ fail: 'error' }, async (backend) => {
      backend.setFailure(null);
      assert.equal((await send(ANNA, 'POST', CLAIM)).status, 200);
      await backend.reset();
      assert.equal((await send(ANNA, 'POST', CLAIM)).status, 503);
    });
  });

  it('stays stopped once it was stopped', async () => {
    await withMockServer({}, async (backend) => {
      backend.stop();
      await backend.reset();
      const url = '/hubs/entity-changes/negotiate?negotiateVersion=1';
      assert.equal((await send(ANNA, 'POST', url)).status, 503);
    });
  });
});
