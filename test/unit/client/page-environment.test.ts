import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { countdown } from '../../../components/client/countdown.ts';
import { entitySpelling } from '../../../components/client/entity-spelling.ts';
import { browserPage, type PageMoment } from '../../../components/client/page-environment.ts';
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
  for (const event of ['online', 'pageshow', 'keydown', 'pointerdown', 'focus', 'pagehide']) {
    window.dispatchEvent(new Event(event));
  }
  for (const event of ['visibilitychange', 'resume']) document.dispatchEvent(new Event(event));
  assert.deepEqual(moments, ['wake', 'wake', 'input', 'input', 'input', 'leave', 'wake', 'wake']);
  document.hidden = true;
  document.dispatchEvent(new Event('visibilitychange'));
  assert.equal(moments.length, 8, 'being hidden wakes nobody');
  assert.equal(browserPage.isVisible(), false);
  stop();
  window.dispatchEvent(new Event('online'));
  assert.equal(moments.length, 8);
});

test('a countdown goes by the clock that moved more', () => {
  const page = new FakePage();
  const left = countdown(page, 1_000);
  page.sleep(400);
  assert.equal(left(), 600);
  page.sleep(-5_000);
  assert.equal(left(), 1_000);
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
