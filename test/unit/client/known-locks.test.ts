import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLockClient } from '../../../components/client/index.ts';
import { FakeBackend, FakeTransport, REF, TYPE, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

function world() {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const transport = new FakeTransport(backend, person('anna'));
  const client = createLockClient({ transport }, page);
  return { page, backend, transport, client };
}
const names = (client: ReturnType<typeof world>['client']) =>
  client.known(TYPE)?.map(({ lock }) => lock.holderName) ?? null;

test('R15: a grid of 500 rows costs one list where the hub listens in time, and no other when it says so', async () => {
  const { page, transport, client } = world();
  transport.connectsAtOnce = false;
  for (let n = 0; n < 500; n += 1) client.watch({ entityType: TYPE, entityUid: `${n}` }, () => {});
  await page.advance(100);
  transport.connect();
  await page.advance(5_000);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
});

test('a list that came before the hub listens is fetched once more: news of the time between may be missing', async () => {
  const { page, transport, client } = world();
  transport.connectsAtOnce = false;
  client.watch(REF, () => {});
  await page.advance(1_000);
  transport.connect();
  await page.advance(1_000);
  assert.deepEqual(transport.calls, [`list ${TYPE}`, `list ${TYPE}`]);
});

test('R15: one change among 10,000 cells calls one listener, and one cell that is recycled costs no request', async () => {
  const { page, backend, transport, client } = world();
  let calls = 0;
  const leave = Array.from({ length: 10_000 }, (_, n) =>
    client.watch({ entityType: TYPE, entityUid: `${n}` }, () => {
      calls += 1;
    }),
  );
  await page.advance(1_000);
  assert.equal(transport.subscriptions, 1);
  calls = 0;
  await backend.service.claim(person('bob'), { ...REF, entityUid: '7' }, { sessionId: 'b' });
  await settle();
  assert.equal(calls, 1);
  leave[7]?.();
  client.watch({ ...REF, entityUid: '10007' }, () => {});
  await page.advance(1_000);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
});

test('whoever observes hears that something changed, and asks what; it costs no request but the one list', async () => {
  const { page, backend, transport, client } = world();
  let heard = 0;
  assert.equal(names(client), null, 'nothing is known before somebody listens');
  const leave = client.observe([TYPE], () => {
    heard += 1;
  });
  await page.advance(1_000);
  assert.deepEqual(names(client), []);
  await backend.service.claim(person('bob'), REF, { sessionId: 'b' });
  await settle();
  assert.deepEqual([names(client), heard > 0], [['Bob'], true]);
  await backend.service.release(person('bob'), REF, { sessionId: 'b' });
  await settle();
  assert.deepEqual(names(client), []);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
  leave();
  leave();
  await page.advance(2_000);
  assert.equal(names(client), null);
});

test('what is known is not told while the hub is away, nor before the list after it', async () => {
  const { page, transport, client } = world();
  client.observe([TYPE], () => {});
  await page.advance(1_000);
  assert.deepEqual(names(client), []);
  transport.disconnect();
  assert.equal(names(client), null);
  transport.connect();
  assert.equal(names(client), null);
  await page.advance(1_000);
  assert.deepEqual(names(client), []);
});

test('a type that two listen to is listened to until the second has left', async () => {
  const { page, transport, client } = world();
  const [one, other] = [client.observe([TYPE], () => {}), client.watch(REF, () => {})];
  await page.advance(1_000);
  one();
  one();
  await page.advance(2_000);
  assert.deepEqual(names(client), []);
  other();
  await page.advance(2_000);
  assert.equal(names(client), null);
  assert.equal(page.timerCount, 0);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
});
