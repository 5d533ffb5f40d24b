import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soonToEnd } from '../../../components/client/soon-to-end.ts';
import type { LiveLock } from '../../../core/index.ts';
import { FakePage } from './fake-page.ts';

function lock(entityType: string, expiresInMs: number): LiveLock {
  const nobody = { entityUid: '1', holderOid: '', holderName: '', acquiredAtUtc: '', expiresAtUtc: '' };
  return { ...nobody, entityType, expiresInMs, fence: 0, at: 0 };
}

function watched() {
  const page = new FakePage();
  const asked: string[] = [];
  const start = page.monotonic();
  const ends = soonToEnd(page, (entityType) => asked.push(`${entityType} ${page.monotonic() - start}`));
  return { page, asked, ends };
}

test('asks once per type, two seconds before the first of its locks ends', async () => {
  const { page, asked, ends } = watched();
  ends.heard(lock('Invoice', 60_000));
  ends.heard(lock('Invoice', 30_000));
  ends.heard(lock('Invoice', 90_000));
  ends.heard(lock('ApprovalRequest', 40_000));
  await page.advance(100_000);
  assert.deepEqual(asked, ['Invoice 28000', 'ApprovalRequest 38000']);
});

test('asks when a lock has ended, where it is too late to ask before', async () => {
  const { page, asked, ends } = watched();
  ends.heard(lock('Invoice', 1_500));
  await page.advance(10_000);
  assert.deepEqual(asked, ['Invoice 1500']);
});

test('a record that is past its end is not asked for', async () => {
  const { page, asked, ends } = watched();
  ends.heard(lock('Invoice', 0));
  await page.advance(10_000);
  assert.deepEqual(asked, []);
});

test('stop ends every timer', () => {
  const { page, ends } = watched();
  ends.heard(lock('Invoice', 30_000));
  ends.heard(lock('ApprovalRequest', 30_000));
  ends.stop();
  ends.stop();
  assert.equal(page.timerCount, 0);
});
