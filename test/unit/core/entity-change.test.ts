import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entityRef, isLockChange, newLockRecord, type EntityChange } from '../../../core/index.ts';

const ref = entityRef('Order', '1');
const lock = {
  ...newLockRecord(ref, { oid: 'anna', name: 'Anna' }, 0, 300_000),
  expiresInMs: 300_000,
  fence: 1,
  at: 1,
};

describe('isLockChange', () => {
  for (const operation of ['Acquired', 'Renewed', 'Released', 'TakenOver'] as const) {
    it(`knows ${operation}`, () => {
      assert.equal(isLockChange({ ...ref, operation, lock, fence: 1, at: 1 }), true);
    });
  }

  it('takes the application’s own words for changes of data, even one that borrows a name', () => {
    const changes: readonly EntityChange[] = [
      { ...ref, operation: 'Updated', at: 1 },
      { ...ref, operation: 'Approved', at: 1, by: { oid: 'anna', name: 'Anna', kind: 'user' } },
      { ...ref, operation: 'Released', at: 1 },
    ];
    assert.deepEqual(changes.map(isLockChange), [false, false, false]);
  });
});
