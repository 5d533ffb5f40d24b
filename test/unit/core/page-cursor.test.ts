import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError, readCursor, writeCursor } from '../../../core/index.ts';

describe('a page cursor', () => {
  for (const member of ['Order:1', 'a~b', 'lock:{acme}:Order:%2F', 'with\nline feed']) {
    it(`comes back as it was written: ${JSON.stringify(member)}`, () => {
      const cursor = { score: 1_700_000_000_123, member };
      assert.deepEqual(readCursor(writeCursor(cursor)), cursor);
    });
  }

  for (const cursor of [
    '',
    '~',
    '12',
    '12~',
    '~Order:1',
    'x~Order:1',
    '-1~Order:1',
    '1.5~a',
    `${'9'.repeat(17)}~a`,
  ]) {
    it(`is refused where this API never gave it out: ${JSON.stringify(cursor)}`, () => {
      assert.throws(
        () => readCursor(cursor),
        (error: unknown) =>
          error instanceof LockError && error.code === 'bad-request' && error.details.field === 'cursor',
      );
    });
  }
});
