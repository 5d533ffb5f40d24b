import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HubConnectionState } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { DEFAULT_HUB_PATH, DEFAULT_HUB_TIMING } from '../../core/index.ts';
import { memoryBackend, type HubSettings } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { TRANSPORTS } from '../support/load-balanced.ts';
import { startNginx, type NginxOptions } from '../support/nginx.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const SAMPLE = readFileSync(new URL('../../docs/nginx.conf', import.meta.url), 'utf8');

/** The sample's own, of 100 s, made small; and timers of the hub that keep below it. */
const SHORT_TIMEOUT = { 'proxy_read_timeout 100s;': 'proxy_read_timeout 1s;' };
const SHORT_TIMING = { heartbeatMs: 100, pingEveryMs: 300, pollTimeoutMs: 600 };

/** 24 of these are more than what all sockets on the way hold by themselves. */
const LONG = 'x'.repeat(1_048_576);

/** Three times the proxy's patience. */
const IDLE_MS = 3_000;

describe('what nginx and the nodes must agree on', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  /** Two nodes in this process, each with a store of its own: what is tested is the way to them. */
  const start = async (hub: HubSettings, replace?: NginxOptions['replace']) => {
    const startOne = () => startNode({ backend: memoryBackend({ log: silentLog }), hub });
    const nodes = await Promise.all([startOne(), startOne()]);
    stops.push(...nodes.map((node) => () => node.stop()));
    const port = (url: string) => Number(new URL(url).port);
    const nodePorts = [port(nodes[0].url), port(nodes[1].url)] as const;
    const nginx = await startNginx({ nodePorts, ...(replace === undefined ? {} : { replace }) });
    stops.push(() => nginx.stop());
    return { url: nginx.url, nodes };
  };
  const client = async (
    url: string,
    transport: (typeof TRANSPORTS)[keyof typeof TRANSPORTS],
    oid: string,
  ) => {
    const hubClient = new HubClient({ url, user: { oid }, transport });
    stops.push(() => hubClient.stop());
    return await hubClient.start();
  };
  const shared = { connectionSecret: 'what the two nodes of this test share' };

  it('without a shared secret, a connection that another node negotiated is a 404', async (t) => {
    const { url } = await start({});
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => client(url, TRANSPORTS['long polling'], `user-${at}`)),
    );
    const refused = tries.filter((tried) => tried.status === 'rejected');
    t.diagnostic(`${refused.length} of ${tries.length} were refused`);
    assert.ok(
      refused.length > 0 && refused.length < tries.length,
      `${refused.length} of ${tries.length} were refused`,
    );
    for (const { reason } of refused) assert.match(String(reason), /404/);
  });

  it('pings keep what is idle open for longer than nginx waits, and polls end before it gives up', async () => {
    const { url } = await start({ ...shared, timing: SHORT_TIMING }, SHORT_TIMEOUT);
    const clients = await Promise.all(
      Object.entries(TRANSPORTS).map(([name, transport]) => client(url, transport, name)),
    );
    await delay(IDLE_MS); // being idle is what is tested
    assert.deepEqual(
      clients.map(({ connection }) => connection.state),
      clients.map(() => HubConnectionState.Connected),
    );
  });

  it('without pings in time nginx cuts every one of them off', async () => {
    const { url } = await start(shared, SHORT_TIMEOUT);
    const clients = await Promise.all(
      Object.entries(TRANSPORTS).map(([name, transport]) => client(url, transport, name)),
    );
    const areOff = () =>
      clients.every(({ connection }) => connection.state === HubConnectionState.Disconnected);
    await until('all are cut off', areOff, 10_000);
  });

  it('a stream that nobody reads is closed by its node: nginx keeps nothing back, with the line of the sample or without', async () => {
    for (const replace of [{}, { 'proxy_buffering off;': '' }]) {
      const { url, nodes } = await start(
        { ...shared, timing: { heartbeatMs: 50, sendTimeoutMs: 1_000 } },
        replace,
      );
      const hub = url + DEFAULT_HUB_PATH;
      const headers = { authorization: `Bearer ${await tokenFor({ oid: 'ann' })}` };
      const negotiated = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
      const { connectionToken: id } = (await negotiated.json()) as { readonly connectionToken: string };
      const stream = request(`${hub}?id=${id}`, {
        headers: { ...headers, accept: 'text/event-stream' },
        agent: false,
      });
      stops.push(async () => void stream.destroy());
      stream.on('error', () => {}); // it is closed in the end
      await once(stream.end(), 'response'); // and not one byte of it is read
      await fetch(`${hub}?id=${id}`, {
        method: 'POST',
        headers,
        body: '{"protocol":"json","version":1}\u001e',
      });
      const open = () => nodes.reduce((sum, { rowlock }) => sum + rowlock.hub.connectionCount, 0);
      assert.equal(open(), 1);
      for (let at = 0; at < 24; at += 1) {
        const change = { entityType: 'ApprovalRequest', entityUid: `uid-${at}`, operation: LONG };
        await Promise.all(nodes.map(({ rowlock }) => rowlock.hub.publish(TEST_TENANT, change)));
      }
      await until('the node closes it', () => open() === 0);
    }
  });

  it('the sample waits longer than the hub’s own pings and polls take', () => {
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(SAMPLE)?.[1]);
    const { pingEveryMs, pollTimeoutMs, heartbeatMs } = DEFAULT_HUB_TIMING;
    assert.ok(seconds * 1_000 > Math.max(2 * pingEveryMs, pollTimeoutMs) + heartbeatMs, `${seconds} s`);
  });

  it('a client cannot choose its address: what it claims is thrown away, and what nginx says is believed', async () => {
    const { url } = await start({
      maxConnectionsPerAddress: 1,
      clientAddress: ({ headers, socket }: IncomingMessage) => {
        const forwarded = headers['x-forwarded-for'];
        const isProxy = socket.remoteAddress === '127.0.0.1';
        return isProxy && typeof forwarded === 'string' ? forwarded : (socket.remoteAddress ?? '');
      },
    });
    const token = await tokenFor({ oid: 'ann' });
    const open = async (localAddress: string, claimed: string) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${DEFAULT_HUB_PATH}`, {
        localAddress,
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': claimed },
      });
      stops.push(async () => socket.terminate());
      socket.on('error', () => {}); // 'unexpected-response' says more
      const status = Promise.race([
        once(socket, 'open').then(() => 101),
        once(socket, 'unexpected-response').then(([, answer]) => (answer as IncomingMessage).statusCode),
      ]);
      return await status;
    };
    const openAll = async (localAddress: string) => {
      const statuses: (number | undefined)[] = [];
      for (let at = 0; at < 20; at += 1) statuses.push(await open(localAddress, `10.9.9.${at}`));
      return statuses.filter((status) => status === 101).length;
    };
    // One on each of the two nodes at most.
    assert.equal(await openAll('127.0.0.1'), 2);
    assert.equal(await openAll('127.0.0.2'), 2);
  });
});
