import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HubConnection } from '@microsoft/signalr';
import { hubConnection } from '../../../components/client/lock-api-transport.ts';
import { tokenCache } from '../../../components/client/token-cache.ts';
import { DEFAULT_HUB_TIMING } from '../../../core/hub/hub-timing.ts';

test('C16: a page waits for at least two of the hub’s pings before it gives a connection up, and pings as often', () => {
  const connection = hubConnection({ hub: 'http://127.0.0.1:1/hub' }, tokenCache());
  assert.ok(connection instanceof HubConnection, 'it is the library’s own');
  assert.ok(connection.serverTimeoutInMilliseconds >= 2 * DEFAULT_HUB_TIMING.pingEveryMs);
  assert.ok(2 * connection.keepAliveIntervalInMilliseconds <= DEFAULT_HUB_TIMING.clientTimeoutMs);
});

test('C20: the negotiation carries the token at hand, and asks for none of its own', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let tokens = 0;
  const cache = tokenCache(() => `token-${(tokens += 1)}`);
  await cache.get();
  const hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`;
  for (let n = 0; n < 3; n += 1) await assert.rejects(hubConnection({ hub }, cache).start(), /503/);
  server.close();
  assert.deepEqual([asked, tokens], [['Bearer token-1', 'Bearer token-1', 'Bearer token-1'], 1]);
});
