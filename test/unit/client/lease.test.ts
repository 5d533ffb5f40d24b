import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createLockClient,
  type LeaseOptions,
  type LeaseState,
  type TransportCapabilities,
} from '../../../components/client/index.ts';
import { TransportError } from '../../../components/client/index.ts';
import { FakeBackend, FakeTransport, REF, TYPE, failing, person, silent } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

const LEASE_MS = 300_000;
const RENEW_MS = 120_000;

/** Anna's page with one form, and Bob, who speaks to the same server by himself. */
function world({
  options = {},
  can = {},
}: { options?: LeaseOptions; can?: Partial<TransportCapabilities> } = {}) {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const bob = (uid = REF.entityUid) => ({
    claim: () => backend.service.claim(person('bob'), { ...REF, entityUid: uid }, { sessionId: 'bob-1' }),
    release: () => backend.service.release(person('bob'), { ...REF, entityUid: uid }, { sessionId: 'bob-1' }),
    takeOver: () =>
      backend.service.takeOver(
        person('bob'),
        { ...REF, entityUid: uid },
        { sessionId: 'bob-1', fromHolderOid: 'anna' },
      ),
    save: () =>
      backend.publish({ ...REF, operation: 'Updated', by: { oid: 'bob', name: 'Bob', kind: 'user' } }),
  });
  const transport = new FakeTransport(backend, person('anna'), can);
  const client = createLockClient({ transport }, page);
  const { lease, close } = client.openLease(REF, options);
  const states: LeaseState[] = [];
  lease.subscribe((view, previous) => {
    if (view.state !== previous.state) states.push(view.state);
  });
  return { page, backend, transport, client, lease, close, states, bob: bob() };
}

describe('claiming', () => {
  test('a lease claims nothing before it is told to', async () => {
    const { page, lease, transport } = world();
    await page.advance(60_000);
    assert.equal(lease.view.state, 'idle');
    assert.deepEqual(transport.calls, []);
  });

  test('a free record becomes mine', async () => {
    const { lease, states } = world();
    await lease.claim();
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.equal(lease.view.lock?.holderOid, 'anna');
    assert.equal(lease.view.stale, false);
  });

  test("somebody else's lock is held, with its holder", async () => {
    const { lease, states, bob } = world();
    await bob.claim();
    await lease.claim();
    assert.deepEqual(states, ['claiming', 'held']);
    assert.equal(lease.view.lock?.holderName, 'Bob');
    assert.equal(lease.view.canTakeOver, true);
  });

  test('a claim without an answer in 3 s lets the form open, and the late answer still counts', async () => {
    const { page, lease, states, transport } = world();
    let answer = () => {};
    transport.trouble = () => new Promise((resolve) => (answer = resolve));
    void lease.claim();
    await page.advance(2_999);
    assert.equal(lease.view.state, 'claiming');
    await page.advance(1);
    assert.equal(lease.view.state, 'unknown');
    await page.advance(2_000);
    answer();
    await settle();
    assert.deepEqual(states, ['claiming', 'unknown', 'mine']);
    assert.equal(lease.view.stale, false);
  });

  test('a call that is swallowed is given up after 15 s and made again', async () => {
    const { page, lease, transport } = world();
    transport.trouble = silent('claim');
    void lease.claim();
    await page.advance(15_000);
    transport.trouble = null;
    await page.advance(1_000);
    assert.equal(lease.view.state, 'mine');
    assert.deepEqual(transport.calls, ['claim 42', 'claim 42']);
  });

  test('a server that fails lets the form open, and is asked again with growing delays', async () => {
    const { page, lease, states, transport } = world();
    transport.trouble = failing('claim');
    await lease.claim();
    assert.equal(lease.view.state, 'unknown');
    await page.advance(60_000);
    const tries = transport.calls.length;
    assert.ok(tries >= 4 && tries <= 10, `${tries} tries in a minute`);
    transport.trouble = null;
    await page.advance(30_000);
    assert.deepEqual(states, ['claiming', 'unknown', 'mine']);
  });

  test('a store that cannot say opens the form, and is asked again when it says so', async () => {
    const { page, lease, backend, transport } = world();
    const { service } = backend;
    const claim = service.claim.bind(service);
    service.claim = async (who, ref, request) => ({
      ...(await claim(who, ref, request)),
      outcome: 'unknown',
      lock: null,
      renewAfterMs: 10_000,
    });
    await lease.claim();
    assert.equal(lease.view.state, 'unknown');
    service.claim = claim;
    await page.advance(9_999);
    assert.equal(transport.calls.length, 1);
    await page.advance(2_501);
    assert.equal(lease.view.state, 'mine');
  });

  test('a refusal for good is an error, told once on the console, and the form stays editable', async (t) => {
    const error = t.mock.method(console, 'error', () => {});
    const { page, lease, transport, client } = world();
    transport.trouble = () =>
      Promise.reject(
        new TransportError('entityType: not lockable.', { status: 400, code: 'type-not-lockable' }),
      );
    await lease.claim();
    assert.equal(lease.view.state, 'error');
    assert.deepEqual(lease.view.error, { code: 'type-not-lockable', message: 'entityType: not lockable.' });
    await client.openLease({ ...REF, entityUid: '43' }).lease.claim();
    assert.equal(error.mock.callCount(), 1);
    await page.advance(600_000);
    assert.equal(transport.calls.length, 2);
  });

  test('after an error, a new claim starts anew', async (t) => {
    t.mock.method(console, 'error', () => {});
    const { lease, transport, states } = world();
    transport.trouble = () =>
      Promise.reject(new TransportError('no', { status: 401, code: 'unauthenticated' }));
    await lease.claim();
    transport.trouble = null;
    await lease.claim();
    assert.deepEqual(states, ['claiming', 'error', 'claiming', 'mine']);
    assert.equal(lease.view.error, null);
  });
});

