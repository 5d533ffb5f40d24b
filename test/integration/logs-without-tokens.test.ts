import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { lockable } from '../../core/index.ts';
import { jsonLog, memoryBackend, pinoLog, redisBackend, type Identify } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startNode } from '../support/rowlock-node.ts';
import { testIdentity, tokenFor } from '../support/test-tokens.ts';

const OPAQUE = 'opaque-session-token-of-eve-0123456789';

describe('log lines', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  for (const [name, logTo] of [
    ['of jsonLog', (lines: string[]) => jsonLog({ write: (line) => lines.push(line) })],
    [
      'of an application’s pino',
      (lines: string[]) => {
        const write = (details: object, message: string) =>
          lines.push(JSON.stringify({ ...details, message }));
        return pinoLog({ info: write, warn: write, error: write });
      },
    ],
  ] as const) {
    it(`${name} never show a token, a hub’s address or a body, whatever goes wrong`, async () => {
      const lines: string[] = [];
      const log = logTo(lines);
      const verify = testIdentity();
      const ann = await tokenFor({ oid: 'ann', name: 'Ann' });
      const ben = await tokenFor({ oid: 'ben', name: 'Ben' });
      const expired = await tokenFor({ oid: 'ann', expiresInS: -600 });
      // An application's own function that puts the request it failed on into its error.
      const identify: Identify = async (request) => {
        const { authorization = '' } = request.headers;
        if (authorization.includes(OPAQUE) || request.headers['x-break'] !== undefined) {
          throw new Error(
            `no session for ${authorization}, ${String(request.url)}?access_token=${ann}&id=${ben}, not ${expired}`,
          );
        }
        return verify(request);
      };
      const node = await startNode({
        backend: redisBackend({ url: redis.url, log }),
        log,
        identify,
        types: [
          lockable('ApprovalRequest', {
            canTakeOver: () => {
              throw new Error(`the directory refused Bearer ${ben}`);
            },
          }),
        ],
      });
      const path = '/api/locks/ApprovalRequest/1';
      for (const as of [ann, ben, expired, OPAQUE, `${ann}x`, null]) {
        await node.call('POST', `${path}/claim`, { as, body: { sessionId: 'session-in-a-body' } });
        await node.call('GET', `${path}?access_token=${ann}`, { as });
        await node.call('GET', `/api/locks/mine`, { as, headers: { 'x-break': '1' } });
        await node.call('POST', `${path}/claim`, { as, body: '{"sessionId":"secret-in-a-broken-body' });
      }
      for (const transport of [
        HttpTransportType.WebSockets,
        HttpTransportType.ServerSentEvents,
        HttpTransportType.LongPolling,
      ]) {
        const page = await new HubClient({ url: node.url, user: { oid: 'ann' }, transport }).start();
        await page.stop();
      }
      for (const query of [
        `access_token=${OPAQUE}`,
        `access_token=${expired}`,
        `id=${ann}&access_token=${ben}`,
      ]) {
        await fetch(`${node.url}/hubs/entity-changes?${query}`);
        await fetch(`${node.url}/hubs/entity-changes/negotiate?${query}`, { method: 'POST' });
      }
      await node.stop();

      const text = lines.join('\n');
      assert.match(text, /no session for Bearer \[hidden\]/, 'the reasons are there');
      assert.match(text, /A caller of the hub could not be identified/);
      assert.match(text, /the directory refused Bearer \[hidden\]/);
      for (const token of [ann, ben, expired]) {
        for (const part of [token, ...token.split('.').slice(1)]) {
          assert.equal(text.includes(part), false, `a line has ${part.slice(0, 12)}…`);
        }
      }
      assert.equal(text.includes(OPAQUE), false, 'a line has the opaque token');
      assert.doesNotMatch(text, /session-in-a-body|secret-in-a-broken-body/);
      assert.doesNotMatch(text, /(?:access_token|[?&]id)=(?!\[hidden\])/);
    });
  }

  it('are of one line each, and of no caller’s making', async () => {
    const lines: string[] = [];
    const log = jsonLog({ write: (line) => lines.push(line) });
    const node = await startNode({
      backend: memoryBackend({ log }),
      log,
      identify: async () => {
        throw new Error('broken\r\n{"level":"error","message":"forged"}\u2028x');
      },
    });
    await node.call('GET', '/api/locks/mine', { as: null, headers: { 'x-request-id': 'a"}{"b' } });
    await node.stop();
    assert.ok(lines.length > 0, 'there are lines');
    for (const line of lines) {
      assert.equal(/[\r\n]/.test(line), false, line);
      assert.notEqual((JSON.parse(line) as { message: string }).message, 'forged');
      assert.equal(line.includes('a"}{"b'), false);
    }
  });
});
