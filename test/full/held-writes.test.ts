import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { redisBackend } from '../../server/index.ts';
import { CarelessDesk, approveInPairs } from '../support/careless-desk.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tokenFor } from '../support/test-tokens.ts';

const ROUNDS = 200;

describe('two approvals at once with hold: true, on two nodes over one Redis', () => {
  const desk = new CarelessDesk();
  let redis: RedisServer;
  let nodes: readonly [RowlockNode, RowlockNode];

  const start = () =>
    startNode({
      backend: redisBackend({ url: redis.url, log: silentLog }),
      routes: (app, rowlock) => desk.addRoutes(app, rowlock),
    });
  before(async () => {
    redis = await startRedis();
    nodes = [await start(), await start()];
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await redis.stop();
  });

  for (const [who, second, code] of [
    ['two people', 'bob', 'entity-locked'],
    ['one person', 'ann', 'write-in-progress'],
  ] as const) {
    it(`by ${who}: exactly one decides, ${ROUNDS} times (F16)`, async () => {
      const tokens = [await tokenFor({ oid: 'ann' }), await tokenFor({ oid: second })] as const;
      const { wrong, refusals } = await approveInPairs(desk, nodes, tokens, ROUNDS, second);
      assert.deepEqual(wrong, []);
      assert.deepEqual(Object.keys(refusals), [code]);
      assert.equal((refusals[code] ?? 0) > ROUNDS / 2, true, `only ${refusals[code] ?? 0} met each other`);
    });
  }
});
