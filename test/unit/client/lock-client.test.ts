import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLockClient, TransportError, type LockView } from '../../../components/client/index.ts';
import type { EntityChange } from '../../../core/index.ts';
import { FakeBackend, FakeTransport, REF, TYPE, failing, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

function world() {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const transport = new FakeTransport(backend, person('anna'));
  const client = createLockClient({ transport }, page);
  const bob = { sessionId: 'b' };
  const claim = (uid: string) => backend.service.claim(person('bob'), { ...REF, entityUid: uid }, bob);
  const release = (uid: string) => backend.service.release(person('bob'), { ...REF, entityUid: uid }, bob);
  return { page, backend, transport, client, bob: { claim, release } };
}

function recorder() {
  const names: (string | null)[] = [];
  return { names, listener: (view: LockView | null) => void names.push(view?.lock.holderName ?? null) };
}

test('nothing happens before something is opened or watched', async () => {
  const { page, transport } = world();
  await settle();
  assert.deepEqual([transport.subscriptions, page.timerCount, page.listenerCount], [0, 0, 0]);
});

test('R15: a thousand watches in one turn cost one list call per type and one connection', async () => {
  const { page, transport, client } = world();
  for (let n = 0; n < 1_000; n += 1) client.watch({ entityType: TYPE, entityUid: `${n}` }, () => {});
  transport.connectsAtOnce = false;
  await page.advance(299);
  assert.deepEqual(transport.calls, [], 'the hub may still say that it listens');
  await page.advance(2);
  assert.deepEqual(transport.calls, [`list ${TYPE}`]);
  assert.deepEqual(transport.types, [[TYPE]]);
  assert.equal(transport.subscriptions, 1);
});

test('a watch says at once what is known, then what the list shows, then every change', async () => {
  const { page, client, bob } = world();
  await bob.claim('42');
  const first = recorder();
  client.watch(REF, first.listener);
  assert.equal(first.names.length, 0, 'not from within watch()');
  await page.advance(600);
  await bob.release('42');
  assert.deepEqual([...new Set(first.names)], [null, 'Bob']);
  assert.equal(first.names.at(-1), null);
  await bob.claim('42');
  const second = recorder();
  client.watch(REF, second.listener);
  await settle();
  assert.deepEqual(second.names, ['Bob']);
});

test('a watch that ended before its turn hears nothing', async () => {
  const { page, client, bob } = world();
  const { names, listener } = recorder();
  const stop = client.watch(REF, listener);
  stop();
  stop();
  await bob.claim('42');
  await page.advance(1_000);
  assert.deepEqual(names, []);
});

test("F5: a grid shows a dead holder's row as free at the end of the lease, without any message", async () => {
  const { page, transport, client, bob } = world();
  await bob.claim('42');
  const { names, listener } = recorder();
  client.watch(REF, listener);
  await page.advance(600);
  transport.disconnect();
  await page.advance(300_000);
  assert.equal(names.at(-1), null);
});

test("one's own lock is mine in every view of the page, at once", async () => {
  const { page, client } = world();
  const mine: boolean[] = [];
  client.watch(REF, (view) => {
    if (view !== null) mine.push(view.mine);
  });
  await page.advance(600);
  await client.openLease(REF).lease.claim();
  assert.equal(mine.at(-1), true);
  assert.equal(client.holderOid, 'anna');
});

test('F25: after a reconnection the lists are fetched again, within half a second of each other', async () => {
  const { page, transport, client, bob } = world();
  const { names, listener } = recorder();
  client.watch(REF, listener);
  await page.advance(1_000);
  transport.disconnect();
  assert.equal(client.connected, false);
  transport.trouble = failing('list');
  await bob.claim('42');
  await page.advance(60_000);
  assert.equal(names.at(-1), null);
  transport.trouble = null;
  transport.connect();
  assert.equal(client.connected, true);
  await page.advance(500);
  assert.equal(names.at(-1), 'Bob');
});

test('a list that fails is tried again until it succeeds; an unavailable store removes nothing', async () => {
  const { page, transport, client, bob } = world();
  await bob.claim('42');
  const { names, listener } = recorder();
  client.watch(REF, listener);
  await page.advance(1_000);
  assert.equal(names.at(-1), 'Bob');
  const list = transport.list.bind(transport);
  transport.list = async (type) => ({ ...(await list(type)), locks: [], store: 'unavailable' });
  transport.resync();
  await page.advance(1_000);
  assert.equal(names.at(-1), 'Bob');
  transport.list = list;
  transport.trouble = failing('list');
  await page.advance(60_000);
  transport.trouble = null;
  await bob.release('42');
  await bob.claim('42');
  const before = transport.calls.length;
  await page.advance(60_000);
  assert.equal(transport.calls.length, before + 1, 'once it succeeded, it rests');
});

test('a type that the server refuses is told once, and not asked for again', async (t) => {
  const error = t.mock.method(console, 'error', () => {});
  const { page, transport, client } = world();
  transport.trouble = () =>
    Promise.reject(new TransportError('not lockable', { status: 400, code: 'type-not-lockable' }));
  client.watch(REF, () => {});
  await page.advance(600_000);
  assert.equal(error.mock.callCount(), 1);
  assert.equal(transport.calls.length, 1);
});

test('a listener that throws stops neither the others nor the client', async (t) => {
  const error = t.mock.method(console, 'error', () => {});
  const { page, client, bob } = world();
  const { names, listener } = recorder();
  client.watch(REF, (view) => {
    if (view !== null) throw new Error('from the application');
  });
  client.watch(REF, listener);
  await page.advance(1_000);
  await bob.claim('42');
  assert.equal(names.at(-1), 'Bob');
  assert.equal(error.mock.callCount(), 1);
});

test('R14: a lease is shared by record, and closing counts: connect, connect, disconnect frees nothing', async () => {
  const { page, transport, client } = world();
  const first = client.openLease(REF);
  await first.lease.claim();
  const second = client.openLease({ entityType: TYPE, entityUid: '42' });
  assert.equal(first.lease, second.lease);
  first.close();
  first.close();
  await page.advance(10_000);
  assert.equal(second.lease.view.state, 'mine');
  assert.ok(!transport.calls.some((call) => call.startsWith('release')));
});

test('R14: an element that is moved, disconnect then connect, keeps its lock and its session', async () => {
  const { page, transport, client } = world();
  const first = client.openLease(REF);
  await first.lease.claim();
  first.close();
  const second = client.openLease(REF);
  await page.advance(10_000);
  assert.equal(second.lease, first.lease);
  assert.deepEqual(transport.calls, ['claim 42']);
});

test('the last close releases at once, then the connection and every timer end a second later', async () => {
  const { page, transport, client } = world();
  const { lease, close } = client.openLease(REF);
  await lease.claim();
  close();
  await page.advance(1);
  assert.equal(transport.calls.at(-1), 'release 42 0');
  assert.equal(client.connected, true);
  await page.advance(1_000);
  assert.equal(client.connected, false);
  assert.deepEqual([page.timerCount, page.listenerCount], [0, 0]);
});

test('what is opened within the second keeps the connection', async () => {
  const { page, transport, client } = world();
  const stop = client.watch(REF, () => {});
  await page.advance(1_000);
  stop();
  await page.advance(900);
  client.watch(REF, () => {});
  await page.advance(5_000);
  assert.equal(transport.subscriptions, 1);
});

test('a mount that is undone and done again makes one connection', async () => {
  const { page, transport, client } = world();
  for (let n = 0; n < 100; n += 1) client.watch(REF, () => {})();
  client.watch(REF, () => {});
  await page.advance(5_000);
  assert.equal(transport.subscriptions, 1);
});

test('a GUID in capitals is the same record', () => {
  const { client } = world();
  const guid = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE';
  const upper = client.openLease({ entityType: TYPE, entityUid: guid });
  const lower = client.openLease({ entityType: TYPE, entityUid: guid.toLowerCase() });
  assert.equal(upper.lease, lower.lease);
});

test('an empty type or uid is refused by name', () => {
  const { client } = world();
  assert.throws(() => client.openLease({ entityType: TYPE, entityUid: '' }), /entityUid/);
  assert.throws(() => client.watch({ entityType: '', entityUid: '1' }, () => {}), /entityType/);
});

test('waking up checks the connection, typing does not', async () => {
  const { page, transport, client } = world();
  client.openLease(REF);
  await settle();
  page.fire('input');
  assert.equal(transport.nudges, 0);
  page.fire('wake');
  assert.equal(transport.nudges, 1);
});

test('F4: signing out releases everything, forgets the token and closes the connection', async () => {
  const { page, transport, client, backend } = world();
  const leases = ['1', '2'].map((entityUid) => client.openLease({ entityType: TYPE, entityUid }).lease);
  await Promise.all(leases.map((lease) => lease.claim()));
  await client.signOut();
  assert.deepEqual(await backend.service.listMine(person('anna')).then(({ locks }) => locks), []);
  assert.deepEqual(
    leases.map(({ view }) => view.state),
    ['released', 'released'],
  );
  assert.equal(transport.isForgotten, true);
  assert.deepEqual([client.connected, page.timerCount, page.listenerCount], [false, 0, 0]);
});

test('stop ends every timer, can be called twice, and what is opened next starts again', async () => {
  const { page, client, transport } = world();
  const { lease } = client.openLease(REF);
  await lease.claim();
  client.stop();
  client.stop();
  assert.deepEqual([client.connected, page.timerCount, page.listenerCount], [false, 0, 0]);
  assert.equal(transport.calls.length, 1);
  client.watch(REF, () => {});
  await page.advance(1_000);
  assert.equal(client.connected, true);
  assert.equal(lease.view.state, 'mine');
});

test('a claim after signing out connects again: a take-over is heard, and leaving the page lets go', async () => {
  const { page, client, transport, backend } = world();
  const { lease } = client.openLease(REF);
  await lease.claim();
  await client.signOut();
  await lease.claim();
  await page.advance(1_000);
  assert.deepEqual([lease.view.state, client.connected, page.listenerCount], ['mine', true, 1]);
  const request = { sessionId: 'b', fromHolderOid: 'anna' };
  await backend.service.takeOver(person('bob'), REF, request);
  await settle();
  assert.equal(lease.view.state, 'lost');
  assert.equal(transport.subscriptions, 2);
});

test('another configuration moves everything over: leases claim anew, watches fetch again', async () => {
  const { page, client, transport, bob } = world();
  const { lease } = client.openLease(REF);
  const untouched = client.openLease({ ...REF, entityUid: '43' }).lease;
  const { names, listener } = recorder();
  client.watch({ ...REF, entityUid: '44' }, listener);
  await bob.claim('44');
  await lease.claim();
  await page.advance(1_000);
  const other = new FakeBackend(page);
  await other.service.claim(person('dora'), { ...REF, entityUid: '44' }, { sessionId: 'd' });
  const there = new FakeTransport(other, person('anna'));
  client.configure({ transport: there });
  assert.equal(lease.view.state, 'claiming');
  assert.equal(names.at(-1), null);
  await page.advance(1_000);
  assert.equal(transport.calls.at(-1), 'release 42 0');
  assert.equal(lease.view.state, 'mine');
  assert.equal(there.requests[0]?.fence, undefined);
  assert.equal(untouched.view.state, 'idle');
  assert.equal(names.at(-1), 'Dora');
  assert.equal(client.connected, true);
});

test('news of a connection that was given up is not heard', async () => {
  const { page, client, transport, backend } = world();
  const { names, listener } = recorder();
  client.watch(REF, listener);
  await page.advance(1_000);
  const said: ((change: EntityChange) => void)[] = [];
  const subscribe = transport.subscribe.bind(transport);
  transport.subscribe = (heard) => {
    said.push((change) => {
      heard.changed(change);
    });
    return subscribe(heard);
  };
  client.configure({ transport });
  await page.advance(1_000);
  client.configure({ transport: new FakeTransport(backend, person('anna')) });
  await page.advance(1_000);
  const { lock } = await backend.service.claim(person('bob'), REF, { sessionId: 'b' });
  assert.equal(names.at(-1), 'Bob');
  const count = names.length;
  assert.ok(lock);
  said[0]?.({
    ...REF,
    operation: 'Released',
    lock: { ...lock, fence: 9e15, at: 9e15 },
    fence: 9e15,
    at: 9e15,
  });
  assert.equal(names.length, count);
});
