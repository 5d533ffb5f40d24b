import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLockClient } from '../../../components/client/index.ts';
import { FakeBackend, FakeTransport, REF, TYPE, failing, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

/** The longest time between two lists, and a list's own turn. */
const POLL_MS = 20_010;

function world() {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const transport = new FakeTransport(backend, person('anna'));
  const client = createLockClient({ transport }, page);
  const bob = { sessionId: 'b' };
  const lists = () => transport.calls.filter((call) => call.startsWith('list')).length;
  return {
    page,
    backend,
    transport,
    client,
    lists,
    claim: () => backend.service.claim(person('bob'), REF, bob),
    release: () => backend.service.release(person('bob'), REF, bob),
  };
}

describe('the hub is away, the API is not', () => {
  test('a grid shows within 20 s who has come, and who has gone', async () => {
    const { page, transport, client, claim, release } = world();
    let holder: string | undefined;
    client.watch(REF, (view) => (holder = view?.lock.holderName));
    await page.advance(1_000);
    transport.disconnect();
    await claim();
    await page.advance(POLL_MS);
    assert.equal(holder, 'Bob');
    await release();
    await page.advance(POLL_MS);
    assert.equal(holder, undefined);
  });

  test("a grid goes on showing a holder who renews, when the lock's end that it had heard of has come", async () => {
    const { page, transport, client, backend, claim } = world();
    const holders: (string | undefined)[] = [];
    await claim();
    client.watch(REF, (view) => holders.push(view?.lock.holderName));
    await page.advance(1_000);
    transport.disconnect();
    for (let n = 0; n < 5; n += 1) {
      await page.advance(120_000);
      await backend.service.renew(person('bob'), REF, { sessionId: 'b' });
    }
    assert.deepEqual([...new Set(holders.slice(holders.indexOf('Bob')))], ['Bob']);
  });

  test('a form that waits is claimed within 20 s of the release, and asks to reload: who knows what was saved', async () => {
    const { page, transport, client, claim, release } = world();
    await claim();
    const { lease } = client.openLease(REF);
    await lease.claim();
    await settle();
    transport.disconnect();
    await release();
    await page.advance(POLL_MS + 1_000);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test('a hub that never was there is made up for as well', async () => {
    const { page, transport, client, claim, release } = world();
    transport.connectsAtOnce = false;
    await claim();
    const { lease } = client.openLease(REF);
    await lease.claim();
    await release();
    await page.advance(POLL_MS + 1_000);
    assert.equal(lease.view.state, 'mine');
  });

  test('a thousand pages ask at different moments, 10 to 20 s apart', async () => {
    for (const [random, earliestMs] of [
      [0, 10_000],
      [0.999, 19_990],
    ] as const) {
      const { page, transport, client, lists } = world();
      client.watch(REF, () => {});
      await page.advance(1_000);
      page.randoms = Array.from({ length: 9 }, () => random);
      transport.disconnect();
      const before = lists();
      await page.advance(earliestMs - 20);
      assert.equal(lists(), before);
      await page.advance(60);
      assert.equal(lists(), before + 1);
    }
  });

  test('a hidden page asks nothing, and at once when it is seen again', async () => {
    const { page, transport, client, lists } = world();
    client.watch(REF, () => {});
    await page.advance(1_000);
    transport.disconnect();
    page.visible = false;
    const before = lists();
    await page.advance(600_000);
    assert.equal(lists(), before);
    page.visible = true;
    page.fire('wake');
    await page.advance(10);
    assert.equal(lists(), before + 1);
  });

  test('only what somebody waits for is asked for: neither for a form that has its lock, nor after the last watch', async () => {
    const { page, transport, client, lists } = world();
    const { lease } = client.openLease(REF);
    await lease.claim();
    const unwatch = client.watch({ entityType: TYPE, entityUid: '43' }, () => {});
    await page.advance(1_000);
    unwatch();
    transport.disconnect();
    const before = lists();
    await page.advance(100_000);
    assert.equal(lists(), before);
  });

  test('it ends when the hub is back', async () => {
    const { page, transport, client, lists } = world();
    client.watch(REF, () => {});
    await page.advance(1_000);
    transport.disconnect();
    await page.advance(POLL_MS);
    transport.connect();
    await page.advance(1_000);
    const before = lists();
    await page.advance(600_000);
    assert.equal(lists(), before);
  });

  test('while the API is away too, it is asked less and less often, and then again as before', async () => {
    const { page, transport, client, lists } = world();
    client.watch(REF, () => {});
    await page.advance(1_000);
    transport.disconnect();
    transport.trouble = failing('list');
    await page.advance(120_000);
    const before = lists();
    page.randoms = Array.from({ length: 99 }, () => 0.999);
    await page.advance(300_000);
    assert.ok(lists() - before <= 12, `${lists() - before} lists in five minutes`);
    transport.trouble = null;
    page.randoms = [];
    await page.advance(60_000);
    const back = lists();
    await page.advance(60_000);
    assert.ok(lists() - back >= 3 && lists() - back <= 6, `${lists() - back} lists in a minute`);
  });

  test('a call that is slow is waited for, not asked again', async () => {
    const { page, transport, client, lists } = world();
    client.watch(REF, () => {});
    await page.advance(1_000);
    transport.disconnect();
    await page.advance(POLL_MS - 9_000);
    const before = lists();
    page.randoms = [0, 0, 0];
    transport.trouble = () => new Promise(() => {});
    await page.advance(5_000);
    assert.equal(lists(), before + 1);
    // Another poll would be due 10 s after the last; the call is given up after 15.
    await page.advance(12_000);
    assert.equal(lists(), before + 1);
  });
});