describe('holding', () => {
  test('a lock is renewed by the deadline that the server gave, and its end moves on', async () => {
    const { page, lease, transport, states } = world();
    await lease.claim();
    const firstEnd = lease.view.endsAtMs ?? 0;
    await page.advance(RENEW_MS - 1);
    assert.deepEqual(transport.calls, ['claim 42']);
    await page.advance(1);
    assert.deepEqual(transport.calls, ['claim 42', 'renew 42']);
    assert.equal(lease.view.endsAtMs, firstEnd + RENEW_MS);
    assert.deepEqual(states, ['claiming', 'mine']);
  });

  test('renewals carry the session and the fence of the acquisition', async () => {
    const { page, lease, transport } = world();
    await lease.claim();
    await page.advance(RENEW_MS);
    const [claim, renew] = transport.requests;
    assert.match(claim?.sessionId ?? '', /^[0-9a-f]{32}$/);
    assert.equal(claim?.fence, undefined);
    assert.deepEqual(renew, { sessionId: claim?.sessionId, fence: lease.view.lock?.fence });
  });

  test('F7: a hidden tab whose timers run once a minute holds its lock for half an hour', async () => {
    const { page, lease, states } = world();
    await lease.claim();
    page.visible = false;
    page.throttleMs = 60_000;
    await page.advance(30 * 60_000);
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.ok((lease.view.endsAtMs ?? 0) > page.now());
  });

  test('F9: a tab that is hidden releases nothing', async () => {
    const { page, transport, lease } = world();
    await lease.claim();
    page.visible = false;
    await page.advance(60_000);
    assert.ok(!transport.calls.some((call) => call.startsWith('release')));
  });

  test('F12: after the first failed renewal it reconnects, and the fourth goes on as if nothing had been', async () => {
    const { page, lease, transport, states } = world();
    await lease.claim();
    let failures = 3;
    transport.trouble = (verb) =>
      verb === 'renew' && failures-- > 0
        ? failures === 1
          ? new Promise(() => {})
          : Promise.reject(new TransportError('Service Unavailable', { status: 503 }))
        : undefined;
    await page.advance(RENEW_MS);
    assert.equal(lease.view.reconnecting, true);
    await page.advance(30_000);
    assert.equal(lease.view.reconnecting, false);
    assert.equal(transport.calls.filter((call) => call === 'renew 42').length, 4);
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.equal(lease.view.changed, false);
  });

  test('an outage longer than the lease ends in unknown, never blocked, and its end in mine again', async () => {
    const { page, lease, transport, states } = world();
    await lease.claim();
    transport.trouble = failing('renew', 'claim');
    await page.advance(LEASE_MS - 1);
    assert.equal(lease.view.state, 'mine');
    await page.advance(1);
    assert.equal(lease.view.state, 'unknown');
    assert.equal(lease.view.reconnecting, false);
    await page.advance(60_000);
    transport.trouble = null;
    await page.advance(31_000);
    assert.deepEqual(states, ['claiming', 'mine', 'unknown', 'mine']);
    assert.equal(lease.view.stale, false);
  });

  test('F15: a take-over blocks the form at once, and says who', async () => {
    const { lease, states, bob } = world();
    await lease.claim();
    await settle();
    await bob.takeOver();
    assert.equal(lease.view.state, 'lost');
    assert.equal(lease.view.lock?.holderName, 'Bob');
    assert.deepEqual(states, ['claiming', 'mine', 'lost']);
  });

  test('who lost a record learns whether it may be taken back', async () => {
    const { page, lease, bob } = world();
    await lease.claim();
    await page.advance(3_000);
    await bob.takeOver();
    assert.equal(lease.view.canTakeOver, false);
    await page.advance(300);
    assert.equal(lease.view.canTakeOver, true);
    await lease.takeOver();
    assert.equal(lease.view.state, 'mine');
  });

  test('with the hub away, a take-over is found out by the renewal', async () => {
    const { page, lease, transport, bob } = world();
    await lease.claim();
    await settle();
    transport.disconnect();
    await bob.takeOver();
    assert.equal(lease.view.state, 'mine');
    await page.advance(RENEW_MS);
    assert.equal(lease.view.state, 'lost');
    assert.equal(lease.view.lock?.holderName, 'Bob');
  });

  test('an acquisition whose answer comes after the news of its loss is not mine', async () => {
    const { lease, transport, bob } = world();
    await settle();
    let answer = () => {};
    const claim = transport.claim.bind(transport);
    transport.claim = async (ref, request) => {
      const said = await claim(ref, request);
      await new Promise<void>((resolve) => (answer = resolve));
      return said;
    };
    void lease.claim();
    await settle();
    await bob.takeOver();
    answer();
    await settle();
    assert.equal(lease.view.state, 'held');
    assert.equal(lease.view.lock?.holderName, 'Bob');
  });

  test("F13: the same user's other window never blocks this one", async () => {
    const { page, lease, backend, states } = world();
    await lease.claim();
    await settle();
    await backend.service.claim(person('anna'), REF, { sessionId: 'other-window' });
    await backend.service.renew(person('anna'), REF, { sessionId: 'other-window' });
    await page.advance(RENEW_MS);
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.equal(lease.view.otherSessions, 1);
  });

  test('F13: a form that waits becomes mine when the same user gets the record in another window', async () => {
    const { lease, backend, bob } = world();
    await bob.claim();
    await lease.claim();
    await settle();
    const request = { sessionId: 'other-window', fromHolderOid: 'bob' };
    await backend.service.takeOver(person('anna'), REF, request);
    await settle();
    assert.equal(lease.view.state, 'mine');
  });

  test("F13: one's own lock is never shown as the one in the way, even where the news come before the answer", async () => {
    const { page, lease, transport, bob } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(3_000);
    const shown = new Set<string>();
    lease.subscribe(({ state, lock }) => shown.add(`${state} ${lock?.holderName ?? 'nobody'}`));
    const claim = transport.claim.bind(transport);
    transport.claim = async (ref, request) => {
      const said = await claim(ref, request);
      await settle();
      return said;
    };
    await bob.release();
    await page.advance(300);
    await lease.release();
    assert.deepEqual([...shown], ['held nobody', 'mine Anna', 'released nobody']);
  });

  test('a final decision that ends the lock on the server ends it here, too', async () => {
    const { lease, backend, page, transport } = world();
    await lease.claim();
    await settle();
    await backend.service.release(person('anna'), REF, { sessionId: null });
    assert.equal(lease.view.state, 'released');
    await page.advance(600_000);
    assert.deepEqual(transport.calls, ['claim 42']);
  });

  test("without sessions, one's own Released claims again", async () => {
    const { lease, backend, states } = world({ can: { sessions: false, fence: false } });
    await lease.claim();
    await settle();
    await backend.service.release(person('anna'), REF, { sessionId: '' });
    await settle();
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.equal(lease.view.stale, false);
    assert.equal((await backend.service.read(person('bob'), REF)).locks.length, 1);
  });
});

