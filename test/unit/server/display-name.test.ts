import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { displayName } from '../../../server/display-name.ts';
import { callerOf } from '../../../server/index.ts';
import { readChangeMessage } from '../../../server/redis/change-message.ts';
import { readRecord } from '../../../server/redis/stored-record.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';

const REF = { entityType: 'Order', entityUid: '1' };
const MOMENT = { leftMs: 1_000, fence: 1, at: 1_700_000_000_000_000 };

describe('a name as others see it', () => {
  for (const { what, name, shown } of HOSTILE_NAMES) {
    it(`${what}: the same from a token, the application’s identity, a foreign record and a foreign push`, async () => {
      assert.equal(displayName(name, ''), shown);
      const principal = { tenant: 't', oid: 'ann', name, kind: 'user' } as const;
      const caller = await callerOf(async () => principal, {} as unknown as IncomingMessage);
      assert.equal(caller.name, shown === '' ? 'ann' : shown);
      const record = { ...REF, holderOid: 'ann', holderName: name, acquiredAtUtc: '', expiresAtUtc: '' };
      assert.equal(readRecord(JSON.stringify(record), REF, MOMENT).holderName, shown);
      const news = JSON.stringify({ operation: 'Acquired', expiresInMs: 1, lock: record });
      const pushed = readChangeMessage(`7 ${MOMENT.at} ${news}`);
      assert.equal(
        pushed.kind === 'change' && 'lock' in pushed.change && pushed.change.lock.holderName,
        shown,
      );
      const by = { oid: 'ann', name, kind: 'user' };
      const told = readChangeMessage(
        `0 ${MOMENT.at} ${JSON.stringify({ ...REF, operation: 'Updated', by })}`,
      );
      assert.equal(told.kind === 'change' && 'by' in told.change && told.change.by.name, shown);
    });
  }

  it('people’s own names stay as they are', () => {
    for (const name of [
      'Ann Lee',
      'Zoë Müller-Łukasz',
      'O’Brien, José María',
      '山田 太郎',
      'עברית כהן',
      'محمد\u200cعلی',
      'क्\u200dष',
      '👩\u200d👩\u200d👧',
      'X',
    ]) {
      assert.equal(displayName(name, ''), name.normalize('NFC'));
    }
    for (const nothing of [undefined, null, 7, {}, '', '  ', '\u200d', '\u0301']) {
      assert.equal(displayName(nothing, 'id'), 'id');
    }
  });
});
