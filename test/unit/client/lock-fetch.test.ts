import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLockClient, lockFetch } from '../../../components/client/index.ts';
import { FakeBackend, FakeTransport, REF, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

/** What a request would have sent. */
async function sent(
  run: () => Promise<Response>,
): Promise<{ readonly url: string; readonly headers: object }> {
  const original = globalThis.fetch;
  let request: Request | undefined;
  globalThis.fetch = (input, init) => {
    request = new Request(input, init);
    return Promise.resolve(new Response());
  };
  try {
    await run();
  } finally {
    globalThis.fetch = original;
  }
  return { url: request?.url ?? '', headers: Object.fromEntries(request?.headers ?? []) };
}

function world() {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const client = createLockClient({ transport: new FakeTransport(backend, person('anna')) }, page);
  return { page, backend, client };
}

const SAVE = 'http://test/requests/42';

test('a write names the fence of this page’s lock, and keeps its own headers', async () => {
  const { client } = world();
  const { lease } = client.openLease(REF);
  await lease.claim();
  assert.equal(lease.view.state, 'mine');
  assert.equal(client.fence(REF), lease.fence);
  const init = { method: 'PUT', headers: { authorization: 'Bearer t' } };
  const { url, headers } = await sent(() => lockFetch(REF, SAVE, init, client));
  assert.equal(url, SAVE);
  assert.deepEqual(headers, { authorization: 'Bearer t', 'lock-fence': String(lease.fence) });
});

test('a Request keeps its headers, too, and any spelling of the record is the record', async () => {
  const { client } = world();
  await client.openLease(REF).lease.claim();
  const request = new Request(SAVE, { method: 'PUT', headers: { 'if-match': '"7"' } });
  const { headers } = await sent(() => lockFetch({ ...REF, entityUid: '42' }, request, {}, client));
  assert.deepEqual(headers, { 'if-match': '"7"', 'lock-fence': String(client.fence(REF)) });
});

test('without a claim there is no fence, and the request is plain fetch’s', async () => {
  const { client } = world();
  assert.equal(client.fence(REF), 0);
  const { headers } = await sent(() => lockFetch(REF, SAVE, { method: 'PUT' }, client));
  assert.deepEqual(headers, {});
});

test('a form that lost its lock still names its own fence, so that the server refuses its write', async () => {
  const { client, backend } = world();
  const { lease } = client.openLease(REF);
  await lease.claim();
  const own = lease.fence;
  await backend.service.takeOver(person('bob'), REF, { sessionId: 'b', fromHolderOid: 'anna' });
  await settle();
  assert.equal(client.fence(REF), own);
  const refusal = await backend.service.checkWrite(person('anna'), REF, client.fence(REF));
  assert.equal(refusal?.code, 'entity-locked');
  await backend.service.release(person('bob'), REF, { sessionId: 'b' });
  const stale = await backend.service.checkWrite(person('anna'), REF, own);
  assert.equal(stale?.code, 'stale-fence');
});