describe('waiting', () => {
  test('F2: a visible form claims by itself within 300 ms when the lock is released', async () => {
    const { page, lease, bob, states } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(10_000);
    await bob.release();
    assert.deepEqual([lease.view.state, lease.view.lock], ['held', null]);
    await page.advance(300);
    assert.deepEqual(states, ['claiming', 'held', 'mine']);
    assert.equal(lease.view.stale, false);
  });

  test('F1: a holder that died is followed within a second of the end of its lease, without any message', async () => {
    const { page, lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    await settle();
    transport.disconnect();
    await page.advance(LEASE_MS - 1);
    assert.equal(lease.view.state, 'held');
    await page.advance(1_000);
    assert.equal(lease.view.state, 'mine');
  });

  test('a hidden form claims when it becomes visible, and only then', async () => {
    const { page, lease, bob } = world();
    await bob.claim();
    await lease.claim();
    await settle();
    page.visible = false;
    await bob.release();
    await page.advance(60_000);
    assert.deepEqual([lease.view.state, lease.view.lock], ['held', null]);
    page.visible = true;
    page.fire('wake');
    await page.advance(300);
    assert.equal(lease.view.state, 'mine');
  });

  test('with wait off, the form stays blocked and free until it is told to claim', async () => {
    const { page, lease, bob } = world({ options: { wait: 'off' } });
    await bob.claim();
    await lease.claim();
    await settle();
    await bob.release();
    await page.advance(60_000);
    assert.deepEqual([lease.view.state, lease.view.lock], ['held', null]);
    await lease.claim();
    assert.equal(lease.view.state, 'mine');
  });

  test('whoever is too late goes on waiting, for the new holder', async () => {
    const { page, lease, bob, backend } = world();
    await bob.claim();
    await lease.claim();
    await settle();
    await bob.release();
    await backend.service.claim(person('carl'), REF, { sessionId: 'c' });
    await page.advance(1_000);
    assert.equal(lease.view.state, 'held');
    assert.equal(lease.view.lock?.holderName, 'Carl');
  });

  test('a free record whose claim gets no answer opens with a notice', async () => {
    const { page, lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(3_000);
    transport.trouble = silent('claim');
    await bob.release();
    await page.advance(3_300);
    assert.equal(lease.view.state, 'unknown');
  });

  test("a failed try while somebody else's lease runs keeps the form blocked", async () => {
    const { lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    transport.trouble = failing('claim');
    await lease.claim();
    assert.equal(lease.view.state, 'held');
  });

  test('F20: a save by the holder while waiting makes the data stale, and loading clears that', async () => {
    const { page, lease, bob } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    await bob.save();
    assert.equal(lease.view.stale, true);
    assert.equal(lease.view.foreignChange?.by?.name, 'Bob');
    await bob.release();
    await page.advance(300);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
    lease.loaded();
    assert.deepEqual([lease.view.stale, lease.view.foreignChange], [false, null]);
  });

  test('a wait during which the hub was away makes the data stale', async () => {
    const { page, lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    transport.disconnect();
    transport.connect();
    await page.advance(1_000);
    await bob.release();
    await page.advance(2_000);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test('a wait that began before the first connection is not held against it', async () => {
    const { page, lease, bob, transport } = world();
    transport.connectsAtOnce = false;
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    transport.connect();
    await page.advance(5_000);
    await bob.release();
    await page.advance(2_000);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', false]);
  });

  test('a hub that never connected leaves the data in doubt', async () => {
    const { page, lease, bob, transport } = world();
    transport.connectsAtOnce = false;
    await bob.claim();
    await lease.claim();
    await page.advance(LEASE_MS + 300);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test('a page that slept while it waited leaves the data in doubt', async () => {
    const { page, lease, bob } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    page.sleep(3_600_000);
    page.fire('wake');
    await page.advance(300);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test('without fences, every form that waited must be loaded again', async () => {
    const { page, lease, bob } = world({ can: { fence: false } });
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    await bob.release();
    await page.advance(300);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test("F20, F31: one's own saves mean nothing, automation's are told and block nothing", async () => {
    const { lease, backend } = world();
    const heard = () => lease.view.foreignChange;
    await lease.claim();
    await settle();
    await backend.publish({ ...REF, operation: 'Updated', by: { oid: 'anna', name: 'Anna', kind: 'user' } });
    assert.equal(heard(), null);
    await backend.publish({
      ...REF,
      operation: 'Updated',
      by: { oid: 'robot', name: 'Import', kind: 'automation' },
    });
    assert.equal(heard()?.by?.name, 'Import');
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', false]);
    await backend.publish({ ...REF, entityUid: '43', operation: 'Deleted' });
    assert.equal(heard()?.operation, 'Updated');
  });
});

describe('taking over', () => {
  test('the lock of the holder that was seen is taken', async () => {
    const { lease, bob, states } = world();
    await bob.claim();
    await lease.claim();
    await settle();
    await lease.takeOver();
    assert.deepEqual(states, ['claiming', 'held', 'mine']);
  });

  test('a lease that goes on from an earlier one is stale where another holder came in between', async () => {
    const { page, lease, close, client, bob } = world();
    await lease.claim();
    const { fence } = lease;
    close();
    await page.advance(1_000);
    await bob.claim();
    await bob.release();
    const next = client.openLease(REF, { fence }).lease;
    await next.claim();
    assert.deepEqual([next.view.state, next.view.changed, next.view.stale], ['mine', true, true]);
  });

  test('what is taken back from another holder is stale: that one may have saved', async () => {
    const { lease, bob } = world();
    await lease.claim();
    await settle();
    await bob.takeOver();
    await settle();
    assert.equal(lease.view.state, 'lost');
    await lease.takeOver();
    assert.deepEqual([lease.view.state, lease.view.changed, lease.view.stale], ['mine', true, true]);
  });

  test('a refusal is told to the caller, and changes nothing', async () => {
    const { lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    const before = lease.view;
    const denied = new TransportError('You may not.', { status: 403, code: 'take-over-denied' });
    transport.trouble = (verb) => (verb === 'takeOver' ? Promise.reject(denied) : undefined);
    await assert.rejects(lease.takeOver(), denied);
    assert.equal(lease.view, before);
  });

  test('whoever was quicker is in the view', async () => {
    const { lease, bob, backend, transport } = world();
    transport.connectsAtOnce = false;
    await bob.claim();
    await lease.claim();
    const request = { sessionId: 'c', fromHolderOid: 'bob' };
    await backend.service.takeOver(person('carl'), REF, request);
    await lease.takeOver();
    assert.equal(lease.view.state, 'held');
    assert.equal(lease.view.lock?.holderName, 'Carl');
  });
});

describe('sleeping', () => {
  for (const event of ['wake', 'input', 'nothing but timers'] as const) {
    test(`F8: after a sleep past the lease, ${event} blocks until the answer, then it is silently mine`, async () => {
      const { page, lease, states, transport } = world();
      await lease.claim();
      await settle();
      let answer = () => {};
      transport.trouble = () => new Promise((resolve) => (answer = resolve));
      page.sleep(3_600_000);
      if (event !== 'nothing but timers') page.fire(event);
      for (let s = 0; s < 10 && lease.view.state === 'mine'; s += 1) await page.advance(1_000);
      assert.equal(lease.view.state, 'claiming');
      await settle();
      answer();
      await settle();
      assert.deepEqual(states, ['claiming', 'mine', 'claiming', 'mine']);
      assert.deepEqual([lease.view.stale, lease.view.changed], [false, false]);
    });
  }

  test('F8, F27: free but held by another meanwhile is mine again, and stale', async () => {
    const { page, lease, transport, bob } = world();
    await lease.claim();
    await settle();
    transport.disconnect();
    page.sleep(LEASE_MS);
    await bob.claim();
    page.sleep(1_000);
    await bob.release();
    page.fire('wake');
    await settle();
    assert.deepEqual([lease.view.state, lease.view.changed, lease.view.stale], ['mine', true, true]);
    assert.deepEqual(transport.calls.slice(-2), ['renew 42', 'claim 42']);
  });

  test('F8: held by another is lost, with the name', async () => {
    const { page, lease, bob } = world();
    await lease.claim();
    await settle();
    page.sleep(3_600_000);
    await bob.claim();
    page.fire('wake');
    await settle();
    assert.equal(lease.view.state, 'lost');
    assert.equal(lease.view.lock?.holderName, 'Bob');
  });

  test('R21: after a sleep without an answer, input waits for the claim timeout', async () => {
    const { page, lease, transport } = world();
    await lease.claim();
    transport.trouble = silent('renew', 'claim');
    page.sleep(3_600_000);
    page.fire('wake');
    await page.advance(2_999);
    assert.equal(lease.view.state, 'claiming');
    await page.advance(1);
    assert.equal(lease.view.state, 'unknown');
  });

  test('a sleep inside the lease blocks nothing, and renews at once', async () => {
    const { page, lease, transport, states } = world();
    await lease.claim();
    page.sleep(200_000);
    page.fire('wake');
    await settle();
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.deepEqual(transport.calls, ['claim 42', 'renew 42']);
  });

  test('a burst of waking events asks once', async () => {
    const { page, lease, transport } = world();
    await lease.claim();
    await page.advance(5_000);
    transport.calls.length = 0;
    for (let n = 0; n < 4; n += 1) page.fire('wake');
    await page.advance(100);
    page.fire('wake');
    await settle();
    assert.deepEqual(transport.calls, ['renew 42']);
  });

  for (const hours of [24, -24]) {
    test(`F23: a page clock wrong by ${hours} h changes nothing`, async () => {
      const { page, lease, states, bob, backend } = world();
      backend.clockOffsetMs = hours * 3_600_000;
      await bob.claim();
      await lease.claim();
      await page.advance(1_000);
      assert.equal(lease.view.endsAtMs, page.now() + LEASE_MS - 1_000);
      await page.advance(LEASE_MS - 2_000);
      assert.equal(lease.view.state, 'held');
      await page.advance(2_000);
      await page.advance(RENEW_MS * 5);
      assert.deepEqual(states, ['claiming', 'held', 'mine']);
    });
  }

  test('F23: a page clock that is set back keeps the lock alive', async () => {
    const { page, lease, states, transport } = world();
    await lease.claim();
    page.sleep(-86_400_000);
    await page.advance(RENEW_MS);
    assert.deepEqual(transport.calls.at(-1), 'renew 42');
    assert.deepEqual(states, ['claiming', 'mine']);
  });
});

describe('letting go', () => {
  test('release ends the lock, and the next claim is a new session with the old fence', async () => {
    const { lease, transport, backend, states } = world();
    await lease.claim();
    const fence = lease.view.lock?.fence;
    await lease.release();
    assert.equal((await backend.service.read(person('bob'), REF)).locks.length, 0);
    await lease.claim();
    const [first, , second] = transport.requests;
    assert.notEqual(first?.sessionId, second?.sessionId);
    assert.equal(second?.fence, fence);
    assert.deepEqual(states, ['claiming', 'mine', 'released', 'claiming', 'mine']);
    assert.deepEqual([lease.view.changed, lease.view.stale], [false, false]);
  });

  test('F19: after an idle release, a record that another person had comes back stale', async () => {
    const { lease, bob, page } = world();
    await lease.claim();
    await settle();
    await lease.release();
    await bob.claim();
    await bob.release();
    await page.advance(1_000);
    await lease.claim();
    assert.deepEqual([lease.view.state, lease.view.changed, lease.view.stale], ['mine', true, true]);
  });

  test('F19: after an idle release, a record that another person has is held, not lost', async () => {
    const { lease, bob } = world();
    await lease.claim();
    await lease.release();
    await bob.claim();
    await lease.claim();
    assert.equal(lease.view.state, 'held');
  });

  test('a released lease renews nothing, and waits for nothing', async () => {
    const { page, lease, bob, transport } = world();
    await lease.claim();
    await lease.release();
    await bob.claim();
    await bob.release();
    transport.calls.length = 0;
    await page.advance(600_000);
    assert.equal(lease.view.state, 'released');
    assert.deepEqual(transport.calls, []);
  });

  test('a claim that is answered after the release is given back', async () => {
    const { lease, transport, backend } = world();
    let answer = () => {};
    transport.trouble = (verb) =>
      verb === 'claim' ? new Promise((resolve) => (answer = resolve)) : undefined;
    void lease.claim();
    await settle();
    const released = lease.release();
    await settle();
    answer();
    await released;
    assert.equal(lease.view.state, 'released');
    assert.deepEqual(transport.calls, ['claim 42', 'release 42 0']);
    assert.equal((await backend.service.read(person('bob'), REF)).locks.length, 0);
  });

  test('release resolves even where the server fails', async () => {
    const { lease, transport } = world();
    await lease.claim();
    transport.trouble = failing('release');
    await lease.release();
    assert.equal(lease.view.state, 'released');
  });

  test('F2: leaving the page sends the release at once, with grace, as a request that outlives it', async () => {
    const { page, lease, transport } = world();
    await lease.claim();
    page.fire('leave');
    assert.deepEqual(transport.calls.at(-1), 'release 42 5000 keepalive');
    assert.equal(transport.requests.at(-1)?.sessionId, transport.requests[0]?.sessionId);
  });

  test('F11: a reload comes back inside the grace, while another person waits', async () => {
    const { page, lease, transport, backend } = world();
    await lease.claim();
    const bobs = createLockClient({ transport: new FakeTransport(backend, person('bob')) }, page);
    const waiting = bobs.openLease(REF).lease;
    await waiting.claim();
    page.fire('leave');
    await page.advance(2_000);
    const reloaded = createLockClient({ transport: new FakeTransport(backend, person('anna')) }, page);
    const again = reloaded.openLease(REF).lease;
    await again.claim();
    await page.advance(10_000);
    assert.deepEqual([again.view.state, waiting.view.state], ['mine', 'held']);
    assert.equal(transport.calls.length, 2);
  });

  test('F9: a page that comes back from the back/forward cache claims again, with a new session', async () => {
    const { page, lease, transport, states } = world();
    await lease.claim();
    page.fire('leave');
    await page.advance(600_000);
    assert.equal(transport.calls.length, 2);
    page.fire('wake');
    await settle();
    assert.deepEqual(states, ['claiming', 'mine', 'claiming', 'mine']);
    assert.notEqual(transport.requests.at(-1)?.sessionId, transport.requests[0]?.sessionId);
    assert.equal(lease.view.stale, false);
  });

  test('a form that only waits releases nothing when the page is left', async () => {
    const { page, lease, bob, transport } = world();
    await bob.claim();
    await lease.claim();
    page.fire('leave');
    assert.deepEqual(transport.calls, ['claim 42']);
  });

  test('nothing is released on leaving where it is switched off, or where the backend knows no sessions', async () => {
    for (const setup of [{ options: { releaseOnLeave: false } }, { can: { sessions: false } }]) {
      const { page, lease, transport } = world(setup);
      await lease.claim();
      page.fire('leave');
      assert.deepEqual(transport.calls, ['claim 42']);
    }
  });

  test('F21: closing one of two windows leaves the lock to the other, and a late release does nothing', async () => {
    const { lease, backend, transport } = world();
    await lease.claim();
    const closed = transport.requests[0]?.sessionId ?? '';
    await backend.service.claim(person('anna'), REF, { sessionId: 'other-window' });
    await lease.release();
    assert.equal((await backend.service.read(person('bob'), REF)).locks[0]?.holderOid, 'anna');
    await backend.service.release(person('anna'), REF, { sessionId: closed });
    assert.equal((await backend.service.read(person('bob'), REF)).locks.length, 1);
  });
});

describe('gaps', () => {
  test('after a store that came back empty, the holder is first and keeps the record', async () => {
    const { page, lease, transport, backend } = world();
    await lease.claim();
    await settle();
    const bobsTransport = new FakeTransport(backend, person('bob'));
    const waiting = createLockClient({ transport: bobsTransport }, page).openLease(REF).lease;
    await waiting.claim();
    await page.advance(10_000);
    backend.restartEmpty();
    // Bob's page hears first, has no delay of its own, and Anna's hears half a second later.
    page.randoms = [0, 0];
    bobsTransport.disconnect();
    bobsTransport.connect();
    await page.advance(500);
    transport.connect();
    await page.advance(5_000);
    assert.deepEqual([lease.view.state, waiting.view.state], ['mine', 'held']);
    assert.equal(lease.view.stale, false);
  });

  test('F25: a release that was missed is found within a second and a half of reconnecting', async () => {
    const { page, lease, transport, bob } = world();
    await bob.claim();
    await lease.claim();
    await page.advance(1_000);
    transport.disconnect();
    transport.trouble = failing('list');
    await bob.release();
    await page.advance(60_000);
    assert.equal(lease.view.state, 'held');
    transport.trouble = null;
    transport.connect();
    await page.advance(1_400);
    assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
  });

  test('a list that no longer shows my lock makes me ask, not give up', async () => {
    const { page, lease, client, transport, states } = world();
    client.watch({ entityType: TYPE, entityUid: 'other' }, () => {});
    await lease.claim();
    await settle();
    const list = transport.list.bind(transport);
    transport.list = async (type) => ({ ...(await list(type)), locks: [] });
    transport.resync();
    await page.advance(1_000);
    assert.deepEqual(states, ['claiming', 'mine']);
    assert.ok(transport.calls.filter((call) => call === 'renew 42').length >= 1);
  });
});
