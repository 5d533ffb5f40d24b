import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { DEFAULT_HUB_LIMITS, DEFAULT_HUB_TIMING, type HubOptions } from '../../../../core/index.ts';
import { ERROR_CLOSE, PING, call, note, told } from './client-messages.ts';
import { TestHub, type ConnectOptions } from './test-hub.ts';

const { pingEveryMs, clientTimeoutMs, sendTimeoutMs, heartbeatMs } = DEFAULT_HUB_TIMING;

async function opened(options: HubOptions = {}, connect: ConnectOptions = {}) {
  const test = new TestHub({ methods: { Wait: () => new Promise(() => {}), Echo: () => 1 }, ...options });
  const client = await test.connect(connect);
  return {
    connection: client.connection,
    hub: test.hub,
    timers: test.timers,
    client,
    wire: client.wire,
    test,
  };
}

describe('the pings of a hub', () => {
  it('leave every fifteen seconds', async () => {
    const { client, timers } = await opened();
    timers.advance(pingEveryMs - heartbeatMs);
    assert.deepEqual(await client.heard(), []);
    timers.advance(heartbeatMs);
    assert.deepEqual(await client.heard(), [PING]);
    client.say(PING);
    timers.advance(pingEveryMs - heartbeatMs);
    assert.deepEqual(await client.heard(), []);
    timers.advance(heartbeatMs);
    assert.deepEqual(await client.heard(), [PING]);
  });

  it('leave under traffic too, since clients answer to them alone', async () => {
    const { client, timers } = await opened();
    for (let second = 1; second < 15; second += 1) {
      timers.advance(1_000);
      client.connection.send('News');
      assert.deepEqual(await client.heard(), [told('News')]);
    }
    timers.advance(1_000);
    assert.deepEqual(await client.heard(), [PING]);
  });

  it('are left out while something is on its way', async () => {
    const { client, wire, timers } = await opened();
    wire.bufferedBytes = 10;
    for (let second = 1; second <= 16; second += 1) {
      wire.takenBytes += 1;
      timers.advance(1_000);
    }
    assert.deepEqual(await client.heard(), []);
    wire.drain();
    client.say(PING);
    timers.advance(pingEveryMs);
    assert.deepEqual(await client.heard(), [PING]);
  });

  it('are one message for all who are due', async () => {
    const { test, client, timers } = await opened();
    const other = await test.connect();
    timers.advance(pingEveryMs);
    await new Promise(setImmediate);
    assert.equal(client.wire.writes[0], other.wire.writes[0]);
    assert.deepEqual(other.wire.messages, [PING]);
  });
});

describe('the client timeout of a hub', () => {
  it('ends a connection whose client says nothing for thirty seconds, one heartbeat later', async () => {
    const { client, wire, hub, timers } = await opened();
    timers.advance(clientTimeoutMs);
    assert.deepEqual(await client.heard(), [PING, PING]);
    timers.advance(heartbeatMs);
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
    assert.deepEqual(wire.closes, [1000]);
    assert.equal(hub.connectionCount, 0);
    assert.equal(hub.counts.silent, 1);
    assert.equal(timers.pending, 0);
  });

  it('counts anything that the client says, a ping as much as a call', async () => {
    const { client, timers } = await opened();
    for (const message of [PING, note('Echo'), { type: 99 }, { type: 5, invocationId: '9' }]) {
      timers.advance(clientTimeoutMs);
      client.say(message);
    }
    timers.advance(clientTimeoutMs);
    assert.equal(client.connection.isOpen, true);
    timers.advance(heartbeatMs);
    assert.equal(client.connection.isOpen, false);
  });

  it('does not count half a message', async () => {
    const { client, timers } = await opened();
    timers.advance(20_000);
    client.connection.receive('{"type":');
    timers.advance(11_000);
    assert.equal(client.connection.isOpen, false);
  });

  it('leaves a client alone whose call takes forty seconds and that pings', async () => {
    const { client, timers } = await opened();
    client.say(call('0', 'Wait'));
    for (let second = 0; second < 40; second += 10) {
      timers.advance(10_000);
      client.say(PING);
    }
    assert.equal(client.connection.isOpen, true);
    assert.deepEqual(await client.heard(), [PING, PING]);
  });

  it('does not run while the client is not read', async () => {
    const { client, timers } = await opened();
    const { maxOpenCalls } = DEFAULT_HUB_LIMITS;
    client.say(...Array.from({ length: maxOpenCalls }, () => note('Wait')));
    assert.equal(client.wire.isPaused, true);
    timers.advance(10 * clientTimeoutMs);
    assert.equal(client.connection.isOpen, true);
  });

  it('counts heartbeats, so that a pause of the process ends nobody', async () => {
    const { client, timers } = await opened();
    const laterMs = Date.now() + 3_600_000;
    mock.method(Date, 'now', () => laterMs);
    timers.advance(heartbeatMs);
    assert.equal(client.connection.isOpen, true);
  });

  it('is not for polls, which show by themselves that the client is there, and neither are pings', async () => {
    const { client, timers } = await opened({}, { keepsAlive: true });
    timers.advance(10 * clientTimeoutMs);
    assert.deepEqual(await client.heard(), []);
    assert.equal(client.connection.isOpen, true);
  });

  afterEach(() => mock.restoreAll());
});

