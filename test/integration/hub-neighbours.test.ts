import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { Hub, HubEndpoint, OriginRule } from '../../server/index.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity, tokenFor } from '../support/test-tokens.ts';

/** A hub that says its name. */
function endpointAt(path: string): HubEndpoint {
  return new HubEndpoint({
    hub: new Hub({ methods: { Name: () => path }, defer: setImmediate }),
    identify: testIdentity(),
    origins: new OriginRule(),
    log: silentLog,
    settings: { path },
  });
}

describe('two hubs and an application on one server', () => {
  let server: Server;
  let url: string;
  let answered: number;
  const clients: HubConnection[] = [];

  beforeEach(async () => {
    answered = 0;
    server = createServer((_, response) => {
      answered += 1;
      response.end('the application');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.stop()));
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });

  const nameAt = async (path: string): Promise<unknown> => {
    const client = new HubConnectionBuilder()
      .withUrl(url + path, { accessTokenFactory: () => tokenFor({ oid: 'anna' }) })
      .configureLogging(LogLevel.None)
      .build();
    clients.push(client);
    await client.start();
    return client.invoke('Name');
  };

  it('each hears its own clients, also where one’s path lies below the other’s', async () => {
    const [outer, inner] = [endpointAt('/hubs'), endpointAt('/hubs/board')];
    outer.attach(server);
    inner.attach(server);
    assert.equal(await nameAt('/hubs'), '/hubs');
    assert.equal(await nameAt('/hubs/board'), '/hubs/board');
    await Promise.all([outer.stop(), inner.stop()]);
  });

  for (const order of ['in the order in which they came', 'in the opposite order']) {
    it(`they leave ${order}, and the application answers each request once throughout`, async () => {
      const endpoints = [endpointAt('/one'), endpointAt('/two')];
      const leave = endpoints.map((endpoint) => endpoint.attach(server));
      const ask = async (expected: number) => {
        const before = answered;
        assert.equal(await (await fetch(`${url}/page`)).text(), 'the application');
        assert.equal(answered - before, expected);
      };
      await ask(1);
      const [first, last] = order.includes('opposite') ? [1, 0] : [0, 1];
      leave[first]?.();
      leave[first]?.(); // harmless
      await ask(1);
      assert.equal(await nameAt(last === 0 ? '/one' : '/two'), last === 0 ? '/one' : '/two');
      leave[last]?.();
      await ask(1);
      assert.equal(server.listenerCount('upgrade'), 0);
      assert.equal(server.listenerCount('request'), 1);
      await Promise.all(endpoints.map((endpoint) => endpoint.stop()));
    });
  }

  it('an upgrade that is nobody’s is refused', async () => {
    const endpoints = [endpointAt('/one'), endpointAt('/two')];
    for (const endpoint of endpoints) endpoint.attach(server);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/three`);
    await once(socket, 'error');
    await Promise.all(endpoints.map((endpoint) => endpoint.stop()));
  });
});
