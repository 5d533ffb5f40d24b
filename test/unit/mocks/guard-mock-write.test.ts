import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntityChange } from '../../../core/index.ts';
import {
  guardMockWrite,
  type MockBackend,
  type MockUser,
  type MockWriteOptions,
} from '../../../mocks/index.ts';
import { ANNA, BEN, EVE, ROBOT, requestOf, send, withMockServer } from './mock-server.ts';

const RECORD = { type: 'Order', uid: '1' };
const CLAIM = '/api/locks/Order/1/claim';

function write(
  backend: MockBackend,
  user: MockUser | null,
  options: Partial<MockWriteOptions> = {},
  { method = 'PUT', fence }: { method?: string; fence?: string } = {},
) {
  const headers = fence === undefined ? {} : { headers: { 'Lock-Fence': fence } };
  return guardMockWrite(backend, requestOf(user, '/api/orders/1', { method, ...headers }), {
    ...RECORD,
    ...options,
  });
}

async function refusal(guard: Promise<{ problem: Response | null }>) {
  const { problem } = await guard;
  if (problem === null) return assert.fail('the write was let through');
  return {
    status: problem.status,
    contentType: problem.headers.get('content-type'),
    body: (await problem.json()) as Record<string, unknown>,
  };
}

/** The operations that were published, from now on. */
function changesOf(backend: MockBackend): EntityChange[] {
  const changes: EntityChange[] = [];
  backend.feed.onChange((_tenant, change) => changes.push(change));
  return changes;
}

describe('guardMockWrite', () => {
  it('lets a write to a free record go ahead, and to one’s own', async () => {
    await withMockServer({}, async (backend) => {
      assert.equal((await write(backend, BEN)).problem, null);
      await send(ANNA, 'POST', CLAIM);
      assert.equal((await write(backend, ANNA)).problem, null);
    });
  });

  it('answers 409 with the lock where somebody else holds it', async () => {
    await withMockServer({}, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      const { status, contentType, body } = await refusal(write(backend, BEN));
      assert.equal(status, 409);
      assert.equal(contentType, 'application/problem+json');
      assert.equal(body['code'], 'entity-locked');
      assert.equal((body['lock'] as { holderName: string }).holderName, 'Anna');
      assert.equal((await write(backend, EVE)).problem, null, 'another tenant’s record is another record');
    });
  });

  it('answers 409 to a fence that was overtaken, and 400 to a header that is none', async () => {
    await withMockServer({}, async (backend) => {
      const { body } = await send(ANNA, 'POST', CLAIM);
      const { fence } = body?.['lock'] as { fence: number };
      assert.equal((await write(backend, ANNA, {}, { fence: String(fence) })).problem, null);
      const stale = await refusal(write(backend, ANNA, {}, { fence: String(fence - 1) }));
      assert.equal(stale.body['code'], 'stale-fence');
      const broken = await refusal(write(backend, ANNA, {}, { fence: 'x' }));
      assert.deepEqual([broken.status, broken.body['field']], [400, 'Lock-Fence']);
    });
  });

  it('answers 401 to nobody, and 400 to a type that nobody marked', async () => {
    await withMockServer({}, async (backend) => {
      assert.equal((await refusal(write(backend, null))).status, 401);
      const { body } = await refusal(write(backend, ANNA, { type: 'Customer' }));
      assert.equal(body['code'], 'type-not-lockable');
    });
  });

  it('lets every write go ahead while the store is unavailable', async () => {
    await withMockServer({}, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      backend.setFailure('unavailable');
      const { problem, afterWrite } = await write(backend, BEN, { releaseAfter: true });
      assert.equal(problem, null);
      await afterWrite();
    });
  });

  it('publishes what was done and by whom, as a change of data', async () => {
    await withMockServer({}, async (backend) => {
      const changes = changesOf(backend);
      await (await write(backend, ANNA)).afterWrite();
      await (await write(backend, ANNA, {}, { method: 'DELETE' })).afterWrite();
      await (await write(backend, ANNA, { operation: 'Approved' })).afterWrite();
      await (await write(backend, ANNA, { publishChange: false })).afterWrite();
      assert.deepEqual(
        changes.map(({ operation }) => operation),
        ['Updated', 'Deleted', 'Approved'],
      );
      const [first] = changes;
      assert.deepEqual(first, {
        entityType: 'Order',
        entityUid: '1',
        operation: 'Updated',
        by: { oid: 'anna', name: 'Anna', kind: 'user' },
        at: first?.at,
      });
    });
  });

  it('lets go of all the caller’s sessions after a final decision, the change of data first', async () => {
    await withMockServer({}, async (backend) => {
      for (const sessionId of ['a', 'b']) {
        await send(ANNA, 'POST', CLAIM, { body: JSON.stringify({ sessionId }) });
      }
      const changes = changesOf(backend);
      const { afterWrite } = await write(backend, ANNA, { operation: 'Approved', releaseAfter: true });
      await afterWrite(new Response(null, { status: 204 }));
      assert.deepEqual(
        changes.map(({ operation }) => operation),
        ['Approved', 'Released'],
      );
    });
  });

  it('does nothing after a write that failed or was refused', async () => {
    await withMockServer({}, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      const changes = changesOf(backend);
      const allowed = await write(backend, ANNA, { releaseAfter: true });
      await allowed.afterWrite(new Response(null, { status: 422 }));
      const refused = await write(backend, BEN, { releaseAfter: true });
      await refused.afterWrite();
      assert.deepEqual(changes, []);
    });
  });

  it('lets automation write to a record that a person holds, tells the person, and leaves the lock', async () => {
    await withMockServer({}, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      const changes = changesOf(backend);
      const { problem, afterWrite } = await write(backend, ROBOT, { releaseAfter: true });
      assert.equal(problem, null);
      await afterWrite();
      assert.deepEqual(
        changes.map((change) => [change.operation, 'by' in change && change.by.kind]),
        [['Updated', 'automation']],
      );
      assert.equal((await write(backend, BEN)).problem?.status, 409);
    });
  });

  it('leaves the lock of a person in whose name automation writes', async () => {
    const job: MockUser = { ...ANNA, token: 'anna-job', kind: 'automation' };
    await withMockServer({ users: [ANNA, job] }, async (backend) => {
      await send(ANNA, 'POST', CLAIM);
      const { afterWrite } = await write(backend, job, { releaseAfter: true });
      await afterWrite();
      const { body } = await send(ANNA, 'GET', '/api/locks/Order/1');
      assert.equal((body?.['locks'] as unknown[]).length, 1);
    });
  });
});
