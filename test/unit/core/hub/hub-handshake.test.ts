import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFAULT_HUB_LIMITS,
  DEFAULT_HUB_TIMING,
  jsonHubProtocol,
  type HubProtocol,
} from '../../../../core/index.ts';
import { HANDSHAKE, PING, call, frame, result, told } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const { handshakeTimeoutMs, heartbeatMs } = DEFAULT_HUB_TIMING;
const { maxMessageBytes } = DEFAULT_HUB_LIMITS;
const CANCELED = { error: 'Handshake was canceled.' };
const UNEXPECTED = 'An unexpected error occurred during connection handshake.';

/** Stands in for MessagePack: what matters here is its name, its format and that it writes bytes. */
const BINARY: HubProtocol = {
  ...jsonHubProtocol,
  name: 'messagepack',
  format: 'Binary',
  write: (message) => new TextEncoder().encode(frame(message)),
};

/** A hub that says what it hears of its connections, and one that has not said anything yet. */
async function newcomer(protocols?: readonly HubProtocol[], formats?: readonly HubProtocol['format'][]) {
  const events: string[] = [];
  const test = new TestHub({
    onConnected: () => void events.push('connected'),
    onDisconnected: () => events.push('disconnected'),
    methods: { Echo: (_, value) => value },
    ...(protocols === undefined ? {} : { protocols }),
  });
  const client = await test.connect({ handshake: false, ...(formats === undefined ? {} : { formats }) });
  return { hub: test.hub, timers: test.timers, events, client, wire: client.wire };
}

