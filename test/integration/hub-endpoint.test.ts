import { HubConnectionState } from '@microsoft/signalr';
import express from 'express';
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_HUB_PATH } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { HubCaller } from '../support/hub-caller.ts';
import { HubClient } from '../support/hub-client.ts';
import { JSON_HANDSHAKE, RawWebSocket } from '../support/raw-web-socket.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const STRANGER = { oid: 'ann', name: 'Ann of B', tenant: 'tenant-b' };

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

  describe('inside an application', () => {
    it('comes before body parsers, which would swallow what is posted', async () => {
      const parsed = await startNode({
        backend: memoryBackend({ log: silentLog }),
        routes: (app) => void app.use(express.text({ type: '*/*' }), express.raw({ type: '*/*' })),
      });
      const caller = new HubCaller(portOf(parsed), await tokenFor(ANN));
      const { text } = await caller.request('POST', `${DEFAULT_HUB_PATH}/negotiate?negotiateVersion=1`);
      const { connectionToken } = JSON.parse(text) as { readonly connectionToken: string };
      const path = `${DEFAULT_HUB_PATH}?id=${connectionToken}`;
      assert.equal((await caller.request('GET', path)).status, 200);
      assert.equal((await caller.request('POST', path, JSON_HANDSHAKE)).status, 200);
      assert.equal((await caller.request('GET', path)).text, '{}\u001e');
      await caller.request('DELETE', path);
      await parsed.stop();
    });

    it('other paths are left to the application', async () => {
      assert.equal((await node.call('GET', `${DEFAULT_HUB_PATH}x`, { as: ANN })).status, 404);
      assert.equal((await node.call('GET', '/healthz', { as: null })).status, 200);
    });

    it('other upgrades are left to the application’s own listener', async () => {
      const own = (_request: IncomingMessage, socket: Duplex) =>
        socket.end('HTTP/1.1 418 I’m a teapot\r\n\r\n');
      node.server.on('upgrade', own);
      const { answer } = await RawWebSocket.ask({ port: portOf(node), path: '/elsewhere' });
      node.server.off('upgrade', own);
      assert.equal(answer.status, 418);
    });

    it('a token in the header wins over one in the query', async () => {
      const token = await tokenFor(ANN);
      const ask = (inQuery: string, inHeader: string | null) =>
        RawWebSocket.ask({
          port: portOf(node),
          path: `${DEFAULT_HUB_PATH}?access_token=${inQuery}`,
          token: inHeader,
        });
      const inQuery = await ask(token, null);
      assert.equal(inQuery.answer.status, 101);
      inQuery.socket.destroy();
      assert.equal((await ask(token, 'abc')).answer.status, 401);
      const inHeader = await ask('abc', token);
      assert.equal(inHeader.answer.status, 101);
      inHeader.socket.destroy();
      assert.equal((await ask('', null)).answer.status, 401);
    });

    it('a user who is disconnected does not come back by itself; others stay', async () => {
      const [ann, bob] = await Promise.all(
        [ANN, BOB].map((user) => new HubClient({ url: node.url, user, reconnect: true }).start()),
      );
      const before = node.rowlock.hub.connectionCount;
      await node.rowlock.hub.disconnectUser(TEST_TENANT, 'ann');
      await until('she is out', () => ann?.connection.state === HubConnectionState.Disconnected);
      assert.equal(node.rowlock.hub.connectionCount, before - 1);
      assert.equal(bob?.connection.state, 'Connected');
      await bob.stop();
    });

    it('a hub at another path, with other transports and a smaller limit', async () => {
      const other = await startNode({
        backend: memoryBackend({ log: silentLog }),
        hub: {
          path: '/Live/',
          transports: ['WebSockets'],
          maxConnectionsPerUser: 1,
          limits: { maxMessageBytes: 100 },
        },
      });
      const { json } = await other.call('POST', '/live/negotiate?negotiateVersion=1', { as: ANN });
      assert.deepEqual(json['availableTransports'], [
        { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
      ]);
      const client = await RawWebSocket.open({
        port: portOf(other),
        path: '/LIVE',
        token: await tokenFor(ANN),
      });
      assert.equal((await other.call('POST', '/live/negotiate', { as: ANN })).status, 429);
      client.text('x'.repeat(100));
      await until('the close message', () => client.closeMessage);
      assert.equal((await other.call('POST', `${DEFAULT_HUB_PATH}/negotiate`, { as: ANN })).status, 404);
      client.socket.destroy();
      await other.stop();
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

function portOf({ url }: RowlockNode): number {
  return Number(new URL(url).port);
}
