import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { redisBackend } from '../../server/index.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

const WRITES = 400;
/** Not measured: connections and compiled code are not there yet. */
const WARM_UP = 50;
/** While Redis is away nobody waits longer than 600 ms, and usually nobody notices; with threefold headroom. */
const WORST_MS = 3 * 600;
const MEDIAN_MS = 3 * 5;

interface Latency {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

describe('a guarded PUT beside an unguarded one', () => {
  let redis: RedisServer;
  let node: RowlockNode;

  before(async () => {
    redis = await startRedis();
    node = await startNode({
      backend: redisBackend({ url: redis.url, log: silentLog }),
      routes: (app, rowlock) => {
        const guard = rowlock.guardWrites({ type: 'Invoice', uid: ({ params }) => params['uid'] });
        app.put('/plain/:uid', (_request, response) => void response.json({}));
        app.put('/guarded/:uid', guard, (_request, response) => void response.json({}));
      },
    });
  });
  after(async () => {
    await node.stop();
    await redis.stop();
  });

  /** Both in turn, so that whatever else the machine does meets both. Every write must succeed. */
  const measure = async (): Promise<{ readonly plain: Latency; readonly guarded: Latency }> => {
    const times = { plain: [] as number[], guarded: [] as number[] };
    for (let write = 0; write < WARM_UP + WRITES; write += 1) {
      for (const route of ['plain', 'guarded'] as const) {
        const startedAt = performance.now();
        const { status, text } = await node.call('PUT', `/${route}/${write}`, { as: { oid: 'ann' } });
        assert.equal(status, 200, text);
        if (write >= WARM_UP) times[route].push(performance.now() - startedAt);
      }
    }
    return { plain: latencyOf(times.plain), guarded: latencyOf(times.guarded) };
  };
  const tell = (t: TestContext, when: string, { plain, guarded }: Awaited<ReturnType<typeof measure>>) => {
    for (const name of ['medianMs', 'p99Ms', 'worstMs'] as const) {
      t.diagnostic(
        `${when}, ${name}: guarded ${guarded[name].toFixed(2)}, unguarded ${plain[name].toFixed(2)}, ` +
          `ratio ${(guarded[name] / plain[name]).toFixed(2)}`,
      );
    }
  };

  it('Redis up', async (t) => {
    tell(t, 'Redis up', await measure());
  });

  it('Redis killed: every write passes, and nobody waits', async (t) => {
    await redis.stop();
    const { plain, guarded } = await measure();
    tell(t, 'Redis down', { plain, guarded });
    assert.ok(guarded.worstMs < WORST_MS, `worst ${guarded.worstMs.toFixed(0)} ms`);
    assert.ok(guarded.medianMs < MEDIAN_MS + plain.medianMs, `median ${guarded.medianMs.toFixed(1)} ms`);
  });
});

function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { medianMs: at(0.5), p99Ms: at(0.99), worstMs: at(1) };
}
