import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redisAdvice } from '../../../server/redis/redis-advice.ts';

describe('redisAdvice', () => {
  it('says nothing where all is well, and nothing of what INFO leaves out', () => {
    assert.deepEqual(redisAdvice('maxmemory_policy:noeviction\r\ncluster_enabled:0\r\n', false), []);
    assert.deepEqual(redisAdvice('', false), []);
  });

  it('warns of a policy that drops live locks, and of a cluster behind a plain address', () => {
    assert.match(
      redisAdvice('maxmemory_policy:allkeys-lru\r\n', false)[0] ?? '',
      /"allkeys-lru".*"noeviction"/,
    );
    assert.match(redisAdvice('cluster_enabled:1\r\n', false)[0] ?? '', /MOVED.*REDIS_CLUSTER/);
  });

  it('a cluster is no surprise to a client of clusters', () => {
    assert.deepEqual(redisAdvice('cluster_enabled:1\r\n', true), []);
  });
});
