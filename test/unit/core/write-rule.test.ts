import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FENCE_LIFETIME_MS,
  LockError,
  readFenceHeader,
  refuseWrite,
  writeRefused,
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
      assert.equal(refuseWrite('anna', snapshot, fence), code);
    });
  }
});

describe('writeRefused', () => {
  it('hands over the lock in the way, or null where there is none', () => {
    const error = writeRefused('entity-locked', lockOf('ben'));
    assert.deepEqual([error.code, error.status, error.details.lock], ['entity-locked', 409, lockOf('ben')]);
    assert.match(error.message, /^Ben is editing/);
    assert.equal(writeRefused('stale-fence', null).details.lock, null);
    assert.deepEqual(writeRefused('write-in-progress', lockOf('anna')).status, 409);
  });

  it('without a name that may be read, it is somebody', () => {
    for (const lock of [null, { ...lockOf('ben'), holderName: '' }]) {
      assert.match(writeRefused('entity-locked', lock).message, /^Somebody else is editing/);
    }
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
