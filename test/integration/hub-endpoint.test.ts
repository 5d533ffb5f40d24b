import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { DEFAULT_HUB_PATH, MAX_HUB_MESSAGE_BYTES } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const STRANGER = { oid: 'ann', name: 'Ann of B', tenant: 'tenant-b' };
const HANDSHAKE = '{"protocol":"json","version":1}\u001e';

describe('the hub', () => {
  let node: RowlockNode;
  let entities = 0;
  const newRef = (entityType = 'ApprovalRequest') => {
    entities += 1;
    return { entityType, entityUid: `uid-${entities}` };
  };

  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      allowedOrigins: ['https://app.test'],
    });
  });
  after(() => node.stop());

  describe('with the vendor’s client', () => {
    it('connects, subscribes, and hears a change with its lock', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start('ApprovalRequest');
      assert.match(client.connection.connectionId ?? '', /^[\w-]{22}$/);
      const ref = newRef();
      const { lock } = await node.claim(ANN, ref);
      const change = await client.heard('Acquired', ref.entityUid);
      await client.stop();
      assert.deepEqual(change, { ...ref, operation: 'Acquired', lock, fence: lock?.fence, at: lock?.at });
    });

    it('skips the negotiation where it is told to', async () => {
      const client = await new HubClient({ url: node.url, user: BOB, skipNegotiation: true }).start(
        'ApprovalRequest',
      );
      const ref = newRef();
      await node.claim(ANN, ref);
      await client.heard('Acquired', ref.entityUid);
      await client.stop();
    });

    it('hears only the types it subscribed to', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start('Invoice');
      const [request, invoice] = [newRef(), newRef('Invoice')];
      await node.claim(ANN, request);
      await node.claim(ANN, invoice);
      await client.heard('Acquired', invoice.entityUid);
      await client.connection.invoke('Unsubscribe', ['Invoice']);
      await client.stop();
      assert.deepEqual(
        client.changes.map(({ entityUid }) => entityUid),
        [invoice.entityUid],
      );
    });

    it('hears the application’s own changes', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start('ApprovalRequest');
      const ref = newRef();
      await node.rowlock.hub.publish(TEST_TENANT, {
        ...ref,
        operation: 'Archived',
        by: { oid: 'x', name: 'X', kind: 'user' },
      });
      const change = await client.heard('Archived', ref.entityUid);
      await client.stop();
      assert.equal('by' in change && change.by.name, 'X');
      assert.equal(!('lock' in change), true);
    });

    it('never hears another tenant (F33)', async () => {
      const stranger = await new HubClient({ url: node.url, user: STRANGER }).start('ApprovalRequest');
      const [ours, theirs] = [newRef(), newRef()];
      await node.claim(ANN, ours);
      await node.claim(STRANGER, theirs);
      await stranger.heard('Acquired', theirs.entityUid);
      await stranger.stop();
      assert.equal(stranger.changes.length, 1);
    });

    it('without a token the start fails with the status’ words', async () => {
      const client = new HubClient({ url: node.url, user: null });
      await assert.rejects(
        client.start(),
        /Failed to complete negotiation with the server: Error: Unauthorized: Status code '401'/,
      );
      const direct = new HubClient({ url: node.url, user: null, skipNegotiation: true });
      await assert.rejects(direct.start());
    });

    it('an unknown method, and arguments that do not fit, fail in ASP.NET’s words', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start();
      await assert.rejects(client.connection.invoke('JoinTenant', 'tenant-b'), {
        message:
          "Failed to invoke 'JoinTenant' due to an error on the server. HubException: Method does not exist.",
      });
      await assert.rejects(client.connection.invoke('Subscribe', 7), {
        message: "Failed to invoke 'Subscribe' due to an error on the server.",
      });
      await client.stop();
    });

    it('many changes of one turn arrive all, in order', async () => {
      const client = await new HubClient({ url: node.url, user: BOB }).start('Invoice');
      const uids = Array.from({ length: 500 }, (_, at) => `burst-${at}`);
      await Promise.all(
        uids.map((entityUid) =>
          node.rowlock.hub.publish(TEST_TENANT, { entityType: 'Invoice', entityUid, operation: 'Updated' }),
        ),
      );
      await client.heard('Updated', 'burst-499');
      await client.stop();
      assert.deepEqual(
        client.changes.map(({ entityUid }) => entityUid),
        uids,
      );
    });
  });

  describe('on the wire', () => {
    const negotiate = (query: string, as: typeof ANN | null = ANN) =>
      node.call('POST', `${DEFAULT_HUB_PATH}/negotiate${query}`, { as });
    const open = async (query: string, headers: Record<string, string> = {}) => {
      const socket = new WebSocket(node.url.replace('http', 'ws') + DEFAULT_HUB_PATH + query, { headers });
      const received: string[] = [];
      const closed = once(socket, 'close').then(([code]) => code as number);
      socket.on('message', (data: Buffer) =>
        received.push(...data.toString().split('\u001e').filter(Boolean)),
      );
      await once(socket, 'open');
      return { socket, received, closed };
    };
    const refusal = (query: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const socket = new WebSocket(node.url.replace('http', 'ws') + DEFAULT_HUB_PATH + query, { headers });
        socket.on('open', () => reject(new Error('The upgrade was not refused')));
        socket.on('unexpected-response', (_request, response) => {
          let text = '';
          response.on('data', (data: Buffer) => (text += data.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        socket.on('error', () => {}); // what follows a refusal
      });
    const bearer = async (user = ANN) => ({ authorization: `Bearer ${await tokenFor(user)}` });

    it('negotiate version 1: a public id, a secret one, WebSockets with text alone', async () => {
      const { status, json, headers } = await negotiate('?negotiateVersion=1');
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json');
      assert.deepEqual(Object.keys(json), [
        'negotiateVersion',
        'connectionId',
        'connectionToken',
        'availableTransports',
      ]);
      assert.equal(json['negotiateVersion'], 1);
      assert.match(String(json['connectionToken']), /^[\w-]{22}$/);
      assert.notEqual(json['connectionId'], json['connectionToken']);
      assert.deepEqual(json['availableTransports'], [{ transport: 'WebSockets', transferFormats: ['Text'] }]);
    });

    it('negotiate version 0, without or with the parameter: one id, which opens the socket', async () => {
      for (const query of ['', '?negotiateVersion=0']) {
        const { json } = await negotiate(query);
        assert.equal(json['negotiateVersion'], 0);
        assert.equal(!('connectionToken' in json), true);
        const { socket, closed } = await open(`?id=${String(json['connectionId'])}`, await bearer());
        socket.close();
        assert.equal(await closed, 1_000);
      }
    });

    it('negotiate: newer versions are clamped, others are errors with status 200', async () => {
      assert.equal((await negotiate('?negotiateVersion=9')).json['negotiateVersion'], 1);
      assert.deepEqual((await negotiate('?negotiateVersion=x')).json, {
        error: 'The client requested a non-integer protocol version.',
      });
      assert.match(
        String((await negotiate('?negotiateVersion=-1')).json['error']),
        /version '-1', but the server does not support/,
      );
    });

    it('path and query names are read in any case', async () => {
      const { status, json } = await node.call(
        'POST',
        `${DEFAULT_HUB_PATH.toUpperCase()}/Negotiate?NEGOTIATEVERSION=1`,
        { as: ANN },
      );
      assert.equal(status, 200);
      assert.equal(json['negotiateVersion'], 1);
    });

    it('every request without a valid token ⇒ 401 with an empty body', async () => {
      const { status, text } = await negotiate('?negotiateVersion=1', null);
      assert.deepEqual([status, text], [401, '']);
      assert.deepEqual(await refusal(''), { status: 401, text: '' });
      assert.deepEqual(await refusal('?access_token=abc'), { status: 401, text: '' });
    });

    it('the token comes in the header or as access_token, and the header wins', async () => {
      const { socket } = await open(`?access_token=${await tokenFor(ANN)}`);
      socket.terminate();
      assert.equal(
        (await refusal(`?access_token=${await tokenFor(ANN)}`, { authorization: 'Bearer abc' })).status,
        401,
      );
    });

    it('an id that nobody got, somebody else’s, and one used already ⇒ 404', async () => {
      const unknown = { status: 404, text: 'No Connection with that ID' };
      const id = String((await negotiate('?negotiateVersion=1')).json['connectionToken']);
      assert.deepEqual(await refusal('?id=AAAAAAAAAAAAAAAAAAAAAA', await bearer()), unknown);
      assert.deepEqual(await refusal(`?id=${id}`, await bearer(BOB)), unknown);
      const { socket } = await open(`?id=${id}`, await bearer());
      assert.deepEqual(await refusal(`?id=${id}`, await bearer()), unknown);
      socket.terminate();
    });

    it('other transports and verbs get ASP.NET’s answers', async () => {
      const answers: [method: string, query: string, accept: string, status: number, text: string][] = [
        [
          'GET',
          '?id=x',
          'text/event-stream',
          404,
          'ServerSentEvents transport not supported by this end point type',
        ],
        ['GET', '?id=x', '*/*', 404, 'LongPolling transport not supported by this end point type'],
        ['POST', '', '*/*', 400, 'Connection ID required'],
        ['POST', '?id=x', '*/*', 405, 'POST requests are not allowed for WebSocket connections.'],
        ['DELETE', '?id=x', '*/*', 400, 'Cannot terminate this connection using the DELETE endpoint.'],
        ['PUT', '?id=x', '*/*', 405, ''],
        ['GET', '/negotiate', '*/*', 405, ''],
        ['POST', '/refresh', '*/*', 404, ''],
      ];
      for (const [method, query, accept, status, text] of answers) {
        const result = await node.call(method, DEFAULT_HUB_PATH + query, { as: ANN, headers: { accept } });
        assert.deepEqual([method, query, result.status, result.text], [method, query, status, text]);
      }
    });

    it('a page of a foreign origin, or of none, gets no socket; a listed one and this host’s own do', async () => {
      for (const origin of ['https://evil.test', 'null']) {
        assert.equal((await refusal('', { ...(await bearer()), origin })).status, 403, origin);
      }
      for (const origin of ['https://app.test', node.url]) {
        const { socket } = await open('', { ...(await bearer()), origin });
        socket.terminate();
      }
    });

    it('preflights of the negotiation are answered without a token', async () => {
      const result = await node.call('OPTIONS', `${DEFAULT_HUB_PATH}/negotiate`, {
        as: null,
        headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
      });
      assert.equal(result.status, 204);
      assert.equal(result.headers.get('access-control-allow-origin'), 'https://app.test');
      assert.match(result.headers.get('access-control-allow-headers') ?? '', /x-signalr-user-agent/);
    });

    it('a handshake is answered with {} before anything else, in text, also when it came in binary', async () => {
      for (const frame of [HANDSHAKE, Buffer.from(HANDSHAKE)]) {
        const { socket, received } = await open('', await bearer());
        socket.send(frame);
        await until('the handshake reply', () => received.length > 0);
        assert.equal(received[0], '{}');
        socket.terminate();
      }
    });

    it('handshakes that cannot be: the error, then the end', async () => {
      const errors: readonly [frame: string, error: string][] = [
        ['{"protocol":"messagepack","version":1}\u001e', "The protocol 'messagepack' is not supported."],
        [
          '{"protocol":"json","version":3}\u001e',
          "The server does not support version 3 of the 'json' protocol.",
        ],
        ['{"hello":1}\u001e', 'An unexpected error occurred during connection handshake.'],
        ['x'.repeat(MAX_HUB_MESSAGE_BYTES), 'Handshake was canceled.'],
      ];
      for (const [frame, error] of errors) {
        const { socket, received, closed } = await open('', await bearer());
        socket.send(frame);
        assert.equal(await closed, 1_000);
        assert.deepEqual(received, [JSON.stringify({ error })]);
      }
    });

    it('a message that is too large ⇒ closed with an error, and may come back', async () => {
      const { socket, received, closed } = await open('', await bearer());
      socket.send(HANDSHAKE);
      socket.send('x'.repeat(MAX_HUB_MESSAGE_BYTES));
      assert.equal(await closed, 1_000);
      assert.deepEqual(JSON.parse(received.at(-1) ?? ''), {
        type: 7,
        error: 'Connection closed with an error.',
        allowReconnect: true,
      });
    });

    it('a frame beyond every limit ends the socket', async () => {
      const { socket, closed } = await open('', await bearer());
      socket.send('x'.repeat(10 * MAX_HUB_MESSAGE_BYTES));
      assert.equal(await closed, 1_009);
    });

    it('a closed connection is forgotten', async () => {
      const before = node.rowlock.hub.connectionCount;
      const { socket } = await open('', await bearer());
      assert.equal(node.rowlock.hub.connectionCount, before + 1);
      socket.terminate();
      await until('it is forgotten', () => node.rowlock.hub.connectionCount === before);
    });

    it('other paths are left to the application', async () => {
      assert.equal((await node.call('GET', `${DEFAULT_HUB_PATH}x`, { as: ANN })).status, 404);
      assert.equal((await node.call('GET', '/healthz', { as: null })).status, 200);
    });

    it('other upgrades are left to the application’s own listener', async () => {
      const own = (_request: IncomingMessage, socket: Duplex) =>
        socket.end('HTTP/1.1 418 I’m a teapot\r\n\r\n');
      node.server.on('upgrade', own);
      const { status, socket } = await upgrade(node, '/elsewhere');
      socket.destroy();
      node.server.off('upgrade', own);
      assert.equal(status, '418');
    });

    it('an upgrade that is refused, or that nobody takes, ends, also where the client keeps its half open', async () => {
      for (const [path, expected] of [
        ['/elsewhere', '404'],
        [DEFAULT_HUB_PATH, '401'],
      ] as const) {
        const connected = once(node.server, 'connection') as Promise<[Socket]>;
        const { status, socket } = await upgrade(node, path);
        const [ours] = await connected;
        assert.equal(status, expected);
        await until('the server lets go', () => ours.destroyed);
        socket.destroy();
      }
    });
  });

  it('a stop asks clients to come back: with a second node they do, and it is harmless twice', async () => {
    const first = await startNode({ backend: memoryBackend({ log: silentLog }) });
    const { port } = first.server.address() as { port: number };
    const client = await new HubClient({ url: first.url, user: BOB, reconnect: true }).start(
      'ApprovalRequest',
    );
    const states: string[] = [];
    client.connection.onreconnecting((error) => states.push(`reconnecting ${error?.message ?? ''}`));
    client.connection.onreconnected(() => states.push('reconnected'));
    await first.stop();
    await first.rowlock.stop();
    const second = await startNode({ backend: memoryBackend({ log: silentLog }), port });
    await until('the client is back', () => states.includes('reconnected'));
    await client.connection.invoke('Subscribe', ['ApprovalRequest']);
    const ref = newRef();
    await second.claim(ANN, ref);
    await client.heard('Acquired', ref.entityUid);
    await client.stop();
    await second.stop();
    assert.match(states[0] ?? '', /^reconnecting/);
  });
});

/** Asks for an upgrade as a client that never ends its half of the connection. Answers the status, once there is one. */
async function upgrade({ server }: RowlockNode, path: string): Promise<{ status: string; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
  return { status: data.toString().split(' ')[1] ?? '', socket };
}
