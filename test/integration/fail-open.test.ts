import type { Request } from 'express';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import type { EntityRef, LeaseAnswer } from '../../core/index.ts';
import { redisBackend } from '../../server/index.ts';
import { freePort } from '../support/free-port.ts';
import { HubClient } from '../support/hub-client.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };

/** Nobody ever waits longer for a Redis that does not answer, in milliseconds. */
const WORST_WAIT_MS = 1_500;
/** How long the load lasts in each outage, in milliseconds: longer than every timeout of the connection. */
const OUTAGE_MS = 2_500;

describe('while Redis is away', () => {
  let redis: RedisServer;
  let node: RowlockNode;
  let warnings: { readonly message: string; readonly reason: unknown }[] = [];
  let entities = 0;
  const newRef = (): EntityRef => {
    entities += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${entities}` };
  };
  const start = (url: string) =>
    startNode({
      backend: redisBackend({ url, log: silentLog }),
      log: {
        ...silentLog,
        warn: (message, details) => warnings.push({ message, reason: details?.['reason'] }),
      },
      routes: (app, { guardWrites }) => {
        const uid = (request: Request) => request.params['id'];
        app.put('/requests/:id', guardWrites({ type: 'ApprovalRequest', uid }), (_request, response) => {
          response.json({ ok: true });
        });
      },
    });

  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  describe('under load', () => {
    beforeEach(async () => {
      warnings = [];
      await redis.restart();
      node = await start(redis.url);
    });
    afterEach(() => node.stop());

    for (const { name, silence, recover } of [
      { name: 'killed (SIGKILL)', silence: () => redis.kill('SIGKILL'), recover: () => redis.restart() },
      {
        name: 'silent (SIGSTOP)',
        silence: () => redis.kill('SIGSTOP'),
        recover: async () => redis.kill('SIGCONT'),
      },
    ]) {
      it(`${name}: claims, reads and writes are answered fast, nothing is carried out later, and all is well again after`, async () => {
        const held = newRef();
        await node.claim(ANN, held);
        silence();
        const { claims, worstMs } = await loadOn(node, newRef, held);
        assert.ok(claims.length > 20, `only ${claims.length} claims were asked`);
        assert.ok(worstMs < WORST_WAIT_MS, `the worst wait was ${Math.round(worstMs)} ms`);
        const unknown = claims.filter(({ answer }) => answer.outcome === 'unknown');
        assert.equal(unknown.length > 20, true);
        assert.equal(
          unknown.every(({ answer }) => answer.lock === null && answer.renewAfterMs <= 10_000),
          true,
        );
        assert.equal(warnings.length, 1, JSON.stringify(warnings));
        assert.match(String(warnings[0]?.reason), /Redis|connection|ECONN/i);

        await recover();
        await until(
          'claims are answered again',
          async () => (await node.claim(BOB, newRef())).outcome === 'acquired',
        );
        const inspector = new Redis(redis.url);
        const stored = await inspector.mget(
          unknown.map(({ ref }) => `lock:{${TEST_TENANT}}:ApprovalRequest:${ref.entityUid}`),
        );
        inspector.disconnect();
        assert.deepEqual(
          stored.filter((record) => record !== null),
          [],
          'claims that were answered "unknown" and stored',
        );
        assert.equal(
          (await node.call('GET', '/readyz', { as: null })).text,
          '{"status":"ok","store":{"kind":"redis","state":"ok"}}',
        );
      });
    }

    it('pages of this node still hear of its own writes', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start('ApprovalRequest');
      redis.kill('SIGKILL');
      const ref = newRef();
      await until(
        'the outage is noticed',
        async () => (await node.claim(ANN, newRef())).outcome === 'unknown',
      );
      const { status } = await node.call('PUT', `/requests/${ref.entityUid}`, { as: ANN });
      assert.equal(status, 200);
      await client.heard('Updated', ref.entityUid);
      await client.stop();
    });
  });

  it('refused at start: the server starts within a second or so, answers, and finds Redis when it comes', async () => {
    const port = await freePort();
    const startedMs = performance.now();
    const early = await start(`redis://127.0.0.1:${port}`);
    assert.equal(performance.now() - startedMs < WORST_WAIT_MS, true);
    const ref = newRef();
    assert.equal((await early.claim(ANN, ref)).outcome, 'unknown');
    const { status, json } = await early.call('GET', '/api/locks/ApprovalRequest', { as: ANN });
    assert.equal(status, 200);
    assert.deepEqual([json['store'], json['locks'], json['asOf']], ['unavailable', [], 0]);
    assert.equal((await early.call('PUT', `/requests/${ref.entityUid}`, { as: ANN })).status, 200);
    const ready = await early.call('GET', '/readyz', { as: null });
    assert.equal(ready.status, 200);
    assert.deepEqual(ready.json['store'], { kind: 'redis', state: 'unavailable' });

    const client = new HubClient({ url: early.url, user: BOB });
    await client.connection.start();
    const late = await startRedis({ port });
    await until('claims are answered', async () => (await early.claim(ANN, newRef())).outcome === 'acquired');
    await until('pages are told to fetch their lists', () => client.resyncs > 0);
    await client.stop();
    await early.stop();
    await late.stop();
  });

  it('a stop while Redis is silent does not hang', async () => {
    const stopping = await start(redis.url);
    redis.kill('SIGSTOP');
    const startedMs = performance.now();
    await stopping.stop();
    redis.kill('SIGCONT');
    assert.equal(performance.now() - startedMs < WORST_WAIT_MS, true);
  });
});

interface Claim {
  readonly ref: EntityRef;
  readonly answer: LeaseAnswer;
}

/** Twenty claims a second of new entities, and beside each a read, a list or a write, for the time of the outage. */
async function loadOn(node: RowlockNode, newRef: () => EntityRef, held: EntityRef) {
  let worstMs = 0;
  const claims: Claim[] = [];
  const timed = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    const startedMs = performance.now();
    const answer = await call;
    worstMs = Math.max(worstMs, performance.now() - startedMs);
    return answer;
  };
  const token = await tokenFor(BOB);
  const others = [
    () => node.call('GET', `/api/locks/ApprovalRequest/${held.entityUid}`, { as: token }),
    () => node.call('GET', '/api/locks/mine', { as: token }),
    () => node.call('PUT', `/requests/${held.entityUid}`, { as: token }),
  ];
  const calls: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const startedMs = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - startedMs > OUTAGE_MS) {
        clearInterval(timer);
        resolve();
        return;
      }
      const ref = newRef();
      calls.push(timed(node.claim(BOB, ref)).then((answer) => void claims.push({ ref, answer })));
      const other = others[calls.length % others.length];
      if (other !== undefined) calls.push(timed(other()).then(({ status }) => assert.equal(status, 200)));
    }, 50);
  });
  await Promise.all(calls);
  return { claims, worstMs };
}
