import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockMap } from '../../../components/client/lock-map.ts';
import { pageClock } from '../../../components/client/page-clock.ts';
import type { LockView } from '../../../components/client/index.ts';
import { refKey, type LiveLock } from '../../../core/index.ts';
import { REF, TYPE } from './fake-backend.ts';
import { FakePage } from './fake-page.ts';

const KEY = refKey(REF);

function lock(at: number, { fence = 1, oid = 'bob', expiresInMs = 300_000, uid = '42' } = {}): LiveLock {
  return {
    entityType: TYPE,
    entityUid: uid,
    holderOid: oid,
    holderName: oid,
    acquiredAtUtc: '2030-01-01T00:00:00.000Z',
    expiresAtUtc: '1999-01-01T00:00:00.000Z',
    expiresInMs,
    fence,
    at,
  };
}

function list(asOf: number, ...locks: LiveLock[]) {
  return { locks, asOf, me: { holderOid: 'anna' }, store: 'ok' as const };
}

function watched() {
  const page = new FakePage();
  const clock = pageClock(page, () => map.sweep());
  const map = lockMap(page, clock);
  const seen: (string | null)[] = [];
  map.subscribe(KEY, (view, cause) => seen.push(view === null ? `free by ${cause}` : view.lock.holderOid));
  return { page, map, seen };
}

test('older news is dropped, by fence first and then by moment', () => {
  const { map, seen } = watched();
  assert.equal(map.apply(lock(100, { fence: 5 })), true);
  assert.equal(map.apply(lock(99, { fence: 5, oid: 'old' })), false);
  assert.equal(map.apply(lock(200, { fence: 4, oid: 'older' })), false);
  assert.equal(map.apply(lock(90, { fence: 6, oid: 'carl' })), true, 'a failover set the clock back');
  assert.deepEqual(seen, ['bob', 'carl']);
});

test('the same news twice is the last word, and tells nobody again', () => {
  const { map, seen } = watched();
  map.apply(lock(100));
  assert.equal(map.apply(lock(100)), true);
  assert.deepEqual(seen, ['bob']);
});

test('where a backend has no fences, the moment decides', () => {
  const { map, seen } = watched();
  map.apply(lock(100, { fence: 0 }));
  map.apply(lock(99, { fence: 0, oid: 'old' }));
  map.apply(lock(101, { fence: 0, oid: 'carl' }));
  assert.deepEqual(seen, ['bob', 'carl']);
});

test('an end is remembered, so that late news of the time before it does not bring the lock back', () => {
  const { map, seen } = watched();
  map.apply(lock(100));
  map.apply(lock(110), true);
  map.apply(lock(105));
  assert.deepEqual(seen, ['bob', 'free by news']);
  assert.equal(map.get(KEY), null);
});

test('a list changes and removes only what is not newer than itself', () => {
  const { map, seen } = watched();
  map.apply(lock(100));
  map.applyList(TYPE, list(99));
  assert.deepEqual(seen, ['bob']);
  map.applyList(TYPE, list(100));
  assert.deepEqual(seen, ['bob', 'free by list']);
  map.applyList(TYPE, list(120, lock(120, { oid: 'carl', fence: 2 })));
  map.applyList(TYPE, list(110, lock(110)));
  assert.deepEqual(seen, ['bob', 'free by list', 'carl']);
});

test('a list says nothing about other types', () => {
  const { map, seen } = watched();
  map.apply(lock(100));
  map.applyList('Invoice', list(200));
  assert.deepEqual(seen, ['bob']);
});

test("F5, F23: a lock ends by the page's own timer at the end of its lease, whatever the server's dates say", async () => {
  const { page, map, seen } = watched();
  map.apply(lock(100));
  await page.advance(299_999);
  assert.deepEqual(seen, ['bob']);
  await page.advance(1);
  assert.deepEqual(seen, ['bob', 'free by lapse']);
});

test('a renewal moves the end on', async () => {
  const { page, map } = watched();
  map.apply(lock(100));
  await page.advance(200_000);
  map.apply(lock(200));
  await page.advance(299_999);
  assert.equal(map.get(KEY)?.lock.holderOid, 'bob');
  await page.advance(1);
  assert.equal(map.get(KEY), null);
});

test('after a sleep, a lapse is seen at once and not when the timers come', () => {
  const { page, map, seen } = watched();
  map.apply(lock(100));
  page.sleep(3_600_000);
  assert.equal(map.get(KEY), null);
  map.sweep();
  assert.deepEqual(seen, ['bob', 'free by lapse']);
});

test('when the page learns who its user is, its own locks become its own', () => {
  const { map } = watched();
  const views: (LockView | null)[] = [];
  map.apply(lock(100, { oid: 'anna' }));
  map.subscribe(KEY, (view) => views.push(view));
  map.holderOid = 'anna';
  map.holderOid = '';
  assert.deepEqual(
    views.map((view) => view?.mine),
    [true],
  );
  assert.equal(map.holderOid, 'anna');
});

test('one timer serves a thousand locks, and to forget them is to forget the user', () => {
  const { page, map } = watched();
  map.applyList(TYPE, list(100, ...Array.from({ length: 1_000 }, (_, n) => lock(100, { uid: `${n}` }))));
  assert.equal(page.timerCount, 1);
  map.clear();
  assert.equal(map.get(refKey({ entityType: TYPE, entityUid: '7' })), null);
  assert.equal(map.holderOid, null);
});

test('ends are forgotten after ten minutes', async () => {
  const { page, map, seen } = watched();
  map.apply(lock(100, { expiresInMs: 1_000 }));
  await page.advance(601_001);
  map.sweep();
  map.apply(lock(50));
  assert.deepEqual(seen, ['bob', 'free by lapse', 'bob']);
});
