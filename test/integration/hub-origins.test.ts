import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startHubNode, type HubNode } from '../support/hub-node.ts';
import { readAnswer, sendHubRequest } from '../support/hub-request.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';

describe('a hub and pages of other origins', () => {
  let cross: HubNode;
  before(async () => {
    cross = await startHubNode({ allowedOrigins: ['https://app.test'] });
  });
  after(() => cross.stop());
  const from = async (origin: string, method: string, path: string, more: Record<string, string> = {}) =>
    readAnswer(
      await sendHubRequest({ port: cross.port, method, path, token: null, headers: { origin, ...more } })
        .response,
    );

  it('a foreign page, or one of no origin, gets 403 on every request, with a valid token too', async () => {
    for (const origin of ['https://evil.test', 'https://app.test.evil.test', 'http://app.test', 'null']) {
      for (const [method, path] of [
        ['POST', '/hub/negotiate'],
        ['GET', '/hub?id=x'],
        ['POST', '/hub?id=x'],
        ['DELETE', '/hub?id=x'],
      ] as const) {
        const answer = await from(origin, method, path, { authorization: 'Bearer ann' });
        assert.deepEqual([answer.status, answer.text], [403, ''], `${origin} ${method} ${path}`);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
      const socket = await RawWebSocket.ask({ port: cross.port, headers: { origin } });
      assert.deepEqual([socket.answer.status, socket.answer.body], [403, ''], origin);
    }
  });

  it('a listed page and this host’s own get in; answers name the origin exactly', async () => {
    for (const origin of ['https://app.test', `http://127.0.0.1:${cross.port}`]) {
      const { status, headers } = await from(origin, 'POST', '/hub/negotiate', {
        authorization: 'Bearer ann',
      });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.equal(headers['access-control-allow-credentials'], 'true');
      assert.match(headers.vary ?? '', /Origin/);
      const refused = await from(origin, 'GET', '/hub?id=x', { authorization: 'Bearer ann' });
      assert.equal(refused.status, 404);
      assert.equal(refused.headers['access-control-allow-origin'], origin, 'refusals can be read too');
      const socket = await RawWebSocket.ask({ port: cross.port, headers: { origin } });
      assert.equal(socket.answer.status, 101);
      socket.socket.destroy();
    }
  });

  it('preflights need no token, and name what clients send (azure-signalr#56)', async () => {
    for (const path of ['/hub/negotiate?negotiateVersion=1', '/hub?id=x']) {
      const asked = { 'access-control-request-method': 'POST' };
      const { status, headers, text } = await from('https://app.test', 'OPTIONS', path, asked);
      assert.deepEqual([status, text], [204, '']);
      assert.equal(headers['access-control-allow-origin'], 'https://app.test');
      assert.equal(headers['access-control-allow-credentials'], 'true');
      for (const method of ['GET', 'POST', 'DELETE']) {
        assert.match(headers['access-control-allow-methods'] ?? '', new RegExp(method));
      }
      for (const name of ['x-requested-with', 'x-signalr-user-agent', 'authorization', 'content-type']) {
        assert.match(headers['access-control-allow-headers'] ?? '', new RegExp(name));
      }
      const foreign = await from('https://evil.test', 'OPTIONS', path, asked);
      assert.equal(foreign.headers['access-control-allow-origin'], undefined);
      assert.equal(foreign.headers['access-control-allow-methods'], undefined);
    }
  });
});
