import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { HubCaller } from '../support/hub-caller.ts';
import { hubNodes, startHubNode } from '../support/hub-node.ts';
import { hubRequest } from '../support/hub-request.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

const COME_BACK = { type: 7, allowReconnect: true };
const TIMING = { heartbeatMs: 20, closeTimeoutMs: 5_000 };

/** The timers of this process, as far as Node tells. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('the stop of a hub', () => {
  const start = hubNodes();

  it('says goodbye to 200 connections by and by, refuses new ones, and leaves nothing open', async () => {
    const before = timers();
    const node = await start({ timing: TIMING, maxConnectionsPerUser: 1_000 });
    const ann = new HubCaller(node.port);
    const unused = await ann.negotiate();
    const toldAt: number[] = [];
    const open = async () => {
      const client = await ann.openSocket();
      client.answersClose = true;
      client.socket.on('data', () => {
        if (client.closeMessage !== undefined) toldAt.push(performance.now());
      });
      return client;
    };
    const clients = await Promise.all(Array.from({ length: 199 }, open));
    const last = await open();
    clients.push(last);
    const closed = once(node.server, 'close');
    const beganAt = performance.now();
    const stopping = node.endpoint.stop();
    await until('the first is told', () => clients.some(({ closeMessage }) => closeMessage !== undefined));
    const told = clients.filter(({ closeMessage }) => closeMessage !== undefined).length;
    assert.equal(told < 60, true, `${told} were told in the first step`);
    assert.equal((await ann.request('POST', '/hub/negotiate')).status, 503);
    assert.equal((await ann.poll(unused)).status, 503);
    assert.equal((await RawWebSocket.ask({ port: node.port })).answer.status, 503);
    assert.equal((await RawWebSocket.ask({ port: node.port, path: `/hub?id=${unused}` })).answer.status, 503);
    last.message({ type: 1, invocationId: 'x', target: 'Echo', arguments: ['still served'] });
    await until('an answer or the goodbye', () => last.messages.length > 1);
    assert.equal(last.messages[1]?.['result'], 'still served');
    node.server.close();
    await stopping;
    const took = performance.now() - beganAt;
    assert.equal(took > 700 && took < 4_000, true, `it took ${took} ms`);
    for (const client of clients) {
      assert.deepEqual(client.closeMessage, COME_BACK);
      assert.equal(client.closeCode, 1_000);
    }
    const spread = Math.max(...toldAt) - Math.min(...toldAt);
    assert.equal(spread > 600, true, `all were told within ${spread} ms`);
    await closed;
    assert.equal(node.hub.connectionCount, 0);
    await until('no socket is left', () => node.sockets.size === 0);
    await until('no timer is left', () => timers() <= before + 1); // `until` has one of its own
    await node.endpoint.stop();
  });

  it('few connections do not hold it up, whatever their transport, also where clients do not answer', async () => {
    for (const answersClose of [true, false]) {
      const node = await start({ timing: TIMING });
      const ann = new HubCaller(node.port);
      const [socket, stream, polling] = [
        await ann.openSocket(),
        await ann.openStream(),
        await ann.openPolling(),
      ];
      socket.answersClose = answersClose;
      const unspoken = await RawWebSocket.ask({ port: node.port });
      unspoken.answersClose = answersClose;
      const beganAt = performance.now();
      const stopping = node.endpoint.stop();
      if (answersClose) {
        assert.match((await ann.poll(polling)).text, /"type":7,"allowReconnect":true/);
        assert.equal((await ann.poll(polling)).status, 204);
      }
      await stopping;
      const took = performance.now() - beganAt;
      assert.equal(took < (answersClose ? 700 : 1_500), true, `it took ${took} ms`);
      await stream.ended();
      assert.deepEqual(stream.closeMessage, COME_BACK);
      assert.deepEqual(socket.closeMessage, COME_BACK);
      await unspoken.ended();
      assert.equal(node.hub.connectionCount, 0);
    }
  });

  it('what it answers from then on is the last on its connection: a server that closes waits for none', async () => {
    const node = await start({ timing: TIMING });
    const ann = new HubCaller(node.port);
    const polling = await ann.openPolling();
    const keeping = async (method: string, path: string) => {
      const headers = { connection: 'keep-alive' };
      return (await hubRequest({ port: node.port, method, path, headers })).headers.connection;
    };
    assert.equal(await keeping('POST', '/hub/negotiate?negotiateVersion=1'), 'keep-alive');
    const arrived = once(node.server, 'request');
    const poll = keeping('GET', `/hub?id=${polling}`);
    await arrived;
    const stopping = node.endpoint.stop();
    assert.equal(await keeping('POST', '/hub/negotiate?negotiateVersion=1'), 'close');
    assert.equal(await poll, 'close');
    await ann.poll(polling);
    await stopping;
  });

  it('a client that reads nothing is cut off: the stop does not wait for it', async () => {
    const node = await start({ timing: TIMING, limits: { maxBufferedBytes: 64 * 1024 * 1024 } });
    const ann = new HubCaller(node.port);
    const [socket, stream] = [await ann.openSocket(), await ann.openStream()];
    socket.socket.pause();
    stream.response.pause();
    for (let sent = 0; sent < 24; sent += 1) node.broadcast('Blob', 'x'.repeat(1_000_000));
    await until(
      'it is stuck',
      () => [...node.sockets].filter(({ writableLength }) => writableLength > 0).length === 2,
    );
    const beganAt = performance.now();
    await node.endpoint.stop();
    assert.equal(performance.now() - beganAt < 1_500, true, 'in time');
    await until(
      'no socket is left',
      () => ![...node.sockets].some(({ writableLength }) => writableLength > 0),
    );
  });

  it('without connections it ends at once; a second one, and one beside it, are harmless', async () => {
    const node = await start({ timing: TIMING });
    const beganAt = performance.now();
    await Promise.all([node.endpoint.stop(), node.endpoint.stop()]);
    await node.endpoint.stop();
    assert.equal(performance.now() - beganAt < 300, true, 'at once');
    assert.equal(
      (await hubRequest({ port: node.port, method: 'GET', path: '/hub' })).text,
      'the application’s',
    );
  });

  it('an upgrade whose caller is looked up while it stops gets 503', async () => {
    let admit = () => {};
    const lookedUp = new Promise<void>((resolve) => (admit = resolve));
    const node = await start({
      identify: async () => {
        await lookedUp;
        return { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };
      },
    });
    const asked = RawWebSocket.ask({ port: node.port });
    await until('it is there', () => node.sockets.size === 1);
    const stopping = node.endpoint.stop();
    setTimeout(admit, 20);
    assert.equal((await asked).answer.status, 503);
    await stopping;
    assert.equal(node.hub.connectionCount, 0);
  });

  it('an endpoint that is detached leaves the server as it was', async () => {
    const node = await startHubNode();
    await node.endpoint.stop();
    assert.equal(node.server.listenerCount('request'), 1);
    assert.equal(node.server.listenerCount('upgrade'), 0);
    await node.stop();
  });
});
