import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hubLink, type HubConnectionLike } from '../../../components/client/hub-link.ts';
import { retryDelayMs } from '../../../components/client/retry-delays.ts';
import { FakePage, settle } from './fake-page.ts';

type Step = () => Promise<void>;

const ok: Step = () => Promise.resolve();
const hang: Step = () => new Promise(() => {});
const fail: Step = () => Promise.reject(new Error('connection refused'));

class FakeConnection implements HubConnectionLike {
  readonly handlers = new Map<string, (...args: unknown[]) => void>();
  readonly invoked: unknown[][] = [];
  closed: (error?: Error) => void = () => {};
  stops = 0;
  starts = 0;
  onStart: Step;
  onInvoke: Step = ok;

  constructor(onStart: Step) {
    this.onStart = onStart;
  }

  on(event: string, listener: (...args: unknown[]) => void): void {
    this.handlers.set(event, listener);
  }
  onclose(listener: (error?: Error) => void): void {
    this.closed = listener;
  }
  start(): Promise<void> {
    this.starts += 1;
    return this.onStart();
  }
  stop(): Promise<void> {
    this.stops += 1;
    return this.starts > 0 && this.onStart === hang ? hang() : ok();
  }
  invoke(...args: unknown[]): Promise<unknown> {
    this.invoked.push(args);
    return this.onInvoke();
  }
}

/** A link over a server that behaves as `starts` say, one by one, and well after that. */
function linked({ starts = [] }: { starts?: Step[] } = {}) {
  const page = new FakePage();
  const connections: FakeConnection[] = [];
  const said: unknown[] = [];
  const link = hubLink({
    page,
    build() {
      const connection = new FakeConnection(starts[connections.length] ?? ok);
      connections.push(connection);
      return connection;
    },
    listener: {
      changed: (change) => said.push(['changed', change]),
      resync: (types) => said.push(types === undefined ? 'resync' : `resync ${types.join()}`),
      connected: (isConnected) => said.push(isConnected),
    },
    failed: (reason) => said.push(reason),
  });
  link.setTypes(['A']);
  return { page, connections, said, link };
}

test('nothing is built before the first turn, then one connection names its types and reports a gap', async () => {
  const { page, connections, said } = linked();
  assert.equal(connections.length, 0);
  await page.advance(0);
  assert.deepEqual(connections[0]?.invoked, [['Subscribe', ['A']]]);
  assert.deepEqual(said, [true, 'resync']);
});

test('C1: a hub that starts after the page is found without a reload', async () => {
  const { page, connections, said } = linked({ starts: [fail, fail, fail] });
  await page.advance(10_000);
  assert.equal(connections.length, 4);
  assert.deepEqual(said.slice(-2), [true, 'resync']);
});

test('C2: attempt number 50 still happens, at most 30 s after the one before', async () => {
  const { page, connections } = linked({ starts: Array.from({ length: 60 }, () => fail) });
  await page.advance(50 * 30_000);
  assert.ok(connections.length > 50);
});

test('C3: a thousand pages that lost the server together come back apart, from the first attempt on', () => {
  const first = Array.from({ length: 1_000 }, (_, n) => retryDelayMs(0, n / 1_000));
  assert.ok(Math.max(...first) - Math.min(...first) > 600);
  const late = Array.from({ length: 1_000 }, (_, n) => retryDelayMs(9, n / 1_000));
  assert.ok(Math.max(...late) - Math.min(...late) > 29_000);
  for (const ms of [...first, ...late]) assert.ok(ms >= 300 && ms <= 30_000);
});

test('C4: a start that hangs is abandoned after 15 s, with its connection', async () => {
  const { page, connections, said } = linked({ starts: [hang] });
  await page.advance(14_999);
  assert.equal(connections.length, 1);
  await page.advance(1_001);
  assert.equal(connections.length, 2);
  assert.equal(connections[0]?.stops, 1);
  assert.deepEqual(said.slice(-2), [true, 'resync']);
});

test('a subscription that is never answered counts as a start that hangs', async () => {
  const { page, connections, said } = linked();
  await settle();
  await page.advance(0);
  said.length = 0;
  const [first] = connections;
  assert.ok(first);
  first.onInvoke = hang;
  first.closed();
  await page.advance(20_000);
  assert.deepEqual(said.slice(0, 1), [false]);
  assert.deepEqual(said.slice(-2), [true, 'resync']);
});

test('C10: after a broken connection, the types are named again and a gap is reported', async () => {
  const { page, connections, said } = linked();
  await page.advance(20_000);
  connections[0]?.closed(new Error('1006'));
  assert.deepEqual(said.slice(2), [false, 'Error: 1006']);
  await page.advance(1_000);
  assert.deepEqual(connections[1]?.invoked, [['Subscribe', ['A']]]);
  assert.deepEqual(said.slice(-2), [true, 'resync']);
});

