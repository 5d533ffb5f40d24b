import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleRelease, type IdleForm } from '../../../components/idle-release.ts';
import { FakePage } from './fake-page.ts';

const MINUTE = 60_000;

/** A form that is this page's, and notes what is done with it. */
function watched(idleAfter = 10 * MINUTE) {
  const page = new FakePage();
  const said: string[] = [];
  class Form extends EventTarget implements IdleForm {
    readonly idleAfter = idleAfter;
    async release(isStillIdle: () => boolean) {
      if (!isStillIdle()) return;
      said.push('released');
      idle.follow('released');
    }
    claimUnobtrusively() {
      said.push('claimed');
      idle.follow('claiming');
      idle.follow('mine');
    }
    apply() {
      said.push(idle.notice || 'quiet');
    }
  }
  const form = new Form();
  const idle = idleRelease(form, page);
  idle.follow('mine');
  const input = (path: readonly EventTarget[] = [form], isTrusted = true) =>
    page.fire('input', { type: 'keydown', isTrusted, composedPath: () => path } as unknown as Event);
  return { page, said, idle, input };
}

test('F19: the warning comes a minute before the release, each of them once, and then nothing is left to time', async () => {
  const { page, said } = watched();
  await page.advance(9 * MINUTE - 1);
  assert.deepEqual(said, []);
  await page.advance(1);
  assert.deepEqual(said, ['idle']);
  await page.advance(MINUTE - 1);
  assert.deepEqual(said, ['idle']);
  await page.advance(1);
  assert.deepEqual(said, ['idle', 'released']);
  await page.advance(100 * MINUTE);
  assert.deepEqual(said, ['idle', 'released']);
  assert.equal(page.timerCount, 0);
});

test('F19: of less than two minutes, the second half is the warning', async () => {
  const { page, said } = watched(1_000);
  await page.advance(500);
  assert.deepEqual(said, ['idle']);
  await page.advance(500);
  assert.deepEqual(said, ['idle', 'released']);
});

test('F19: whatever a person does in the form begins anew, before the warning and after it', async () => {
  const { page, said, input } = watched();
  for (let n = 0; n < 20; n += 1) {
    await page.advance(8 * MINUTE);
    input();
  }
  assert.deepEqual(said, []);
  await page.advance(9 * MINUTE + 1_000);
  input();
  assert.deepEqual(said, ['idle', 'quiet']);
  await page.advance(9 * MINUTE - 1);
  assert.deepEqual(said, ['idle', 'quiet']);
});

test('F19: what is done beside the form, or by a script, is not input', async () => {
  const { page, said, input } = watched();
  for (let n = 0; n < 10; n += 1) {
    await page.advance(MINUTE);
    input([new EventTarget()]);
    input(undefined, false);
  }
  assert.deepEqual(said.slice(0, 2), ['idle', 'released']);
});

test('F19: a hidden tab whose timers run once a minute is at most a minute late with each', async () => {
  const { page, said, idle } = watched();
  idle.follow('claiming');
  page.throttleMs = MINUTE;
  page.visible = false;
  await page.advance(1);
  idle.follow('mine');
  await page.advance(9 * MINUTE - 1);
  assert.deepEqual(said, []);
  await page.advance(MINUTE);
  assert.deepEqual(said, ['idle']);
  await page.advance(2 * MINUTE);
  assert.deepEqual(said, ['idle', 'released']);
});

test('F19: sleep counts, but nobody meets the release unwarned', async () => {
  const { page, said } = watched();
  page.sleep(600 * MINUTE);
  await page.advance(10_000);
  assert.deepEqual(said, ['idle']);
  await page.advance(MINUTE - 10_000);
  assert.deepEqual(said, ['idle']);
  await page.advance(10_000);
  assert.deepEqual(said, ['idle', 'released']);
});

test('F19, F23: a wall clock that is set back delays nothing', async () => {
  const { page, said } = watched();
  page.sleep(-1_440 * MINUTE);
  await page.advance(10 * MINUTE);
  assert.deepEqual(said, ['idle', 'released']);
});

test('F19: whoever comes back gets it back, once; a hidden page and a network bring nobody', async () => {
  const { page, said, input } = watched();
  await page.advance(10 * MINUTE);
  said.length = 0;
  page.fire('wake', { type: 'online' } as Event);
  page.visible = false;
  page.fire('wake', { type: 'pageshow' } as Event);
  assert.deepEqual(said, []);
  page.visible = true;
  page.fire('wake', { type: 'visibilitychange' } as Event);
  input();
  assert.deepEqual(said, ['claimed']);
  await page.advance(10 * MINUTE);
  said.length = 0;
  // Anywhere in the page.
  input([new EventTarget()]);
  assert.deepEqual(said, ['claimed']);
});

test('a form without idle-after starts no timer and hears nothing', () => {
  const { page } = watched(0);
  assert.deepEqual([page.timerCount, page.listenerCount], [0, 0]);
});

test('one that has left the page leaves no timer and no listener; back again, it counts from there', async () => {
  const { page, said, idle } = watched();
  await page.advance(5 * MINUTE);
  idle.stop();
  idle.stop();
  assert.deepEqual([page.timerCount, page.listenerCount], [0, 0]);
  await page.advance(100 * MINUTE);
  assert.deepEqual(said, []);
  idle.follow('mine');
  await page.advance(9 * MINUTE);
  assert.deepEqual(said, ['idle']);
});
