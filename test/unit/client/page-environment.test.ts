import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { entitySpelling } from '../../../components/client/entity-spelling.ts';
import { pageClock } from '../../../components/client/page-clock.ts';
import {
  browserPage,
  type PageEnvironment,
  type PageMoment,
} from '../../../components/client/page-environment.ts';
import { newSessionId } from '../../../components/client/session-id.ts';
import { entityRef } from '../../../core/index.ts';
import { FakePage } from './fake-page.ts';

function browser(t: TestContext) {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false });
  Object.assign(globalThis, { window, document });
  t.after(() => {
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(globalThis, 'document');
  });
  return { window, document };
}

test('in Node, where there is no page, nothing ever happens and it counts as visible', () => {
  const stop = browserPage.onMoment(() => assert.fail());
  assert.equal(browserPage.isVisible(), true);
  stop();
});

test('events become moments: waking, input, leaving', (t) => {
  const { window, document } = browser(t);
  const moments: PageMoment[] = [];
  const stop = browserPage.onMoment((moment) => moments.push(moment));
  for (const event of ['online', 'pageshow', 'keydown', 'pointerdown', 'pagehide']) {
    window.dispatchEvent(new Event(event));
  }
  // What happens to the document passes the window first.
  for (const event of ['visibilitychange', 'resume']) window.dispatchEvent(new Event(event));
  assert.deepEqual(moments, ['wake', 'wake', 'input', 'input', 'leave', 'wake', 'wake']);
  document.hidden = true;
  window.dispatchEvent(new Event('visibilitychange'));
  assert.equal(moments.length, 7, 'being hidden wakes nobody');
  assert.equal(browserPage.isVisible(), false);
  stop();
  window.dispatchEvent(new Event('online'));
  assert.equal(moments.length, 7);
});

test('time goes by the clock that moved more', async () => {
  const page = new FakePage();
  const clock = pageClock(page, () => {});
  const start = clock.after(0);
  page.sleep(4_000);
  assert.equal(clock.after(0), start + 4_000);
  page.sleep(-86_400_000);
  await page.advance(1_000);
  assert.equal(clock.after(0), start + 5_000);
});

test('a clock that is read often, or rounds, runs no faster', async () => {
  const page = new FakePage();
  const clock = pageClock(page, () => {});
  const start = clock.after(0);
  for (let n = 0; n < 1_000; n += 1) {
    page.sleep(n % 2 ? 1 : -1);
    await page.advance(0);
    clock.after(0);
  }
  assert.equal(clock.after(0), start);
});

test('an alarm comes at its moment, and a look every ten seconds tells of a sleep', async () => {
  const page = new FakePage();
  const slept: boolean[] = [];
  const clock = pageClock(page, (hasSlept) => slept.push(hasSlept));
  clock.after(5_000);
  clock.after(2_000);
  await page.advance(1_999);
  assert.deepEqual(slept, []);
  await page.advance(1);
  assert.deepEqual(slept, [false]);
  page.sleep(80_000);
  await page.advance(10_000);
  assert.deepEqual(slept, [false, true]);
  assert.equal(page.timerCount, 1);
  clock.stop();
  assert.equal(page.timerCount, 0);
  page.sleep(3_600_000);
  clock.after(1);
  await page.advance(1);
  assert.deepEqual(slept, [false, true, false], 'nobody slept who had nothing to do');
});

test('a look that is overdue on a busy page is not put off', async () => {
  const page = new FakePage();
  let lateMs = 0;
  let looks = 0;
  const busy: PageEnvironment = {
    timers: page.timers,
    now: () => page.now() + lateMs,
    monotonic: () => page.monotonic() + lateMs,
    random: () => 0,
    isVisible: () => true,
    onMoment: () => () => {},
  };
  const clock = pageClock(busy, () => (looks += 1));
  const at = clock.after(5_000);
  lateMs = 5_001;
  assert.equal(clock.isOver(at), true);
  clock.after(60_000);
  await page.advance(5_000);
  assert.equal(looks, 1);
});

test('a sleep is looked into at once when anything finds out', async () => {
  const page = new FakePage();
  const slept: boolean[] = [];
  const clock = pageClock(page, (hasSlept) => slept.push(hasSlept));
  const at = clock.after(5_000);
  page.sleep(3_600_000);
  assert.equal(clock.isOver(at), true);
  await page.advance(0);
  assert.deepEqual(slept, [true]);
});

test("entities are spelled as core's entityRef spells them", () => {
  for (const entityUid of [
    '42',
    'AAAAAAAA-bbbb-CCCC-DDDD-EEEEEEEEEEEE',
    'Ünïcode',
    'e\u0301',
    'a/b c',
    '{x}',
    'AAAAAAAA-bbbb',
  ]) {
    assert.deepEqual(entitySpelling({ entityType: 'T', entityUid }), entityRef('T', entityUid));
  }
});

test('R19: session ids are random and fit the API, without a secure context', () => {
  const ids = new Set(Array.from({ length: 1_000 }, newSessionId));
  assert.equal(ids.size, 1_000);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});