test('a server that accepts and drops at once is asked less and less often', async () => {
  const { page, connections } = linked();
  for (let n = 0; n < 100; n += 1) {
    await page.advance(600);
    connections.at(-1)?.closed();
  }
  assert.ok(connections.length < 20, `${connections.length} connections in a minute`);
});

test('C29: every connection has its listeners once, and one that was given up is not heard', async () => {
  const { page, connections, said } = linked();
  await page.advance(0);
  const [first] = connections;
  first?.handlers.get('EntityChanged')?.('x');
  first?.handlers.get('Resync')?.();
  assert.deepEqual(said.slice(2), [['changed', 'x'], 'resync']);
  first?.closed();
  await page.advance(1_000);
  said.length = 0;
  first?.handlers.get('EntityChanged')?.('late');
  first?.closed();
  await page.advance(60_000);
  assert.deepEqual(said, []);
  assert.equal(connections.length, 2);
});

test('C22: a call that is refused with 401, as over server-sent events, ends a connection that looks alive', async () => {
  const { page, connections, said, link } = linked();
  await page.advance(20_000);
  const [first] = connections;
  assert.ok(first);
  first.onInvoke = () => Promise.reject(new Error("Unauthorized: Status code '401'"));
  link.setTypes(['A', 'B']);
  await settle();
  assert.equal(first.stops, 1);
  assert.deepEqual(said.slice(2), [false, "Error: Unauthorized: Status code '401'"]);
  await page.advance(1_000);
  assert.deepEqual(connections[1]?.invoked, [['Subscribe', ['A', 'B']]]);
});

test('types that are added later are named, and only they have a gap', async () => {
  const { page, connections, said, link } = linked();
  await page.advance(0);
  link.setTypes(['A', 'B']);
  await settle();
  const invoked = () => connections[0]?.invoked ?? [];
  assert.deepEqual(invoked().at(-1), ['Subscribe', ['A', 'B']]);
  assert.equal(said.at(-1), 'resync B');
  link.setTypes(['B']);
  await settle();
  assert.equal(invoked().length, 2);
});

test('types that are added while the connection is made are named before anything is reported', async () => {
  let start = () => {};
  const { page, connections, said, link } = linked({
    starts: [() => new Promise((resolve) => (start = resolve))],
  });
  await page.advance(0);
  link.setTypes(['A', 'B']);
  start();
  await settle();
  assert.deepEqual(connections[0]?.invoked, [['Subscribe', ['A', 'B']]]);
  assert.deepEqual(said, [true, 'resync']);
});

test('C8: a page that wakes up does not wait for the next attempt', async () => {
  const { page, connections, link } = linked({ starts: Array.from({ length: 60 }, () => fail) });
  await page.advance(100_000);
  const before = connections.length;
  link.nudge();
  link.nudge();
  await settle();
  assert.equal(connections.length, before + 1);
});

test('C8: a connection that died in a sleep is found out within 15 s of waking', async () => {
  const { page, connections, said, link } = linked();
  await page.advance(20_000);
  const [first] = connections;
  assert.ok(first);
  first.onInvoke = hang;
  link.nudge();
  await page.advance(16_000);
  assert.equal(connections.length, 2);
  assert.deepEqual(said.slice(-2), [true, 'resync']);
});

test('C8: a connection that lives is left alone', async () => {
  const { page, connections, said, link } = linked();
  await page.advance(20_000);
  link.nudge();
  await page.advance(60_000);
  assert.equal(connections.length, 1);
  assert.deepEqual(said, [true, 'resync']);
});

test('C28: stop during a start that hangs leaves nothing behind, and can be repeated', async () => {
  for (const start of [hang, ok, fail]) {
    const { page, connections, link } = linked({ starts: [start] });
    await page.advance(0);
    link.stop();
    link.stop();
    await page.advance(60_000);
    assert.equal(connections.length, 1);
    link.nudge();
    await page.advance(60_000);
    assert.deepEqual([connections.length, connections[0]?.stops, page.timerCount], [1, 1, 0]);
  }
});

test('C28: stop before the first turn builds nothing', async () => {
  const { page, connections, link } = linked();
  link.stop();
  await page.advance(60_000);
  assert.equal(connections.length, 0);
});

test('C28: a start that ends after the stop is stopped', async () => {
  let start = () => {};
  const { page, connections, said, link } = linked({
    starts: [() => new Promise((resolve) => (start = resolve))],
  });
  await page.advance(0);
  link.stop();
  start();
  await settle();
  assert.equal(connections[0]?.stops, 2);
  assert.deepEqual(said, []);
});