describe('the handshake of a hub connection', () => {
  for (const request of [
    { protocol: 'json', version: 1 },
    { protocol: 'JSON', version: 1 },
    { protocol: 'json', version: 2 },
    { protocol: 'json', version: 0 },
    { version: 1, protocol: 'json', extra: { deep: [true] } },
  ]) {
    it(`is accepted: ${JSON.stringify(request)}`, async () => {
      const { client, events } = await newcomer();
      client.say(request);
      assert.equal(client.connection.isOpen, true);
      assert.equal(client.connection.protocol, jsonHubProtocol);
      assert.deepEqual(await client.heard(), [{}]);
      assert.deepEqual(events, ['connected']);
    });
  }

  it('is answered by two braces and a separator', async () => {
    const { client, wire } = await newcomer();
    client.say({ protocol: 'json', version: 1 });
    await Promise.resolve();
    assert.deepEqual(wire.texts, ['{}\u001e']);
  });

  it('chooses among the hub’s protocols, in any case', async () => {
    const { client } = await newcomer([jsonHubProtocol, BINARY]);
    client.say({ protocol: 'MessagePack', version: 1 });
    assert.deepEqual(await client.heard(), [{}]);
    assert.equal(client.connection.protocol, BINARY);
    client.connection.send('Hello', 'ä');
    assert.deepEqual(await client.heard(), [told('Hello', 'ä')]);
  });

  for (const [request, error] of [
    [{ protocol: 'xml', version: 1 }, "The protocol 'xml' is not supported."],
    [{ protocol: '', version: 1 }, "The protocol '' is not supported."],
    [{ protocol: 'toString', version: 1 }, "The protocol 'toString' is not supported."],
    [{ protocol: 'json', version: 3 }, "The server does not support version 3 of the 'json' protocol."],
    [{ protocol: 'JSON', version: 99 }, "The server does not support version 99 of the 'JSON' protocol."],
    ['not json', UNEXPECTED],
    ['', UNEXPECTED],
    ['null', UNEXPECTED],
    ['[]', UNEXPECTED],
    ['\ufeff{"protocol":"json","version":1}', UNEXPECTED],
    [{ protocol: 'json' }, UNEXPECTED],
    [{ version: 1 }, UNEXPECTED],
    [{ protocol: 1, version: 1 }, UNEXPECTED],
    [{ protocol: 'json', version: '1' }, UNEXPECTED],
    [{ type: 6 }, UNEXPECTED],
  ] as const) {
    it(`is refused with the vendor’s words and a normal end: ${JSON.stringify(request)}`, async () => {
      const { hub, timers, client, wire, events } = await newcomer();
      client.say(request);
      assert.deepEqual(wire.texts, [`${JSON.stringify({ error })}\u001e`]);
      assert.deepEqual(wire.closes, [1000]);
      assert.deepEqual(events, []);
      assert.equal(hub.connectionCount, 0);
      assert.equal(timers.pending, 0);
    });
  }

  it('refuses bytes that are not UTF-8', async () => {
    const { client, wire } = await newcomer();
    client.connection.receive(Uint8Array.of(0xff, 0x1e));
    assert.deepEqual(wire.messages, [{ error: UNEXPECTED }]);
  });

  it('refuses a binary protocol on a transport that carries text alone, and says so in text', async () => {
    const { client, wire } = await newcomer([jsonHubProtocol, BINARY], ['Text']);
    client.say({ protocol: 'messagepack', version: 1 });
    assert.deepEqual(wire.messages, [
      {
        error:
          "Cannot use the 'messagepack' protocol on the current transport. " +
          "The transport does not support 'Binary' transfer format.",
      },
    ]);
    assert.deepEqual(wire.closes, [1000]);
  });

  it('is canceled when it is late, at the first heartbeat after its time', async () => {
    const { hub, timers, wire, events } = await newcomer();
    timers.advance(handshakeTimeoutMs);
    assert.deepEqual(wire.messages, []);
    timers.advance(heartbeatMs);
    assert.deepEqual(wire.messages, [CANCELED]);
    assert.deepEqual(wire.closes, [1000]);
    assert.deepEqual(events, []);
    assert.equal(hub.connectionCount, 0);
    assert.equal(timers.pending, 0);
  });

  it('is late also when a part of it has come', async () => {
    const { timers, client, wire } = await newcomer();
    timers.advance(handshakeTimeoutMs);
    client.connection.receive('{"protocol"');
    timers.advance(heartbeatMs);
    assert.deepEqual(wire.messages, [CANCELED]);
  });

  it('may be as late as its time says', async () => {
    const { timers, client } = await newcomer();
    timers.advance(handshakeTimeoutMs);
    client.connection.receive(HANDSHAKE);
    timers.advance(heartbeatMs);
    assert.equal(client.connection.isOpen, true);
    // The ping that came due meanwhile leaves behind the reply.
    assert.deepEqual(await client.heard(), [{}, PING]);
  });

  it('is canceled when it is too large, whole or not', async () => {
    for (const text of ['x'.repeat(maxMessageBytes), frame('x'.repeat(maxMessageBytes))]) {
      const { client, wire, events } = await newcomer();
      client.connection.receive(text);
      assert.deepEqual(wire.messages, [CANCELED]);
      assert.deepEqual(wire.closes, [1000]);
      assert.deepEqual(events, []);
    }
  });

  it('may come in pieces, and together with what follows it', async () => {
    const { client } = await newcomer();
    const input = HANDSHAKE + frame(call('0', 'Echo', 'a')) + frame(PING) + frame(call('1', 'Echo', 'b'));
    for (const character of input) client.connection.receive(character);
    assert.deepEqual(await client.heard(), [{}, result('0', 'a'), result('1', 'b')]);
  });

  it('comes before everything else: nothing is sent until it is answered', async () => {
    const { timers, client, wire } = await newcomer();
    client.connection.send('Early', 1);
    timers.advance(handshakeTimeoutMs);
    assert.deepEqual(await client.heard(), []);
    client.connection.receive(HANDSHAKE);
    client.connection.send('Later', 2);
    assert.deepEqual(await client.heard(), [{}, told('Later', 2)]);
    assert.deepEqual(wire.closes, []);
  });

  it('is not owed a goodbye: a connection that ends before it just ends', async () => {
    const { hub, client, wire, events } = await newcomer();
    client.connection.close({ allowReconnect: true });
    assert.deepEqual(await client.heard(), []);
    assert.deepEqual(wire.closes, [1000]);
    assert.deepEqual(events, []);
    assert.equal(hub.connectionCount, 0);
  });

  it('leaves nothing of the connection when what followed a refusal is thrown away', async () => {
    const { client, events } = await newcomer();
    client.connection.receive(frame({ protocol: 'x', version: 1 }) + HANDSHAKE);
    client.connection.receive(HANDSHAKE);
    assert.equal((await client.heard()).length, 1);
    assert.deepEqual(events, []);
    assert.equal(client.connection.isOpen, false);
  });
});
