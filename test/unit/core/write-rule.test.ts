import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FENCE_LIFETIME_MS,
  LockError,
  readFenceHeader,
  refuseWrite,
  type LockSnapshot,
} from '../../../core/index.ts';

const NOW = 1_700_000_000_000;
const FENCE = NOW - 60_000;

const lockOf = (holderOid: string) => ({
  entityType: 'Order',
  entityUid: '1',
  holderOid,
  holderName: holderOid === 'anna' ? 'Anna' : 'Ben',
  acquiredAtUtc: new Date(FENCE).toISOString(),
  expiresAtUtc: new Date(NOW + 240_000).toISOString(),
  expiresInMs: 240_000,
  fence: FENCE,
  at: NOW * 1_000,
});
const free = (fence: number): LockSnapshot => ({ lock: null, fence, asOf: NOW * 1_000 });
const heldBy = (oid: string): LockSnapshot => ({ lock: lockOf(oid), fence: FENCE, asOf: NOW * 1_000 });

describe('refuseWrite', () => {
  const table: readonly (readonly [
    what: string,
    snapshot: LockSnapshot,
    fence: number | undefined,
    code: string | null,
  ])[] = [
    ['a free record', free(FENCE), undefined, null],
    ['a record that was never locked', free(0), undefined, null],
    ['one’s own lock', heldBy('anna'), undefined, null],
    ['one’s own lock and its fence', heldBy('anna'), FENCE, null],
    ['another’s lock', heldBy('ben'), undefined, 'entity-locked'],
    ['another’s lock, whatever the fence', heldBy('ben'), FENCE, 'entity-locked'],
    ['a free record with the last fence', free(FENCE), FENCE, null],
    ['a free record that somebody else held since', free(FENCE), FENCE - 1, 'stale-fence'],
    ['one’s own lock, but a fence of an earlier time', heldBy('anna'), FENCE - 1, 'stale-fence'],
    ['a fence that the store has not reached', free(FENCE), FENCE + 1, 'stale-fence'],
    ['a young fence where the store lost its own', free(0), NOW - FENCE_LIFETIME_MS + 1, null],
    ['a fence older than the store keeps one', free(0), NOW - FENCE_LIFETIME_MS, 'stale-fence'],
  ];
  for (const [what, snapshot, fence, code] of table) {
    it(`${code === null ? 'lets the write go ahead' : `answers ${code}`}: ${what}`, () => {
      assert.equal(refuseWrite('anna', snapshot, fence)?.code ?? null, code);
    });
  }

  it('hands over the lock in the way, or null where there is none', () => {
    assert.deepEqual(refuseWrite('anna', heldBy('ben'), undefined)?.details.lock, lockOf('ben'));
    assert.match(refuseWrite('anna', heldBy('ben'), undefined)?.message ?? '', /^Ben is editing/);
    assert.deepEqual(refuseWrite('anna', heldBy('anna'), 1)?.details.lock, lockOf('anna'));
    assert.equal(refuseWrite('anna', free(FENCE), 1)?.details.lock, null);
  });
});

describe('readFenceHeader', () => {
  it('reads a whole number, and takes absence for no fence', () => {
    assert.equal(readFenceHeader('1700000000000'), 1_700_000_000_000);
    assert.equal(readFenceHeader(undefined), undefined);
    assert.equal(readFenceHeader(null), undefined);
  });

  for (const value of [
    '',
    '0',
    '-1',
    '01',
    '1.5',
    '1e3',
    ' 1',
    'abc',
    '1, 2',
    '9007199254740993',
    '9'.repeat(17),
  ]) {
    it(`refuses ${JSON.stringify(value)}, naming the header`, () => {
      assert.throws(
        () => readFenceHeader(value),
        (error: unknown) =>
          error instanceof LockError && error.status === 400 && error.details.field === 'Lock-Fence',
      );
    });
  }
});