describe('a client that takes nothing', () => {
  for (const keepsAlive of [false, true]) {
    it(`is cut off after ten seconds, without a word (${keepsAlive ? 'polls' : 'WebSocket'})`, async () => {
      const { client, wire, hub, timers } = await opened({}, { keepsAlive });
      timers.advance(5_000);
      wire.bufferedBytes = 100;
      timers.advance(sendTimeoutMs);
      assert.equal(wire.aborts, 0);
      timers.advance(heartbeatMs);
      assert.equal(wire.aborts, 1);
      assert.deepEqual(await client.heard(), []);
      assert.deepEqual(wire.closes, []);
      assert.equal(hub.connectionCount, 0);
      assert.equal(hub.counts.slow, 1);
      assert.equal(timers.pending, 0);
    });
  }

  it('is one that takes a byte now and then is not', async () => {
    const { client, wire, timers } = await opened({}, { keepsAlive: true });
    wire.bufferedBytes = 100;
    for (let round = 0; round < 10; round += 1) {
      timers.advance(sendTimeoutMs);
      wire.takenBytes += 1;
    }
    assert.equal(client.connection.isOpen, true);
  });

  it('is closed at once, and may come back, when more is sent than may wait; what waited here is dropped', async () => {
    const { client, wire, hub, timers } = await opened({ limits: { maxBufferedBytes: 1_000 } });
    wire.bufferedBytes = 1_000;
    client.connection.send('Fits');
    assert.deepEqual(await client.heard(), [told('Fits')]);
    wire.bufferedBytes = 1_001;
    assert.equal((await client.heard()).length, 0, 'nothing is sent, so nothing is too much');
    assert.equal(client.connection.isOpen, true);
    client.connection.send('Dropped', 1);
    hub.all().send('Dropped', 2);
    assert.deepEqual(await client.heard(), [{ type: 7, allowReconnect: true }]);
    assert.deepEqual(wire.closes, [1000]);
    assert.equal(hub.connectionCount, 0);
    assert.equal(hub.counts.slow, 1);
    assert.equal(timers.pending, 0);
  });

  it('harms nobody else', async () => {
    const { test, wire, hub } = await opened({ limits: { maxBufferedBytes: 1_000 } });
    const others = await Promise.all(Array.from({ length: 5 }, () => test.connect()));
    wire.bufferedBytes = 2_000;
    hub.all().send('News');
    for (const other of others) assert.deepEqual(await other.heard(), [told('News')]);
    assert.equal(hub.connectionCount, 5);
  });
});

describe('the identity of a hub connection', () => {
  afterEach(() => mock.restoreAll());

  it('runs out at its moment by the clock, at the next heartbeat: the client may come back', async () => {
    let nowMs = 1_000_000;
    mock.method(Date, 'now', () => nowMs);
    const { client, connection, wire, timers } = await opened({}, { keepsAlive: true });
    connection.expireAt(1_005_000);
    nowMs = 1_004_999;
    timers.advance(60_000);
    assert.equal(connection.isOpen, true);
    nowMs = 1_005_000;
    timers.advance(heartbeatMs);
    assert.deepEqual(await client.heard(), [{ type: 7, allowReconnect: true }]);
    assert.deepEqual(wire.closes, [1000]);
  });
});

describe('the heartbeat of a hub', () => {
  it('is one timer for all connections, begins with the first and stops with the last', async () => {
    const { test, connection, timers } = await opened();
    const other = await test.connect();
    assert.equal(timers.pending, 1);
    timers.advance(5_000);
    connection.disconnected();
    assert.equal(timers.pending, 1);
    other.connection.close();
    assert.equal(timers.pending, 0);
    await test.connect();
    assert.equal(timers.pending, 1);
  });

  it('goes on when it ends some of the connections itself', async () => {
    const { test, client, timers } = await opened();
    timers.advance(20_000);
    const other = await test.connect();
    timers.advance(11_000);
    assert.equal(client.connection.isOpen, false);
    assert.equal(timers.pending, 1);
    timers.advance(4_000);
    assert.deepEqual(await other.heard(), [PING]);
  });
});
