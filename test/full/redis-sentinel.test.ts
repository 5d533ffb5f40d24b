import type { Request } from 'express';
import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { entityRef } from '../../core/index.ts';
import { redisBackend, type LockBackend, type RedisBackendOptions } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startClaimLoad } from '../support/claim-load.ts';
import { startRedisSentinel, type RedisSentinel } from '../support/redis-sentinel.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const BOB = { oid: 'bob', name: 'Bob Kay' };
/** Nobody ever waits longer for a Redis that does not answer, in milliseconds. */
const WORST_WAIT_MS = 1_500;
const FAILOVER_MS = 20_000;

describe('a Redis behind Sentinel', () => {
  let redis: RedisSentinel;
  const backends: LockBackend[] = [];
  const open = (more: Partial<RedisBackendOptions> = {}) => {
    const sentinel = { sentinels: redis.sentinels, name: redis.name };
    const backend = redisBackend({ sentinel, log: silentLog, ...more });
    backends.push(backend);
    return backend;
  };

  before(async () => {
    redis = await startRedisSentinel();
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.stop()));
  });
  after(() => redis.stop());

  it('the master is killed while people claim: nobody waits, locks and changes come back by themselves, nothing is carried out late', async (t) => {
    const backend = open();
    const gaps: number[] = [];
    backend.feed.onGap(() => gaps.push(performance.now()));
    const node = await startNode({
      backend,
      routes: (app, { guardWrites }) => {
        const uid = (request: Request) => request.params['id'];
        app.put('/requests/:id', guardWrites({ type: 'ApprovalRequest', uid }), (_request, response) => {
          response.json({ ok: true });
        });
      },
    });
    const recorder = await ChangeRecorder.start(backend.feed, TEST_TENANT);
    const kept = entityRef('ApprovalRequest', 'kept');
    await node.claim({ oid: 'ann', name: 'Ann Lee' }, kept);

    const load = await startClaimLoad({ node, user: BOB, writePath: '/requests/free' });
    await until('claims run', () => load.claims.length > 5);
    const killedAtMs = performance.now();
    const promoted = await redis.failover();
    const promotedAfterMs = performance.now() - killedAtMs;
    await until(
      'claims are answered again',
      () => load.claims.slice(-10).every(({ answer }) => answer.outcome === 'acquired'),
      FAILOVER_MS,
    );
    const steadyAfterMs = performance.now() - killedAtMs;
    await until('the gap is told', () => gaps.length > 0, FAILOVER_MS);
    const held = await node.claim(BOB, kept);
    const fresh = entityRef('ApprovalRequest', 'fresh');
    await node.claim(BOB, fresh);
    await until('changes are heard', () =>
      recorder.changes(TEST_TENANT).some(({ entityUid }) => entityUid === 'fresh'),
    );
    await load.stop();
    recorder.stop();

    const unknown = load.claims.filter(({ answer }) => answer.outcome === 'unknown');
    const inspector = new Redis(promoted.url);
    const fences = await inspector.mget(
      unknown.map(({ ref }) => `lockfence:{${TEST_TENANT}}:${ref.entityType}:${ref.entityUid}`),
    );
    inspector.disconnect();
    const late = unknown.filter(
      ({ answeredAtMs }, at) => Number.parseInt(fences[at] ?? '0', 10) > answeredAtMs,
    );
    const worstMs = Math.max(...load.claims.map(({ tookMs }) => tookMs), load.writes.worstMs);
    t.diagnostic(
      `claims ${String(load.claims.length)}, unknown ${String(unknown.length)}, worst ${String(Math.round(worstMs))} ms, ` +
        `promoted after ${String(Math.round(promotedAfterMs))} ms, steady after ${String(Math.round(steadyAfterMs))} ms, ` +
        `late ${String(late.length)}, gaps ${String(gaps.length)}`,
    );
    await node.stop();
    assert.ok(
      worstMs < WORST_WAIT_MS + load.ownDelayMs,
      `the worst wait was ${String(Math.round(worstMs))} ms`,
    );
    assert.ok(unknown.length > 10, `only ${String(unknown.length)} claims were answered "unknown"`);
    assert.deepEqual(late, [], 'claims that were carried out after their answer "unknown"');
    assert.equal(
      load.writes.statuses.every((status) => status === 200),
      true,
      'writes that failed',
    );
    assert.equal(held.outcome, 'held', 'the lock from before the failover');
    assert.equal(gaps.length, 1);
  });

  it('no Sentinel answers: the server starts within a second or so, and says why', async () => {
    const warnings: string[] = [];
    const backend = open({
      sentinel: { sentinels: [{ host: '127.0.0.1', port: 1 }], name: redis.name },
      log: { ...silentLog, warn: (message) => warnings.push(message) },
    });
    const startedMs = performance.now();
    await backend.start();
    assert.ok(performance.now() - startedMs < WORST_WAIT_MS, 'the start waited');
    await assert.rejects(
      backend.store.read({ tenant: TEST_TENANT, ref: entityRef('Doc', '1') }),
      /No master by way of Sentinel: failed to connect to sentinel 127\.0\.0\.1:1 /,
    );
    assert.equal(warnings.length, 1);
  });

  it('a master’s name that the Sentinels do not know: said as it is, and the server starts', async () => {
    const backend = open({ sentinel: { sentinels: redis.sentinels, name: 'nobody' } });
    await backend.start();
    await assert.rejects(
      backend.store.read({ tenant: TEST_TENANT, ref: entityRef('Doc', '1') }),
      /No master by way of Sentinel: .*No such master with that name/,
    );
  });
});
