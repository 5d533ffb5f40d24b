import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventStream, HubCaller } from '../support/hub-caller.ts';
import { hubNodes } from '../support/hub-node.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

describe('a hub with as many connections as are allowed', () => {
  const start = hubNodes();
  it('a user’s next one ⇒ 429, at the negotiation, the stream, the poll and the upgrade; others get in', async () => {
    const small = await start({ maxConnectionsPerUser: 2, timing: { heartbeatMs: 20 } });
    const [caller, other] = [new HubCaller(small.port), new HubCaller(small.port, 'bob')];
    const unused = await caller.negotiate();
    const [stream, socket] = [await caller.openStream(), await caller.openSocket()];
    const tooMany = [429, 'Too many connections'];
    const negotiation = await caller.request('POST', '/hub/negotiate');
    assert.deepEqual([negotiation.status, negotiation.text], tooMany);
    const poll = await caller.poll(unused);
    assert.deepEqual([poll.status, poll.text], tooMany);
    await assert.rejects(EventStream.start(caller, unused), /429/);
    for (const path of ['/hub', `/hub?id=${unused}`]) {
      const { answer } = await RawWebSocket.ask({ port: small.port, path });
      assert.deepEqual([answer.status, answer.body], tooMany);
    }
    assert.equal((await caller.post(stream.id, '{"type":6}\u001e')).status, 200, 'what runs goes on');
    const others = await other.openSocket();
    others.socket.destroy();
    socket.socket.destroy();
    await until('there is room again', async () => (await caller.poll(unused)).status === 200);
    await caller.request('DELETE', `/hub?id=${unused}`);
    stream.close();
  });

  it('an address’ next one ⇒ 429; which address that is, the application says', async () => {
    const small = await start({
      maxConnectionsPerAddress: 1,
      clientAddress: ({ headers }) => String(headers['x-real-ip']),
    });
    const from = (ip: string, token: string) =>
      RawWebSocket.ask({ port: small.port, token, headers: { 'x-real-ip': ip } });
    const first = await from('10.0.0.1', 'ann');
    assert.equal(first.answer.status, 101);
    assert.equal((await from('10.0.0.1', 'bob')).answer.status, 429);
    const elsewhere = await from('10.0.0.2', 'ann');
    assert.equal(elsewhere.answer.status, 101);
    first.socket.resetAndDestroy();
    await until('it is counted off', async () => {
      const next = await from('10.0.0.1', 'bob');
      next.socket.destroy();
      return next.answer.status === 101;
    });
    elsewhere.socket.destroy();
  });

  it('many at once get no more than are allowed, also while their callers are being looked up', async () => {
    let admit = () => {};
    const lookedUp = new Promise<void>((resolve) => (admit = resolve));
    const small = await start({
      maxConnectionsPerUser: 3,
      identify: async () => {
        await lookedUp;
        return { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };
      },
    });
    const asked = Array.from({ length: 10 }, () => RawWebSocket.ask({ port: small.port }));
    await until('all have asked', () => small.sockets.size === 10);
    setTimeout(admit, 50);
    const sockets = await Promise.all(asked);
    assert.equal(sockets.filter(({ answer }) => answer.status === 101).length, 3);
    assert.equal(sockets.filter(({ answer }) => answer.status === 429).length, 7);
    for (const { socket } of sockets) socket.destroy();
  });
});
