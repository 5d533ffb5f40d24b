import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entityRef, newLockRecord } from '../../../core/index.ts';

const ANNA = { oid: 'anna', name: 'Anna' };

describe('newLockRecord', () => {
  it('has exactly the six fields that other services read, in their order, in UTC', () => {
    assert.equal(
      JSON.stringify(newLockRecord(entityRef('Order', '1'), ANNA, Date.UTC(2026, 0, 31, 23, 59), 300_000)),
      '{"entityType":"Order","entityUid":"1","holderOid":"anna","holderName":"Anna",' +
        '"acquiredAtUtc":"2026-01-31T23:59:00.000Z","expiresAtUtc":"2026-02-01T00:04:00.000Z"}',
    );
  });

  it('takes nothing else from what it is given', () => {
    const ref = { ...entityRef('Order', '1'), tenant: 'acme' };
    const holder = { ...ANNA, token: 'secret' };
    assert.equal(Object.keys(newLockRecord(ref, holder, 0, 1)).length, 6);
  });

  it('keeps an older start', () => {
    const since = '2026-01-01T00:00:00.000Z';
    assert.equal(newLockRecord(entityRef('Order', '1'), ANNA, 0, 1, since).acquiredAtUtc, since);
  });
});
