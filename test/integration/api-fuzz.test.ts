import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryBackend } from '../../server/index.ts';
import { fuzzApi } from '../support/api-fuzz.ts';
import { silentLog } from '../support/silent-log.ts';

// test/full/api-fuzz.test.ts sends twenty times as many, to Redis as well.
const REQUESTS = 1_000;

describe('a thousand requests made from the API’s own document', () => {
  it('are answered as it says, with nothing of another tenant (F33)', async () => {
    const { byOperation, ownMarks } = await fuzzApi({
      backend: memoryBackend({ log: silentLog }),
      requests: REQUESTS,
      seed: 20_26,
    });
    assert.ok(ownMarks > 100, `${ownMarks} answers named a person of the caller's own tenant`);
    for (const [operation, [good, all]] of byOperation) {
      assert.ok(good > all / 5 && good > 10, `${operation}: ${good} of ${all} succeeded`);
    }
  });
});
