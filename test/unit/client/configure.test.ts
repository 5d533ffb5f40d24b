import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import {
  configure,
  createLockClient,
  defaultClient,
  type LockClient,
} from '../../../components/client/index.ts';
import { FakeBackend, FakeTransport, REF, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

const KEY = Symbol.for('rowlock.default-client');
const shared = globalThis as { [KEY]?: LockClient };

afterEach(() => {
  shared[KEY]?.stop();
  Reflect.deleteProperty(shared, KEY);
});

test('importing the client in Node touches no window and makes no client', () => {
  assert.equal(typeof window, 'undefined');
  assert.equal(shared[KEY], undefined);
});

test('R22: the default client is made at first use and shared by every copy of the script', async () => {
  const url: string = new URL('../../../components/client/configure.ts?copy', import.meta.url).href;
  const copy = (await import(url)) as {
    defaultClient(): LockClient;
  };
  assert.notEqual(copy.defaultClient, defaultClient);
  assert.equal(defaultClient(), defaultClient());
  assert.equal(shared[KEY], defaultClient());
  assert.equal(copy.defaultClient(), defaultClient());
});

test('another client is another', () => {
  assert.notEqual(createLockClient(), defaultClient());
});

test('configure before the first use is what the first use finds', async () => {
  const page = new FakePage();
  const transport = new FakeTransport(new FakeBackend(page), person('anna'));
  configure({ transport });
  const { lease, close } = defaultClient().openLease(REF);
  await lease.claim();
  assert.deepEqual(transport.calls, ['claim 42']);
  await lease.release();
  close();
});

test('configure after the first use moves open leases over, and the client stays the same', async () => {
  const page = new FakePage();
  const first = new FakeTransport(new FakeBackend(page), person('anna'));
  const second = new FakeTransport(new FakeBackend(page), person('anna'));
  configure({ transport: first });
  const client = defaultClient();
  const { lease } = client.openLease(REF);
  await lease.claim();
  configure({ transport: second });
  await settle();
  assert.equal(defaultClient(), client);
  assert.equal(lease.view.state, 'mine');
  assert.deepEqual(second.calls, ['claim 42']);
  assert.equal(first.calls.at(-1), 'release 42 0');
});
