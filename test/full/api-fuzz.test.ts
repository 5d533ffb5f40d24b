import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { memoryBackend, redisBackend, type LockBackend } from '../../server/index.ts';
import { fuzzApi } from '../support/api-fuzz.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';

describe('thousands of requests made from the API’s own document', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  const backends: readonly (readonly [name: string, requests: number, backend: () => LockBackend])[] = [
    ['Redis', 20_000, () => redisBackend({ url: redis.url, log: silentLog })],
    ['the embedded store', 4_000, () => memoryBackend({ log: silentLog })],
  ];
  for (const [name, requests, backend] of backends) {
    it(`are answered as it says, with nothing of another tenant, on ${name} (F33)`, async (test) => {
      // A new one each time; what fails can be had again with it.
      const seed = randomInt(2 ** 31);
      test.diagnostic(`seed ${seed}`);
      const { byOperation, statuses, ownMarks } = await fuzzApi({ backend: backend(), requests, seed });
      test.diagnostic(`statuses ${JSON.stringify(Object.fromEntries(statuses))}`);
      assert.ok(ownMarks > requests / 10, `${ownMarks} answers named a person of the caller's own tenant`);
      for (const [operation, [good, all]] of byOperation) {
        assert.ok(good > all / 5 && good > requests / 100, `${operation}: ${good} of ${all} succeeded`);
      }
    });
  }
});
