import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntityChange } from '../../../core/index.ts';
import { RecordedLog } from '../core/recorded-log.ts';
import { ANNA, BEN, EVE, LEFT_ALONE, requestOf, send, withMockServer } from './mock-server.ts';

const CLAIM = '/api/locks/Order/1/claim';
const NEGOTIATE = '/hubs/entity-changes/negotiate?negotiateVersion=1';

describe('a mock backend', () => {
  it('lets its clock be set: a lease ends when that says so', async () => {
    let nowMs = 1_700_000_000_000;
    await withMockServer({ now: () => nowMs }, async () => {
      await send(ANNA, 'POST', CLAIM);
      nowMs += 299_999;
      assert.equal((await send(BEN, 'POST', CLAIM)).body?.['outcome'], 'held');
      nowMs += 1;
      assert.equal((await send(BEN, 'POST', CLAIM)).body?.['outcome'], 'acquired');
    });
  });

  it('says unknown while its store is unavailable, keeps what it had, and warns with a reason', async () => {
    const log = new RecordedLog();
    await withMockServer({ log }, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      backend.setFailure('unavailable');
      assert.equal((await send(BEN, 'POST', CLAIM)).body?.['outcome'], 'unknown');
      assert.equal((await send(BEN, 'DELETE', '/api/locks/Order/1')).body?.['outcome'], 'unknown');
      assert.equal((await send(BEN, 'GET', '/api/locks/Order')).body?.['store'], 'unavailable');
      assert.equal(log.lines.length, 1);
      assert.match(String(log.lines[0]?.reason), /mock backend/);
      backend.setFailure(null);
      assert.equal((await send(BEN, 'POST', CLAIM)).body?.['outcome'], 'held');
    });
  });

  it('knows whose request it is, for the application’s own handlers', async () => {
    await withMockServer({}, async (backend) => {
      assert.deepEqual(backend.principalFor(requestOf(EVE, '/api/orders')), {
        tenant: 'umbrella',
        oid: 'eve',
        name: 'Eve',
        kind: 'user',
      });
      assert.equal(backend.principalFor(requestOf(null, '/api/orders')), null);
    });
  });

  it('publishes the application’s own changes to the tenant', async () => {
    await withMockServer({}, async (backend) => {
      const heard: [string, EntityChange][] = [];
      backend.feed.onChange((tenant, change) => heard.push([tenant, change]));
      await backend.publish('acme', { entityType: 'Order', entityUid: '1', operation: 'Created' });
      assert.deepEqual(
        heard.map(([tenant, { operation }]) => [tenant, operation]),
        [['acme', 'Created']],
      );
    });
  });

  it('negotiates one transport, by a token alone', async () => {
    await withMockServer({}, async () => {
      const { status, body } = await send(ANNA, 'POST', NEGOTIATE);
      assert.equal(status, 200);
      assert.equal(body?.['negotiateVersion'], 1);
      assert.deepEqual(body['availableTransports'], [{ transport: 'WebSockets', transferFormats: ['Text'] }]);
      assert.notEqual(body['connectionId'], body['connectionToken']);
      const nobody = await fetch(requestOf(null, NEGOTIATE, { method: 'POST' }));
      assert.equal(nobody.status, 401);
      assert.equal(nobody.statusText, 'Unauthorized');
      assert.equal(await nobody.text(), '');
    });
  });

  it('negotiates below any sub-path, whatever the case, and only by POST', async () => {
    await withMockServer({}, async () => {
      for (const path of [
        `/app${NEGOTIATE}`,
        `https://hub.example.test${NEGOTIATE}`,
        '/Hubs/Entity-Changes/Negotiate',
      ]) {
        assert.equal((await send(ANNA, 'POST', path)).status, 200, path);
      }
      assert.equal((await send(ANNA, 'GET', NEGOTIATE)).status, LEFT_ALONE);
    });
  });

  it('answers 503 to the hub alone while that is down, and after it stopped', async () => {
    await withMockServer({ fail: 'hub-down' }, async (backend) => {
      assert.equal((await send(ANNA, 'POST', NEGOTIATE)).status, 503);
      assert.equal((await send(ANNA, 'POST', CLAIM)).status, 200);
      backend.setFailure(null);
      assert.equal((await send(ANNA, 'POST', NEGOTIATE)).status, 200);
      backend.stop();
      backend.stop();
      assert.equal((await send(ANNA, 'POST', NEGOTIATE)).status, 503);
    });
  });

  it('ends what hangs when it stops', async () => {
    let hangs = () => {};
    const arrived = new Promise<void>((resolve) => (hangs = resolve));
    const fail = () => {
      hangs();
      return 'hang' as const;
    };
    await withMockServer({ fail }, async (backend) => {
      const claim = send(ANNA, 'POST', CLAIM);
      await arrived;
      await new Promise(setImmediate);
      backend.stop();
      await assert.rejects(claim, TypeError);
    });
  });
});
