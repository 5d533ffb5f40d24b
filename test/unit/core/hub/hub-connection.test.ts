import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HubError, type HubOptions } from '../../../../core/index.ts';
import { ERROR_CLOSE, HANDSHAKE, PING, call, frame, note, result, told } from './client-messages.ts';
import { TestHub, type ConnectOptions } from './test-hub.ts';

/** An open connection of a hub that says what happens to it. */
async function opened(options: HubOptions = {}, connect: ConnectOptions = {}) {
  const events: string[] = [];
  const test = new TestHub({
    onConnected: () => void events.push('connected'),
    onDisconnected: () => events.push('disconnected'),
    ...options,
  });
  const client = await test.connect(connect);
  return {
    connection: client.connection,
    hub: test.hub,
    timers: test.timers,
    log: test.log,
    events,
    client,
    wire: client.wire,
  };
}

const ENDED = ['connected', 'disconnected'];

describe('the input of a hub connection', () => {
  it('is one stream of bytes: messages may be split over frames, within a character too, and joined in one', async () => {
    const { client, connection } = await opened({ methods: { Echo: (_, value) => value } });
    const input = new TextEncoder().encode(
      frame(call('0', 'Echo', 'ä😀')) + frame(PING) + frame(call('1', 'Echo', 'b')),
    );
    for (const byte of input) connection.receive(Uint8Array.of(byte));
    connection.receive(input);
    assert.deepEqual(await client.heard(), [
      result('0', 'ä😀'),
      result('1', 'b'),
      result('0', 'ä😀'),
      result('1', 'b'),
    ]);
  });

  it('may hold messages that the hub has no use for', async () => {
    const { client, connection } = await opened();
    client.say(
      { type: 99 },
      { type: 2, invocationId: '1', item: 1 },
      { type: 3, invocationId: '1', result: 1 },
      { type: 5, invocationId: '1' },
      { type: 8, sequenceId: 1 },
      { type: 9, sequenceId: 1 },
    );
    assert.deepEqual(await client.heard(), []);
    assert.equal(connection.isOpen, true);
  });

  for (const [what, input] of [
    ['no JSON', frame('hello')],
    ['no UTF-8', Uint8Array.of(0xff, 0x1e)],
    ['no message', frame('null')],
    ['a message without a type', frame('{}')],
    ['a call without a target', frame('{"type":1,"arguments":[]}')],
    ['a completion with an error and a result', frame({ type: 3, invocationId: '1', error: 'a', result: 1 })],
    ['nothing between two separators', frame('')],
    ['more than 64 levels', frame(`{"type":1,"target":"T","arguments":${'['.repeat(65)}${']'.repeat(65)}}`)],
    ['32,769 bytes', frame(JSON.stringify('x'.repeat(32_766)))],
    ['32,768 bytes and no end', 'x'.repeat(32_768)],
  ] as const) {
    it(`ends the connection, which may come back, when it holds ${what}`, async () => {
      const { client, connection, wire, hub, timers, events } = await opened();
      connection.receive(input);
      assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
      assert.deepEqual(wire.closes, [1000]);
      assert.deepEqual(events, ENDED);
      assert.equal(hub.connectionCount, 0);
      assert.equal(timers.pending, 0);
    });
  }

  it('takes a message of 32,768 bytes, framing included and counted in bytes', async () => {
    const { client } = await opened({ methods: { Size: (_, text) => String(text).length } });
    const empty = frame(call('0', 'Size', '')).length;
    const room = 32_768 - empty;
    const fits = `${'ä'.repeat(Math.floor(room / 2))}${'x'.repeat(room % 2)}`;
    client.say(call('0', 'Size', fits));
    assert.deepEqual(await client.heard(), [result('0', fits.length)]);
    client.say(call('0', 'Size', `${fits}x`));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
  });

  it('is given up as soon as it is too large, without waiting for its end', async () => {
    const { client, connection, events } = await opened();
    for (let kilobytes = 0; kilobytes < 32; kilobytes += 1) connection.receive('x'.repeat(1_024));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
    connection.receive('x'.repeat(1_024));
    connection.receive(frame(PING));
    assert.deepEqual(events, ENDED);
  });

  it('may be larger than one message altogether', async () => {
    const { client, connection } = await opened({ methods: { Echo: () => 1 } });
    connection.receive(frame(PING).repeat(3_900) + frame(call('0', 'Echo')));
    assert.deepEqual(await client.heard(), [result('0', 1)]);
  });

  it('is heard up to the message that breaks a rule, and no further', async () => {
    const called: unknown[] = [];
    const { client } = await opened({ methods: { Note: (_, value) => void called.push(value) } });
    client.say(note('Note', 1));
    await client.heard();
    client.say(note('Note', 2), 'hello', note('Note', 3));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
    assert.deepEqual(called, [1], 'a call that waited its turn goes with its connection');
  });
});

describe('the beginning of a hub connection', () => {
  it('calls onConnected once, at the handshake, and sends what it says behind the reply', async () => {
    const { client, events } = await opened(
      {
        onConnected: (connection) => {
          connection.join('room');
          connection.send('Welcome');
        },
      },
      { handshake: false },
    );
    client.connection.receive(HANDSHAKE);
    assert.deepEqual(await client.heard(), [{}, told('Welcome')]);
    assert.deepEqual([...client.connection.groups], ['room']);
    assert.deepEqual(events, []);
  });

  it('lets calls wait until an asynchronous onConnected is done, and pings and broadcasts not', async () => {
    let placed = () => {};
    const { client, hub } = await opened(
      {
        methods: { Echo: (_, value) => value },
        onConnected: () => new Promise<void>((resolve) => (placed = resolve)),
      },
      { handshake: false },
    );
    client.connection.receive(HANDSHAKE);
    client.say(call('0', 'Echo', 1), PING, call('1', 'Echo', 2));
    hub.all().send('News');
    assert.deepEqual(await client.heard(), [{}, told('News')]);
    placed();
    assert.deepEqual(await client.heard(), [result('0', 1), result('1', 2)]);
  });

  for (const [what, error, text] of [
    ['any error', new Error('secret'), 'Connection closed with an error.'],
    ['a HubError', new HubError('Not today.'), 'Connection closed with an error. HubException: Not today.'],
  ] as const) {
    for (const [how, onConnected] of [
      [
        'throws',
        () => {
          throw error;
        },
      ],
      ['rejects with', () => Promise.reject(error)],
    ] as const) {
      it(`sends a client away for good when onConnected ${how} ${what}`, async () => {
        const called: unknown[] = [];
        const { client, wire, hub, timers, events, log } = await opened(
          { onConnected, methods: { Note: (_, value) => void called.push(value) } },
          { handshake: false },
        );
        client.connection.receive(HANDSHAKE + frame(note('Note', 1)));
        assert.deepEqual(await client.heard(), [{}, { type: 7, error: text }]);
        assert.deepEqual(wire.closes, [1000]);
        assert.deepEqual(called, []);
        assert.deepEqual(events, ['disconnected']);
        assert.equal(hub.connectionCount, 0);
        assert.equal(timers.pending, 0);
        // What its client is not told, the operator is.
        assert.deepEqual(
          log.lines.map(({ level, reason }) => [level, reason]),
          error instanceof HubError ? [] : [['error', 'secret']],
        );
      });
    }
  }

  it('is over when the client leaves while onConnected waits, which may fail then unheard', async () => {
    let fail = (_: Error) => {};
    const { client, wire, events } = await opened(
      { onConnected: () => new Promise<void>((_, reject) => (fail = reject)) },
      { handshake: false },
    );
    client.connection.receive(HANDSHAKE);
    client.connection.disconnected();
    fail(new Error('too late'));
    await client.heard();
    assert.deepEqual(wire.closes, []);
    assert.deepEqual(events, ['disconnected']);
  });

  it('may be its end: onConnected closes it', async () => {
    const { client, wire, events } = await opened(
      { onConnected: (connection) => connection.close({ error: 'full' }) },
      { handshake: false },
    );
    client.connection.receive(HANDSHAKE);
    assert.deepEqual(await client.heard(), [{}, { type: 7, error: 'full' }]);
    assert.deepEqual(wire.closes, [1000]);
    assert.deepEqual(events, ['disconnected']);
  });
});

describe('the end of a hub connection', () => {
  it('answers the client’s Close with one of its own, whatever it says', async () => {
    for (const close of [{ type: 7 }, { type: 7, error: 'boom', allowReconnect: true }]) {
      const { client, wire, hub, timers, events } = await opened();
      client.say(close, PING);
      assert.deepEqual(await client.heard(), [{ type: 7 }]);
      assert.deepEqual(wire.closes, [1000]);
      assert.deepEqual(events, ENDED);
      assert.equal(hub.connectionCount, 0);
      assert.equal(timers.pending, 0);
    }
  });

  for (const [options, message] of [
    [{}, '{"type":7}'],
    [{ allowReconnect: false }, '{"type":7}'],
    [{ allowReconnect: true }, '{"type":7,"allowReconnect":true}'],
    [{ error: 'boom' }, '{"type":7,"error":"boom"}'],
    [{ error: 'boom', allowReconnect: true }, '{"type":7,"error":"boom","allowReconnect":true}'],
  ] as const) {
    it(`says goodbye first, at once: close(${JSON.stringify(options)})`, async () => {
      const { connection, wire } = await opened();
      connection.close(options);
      assert.deepEqual(wire.texts, [`${message}\u001e`]);
      assert.deepEqual(wire.closes, [1000]);
    });
  }

  it('sends what was said before it, and nothing after', async () => {
    const { connection, client, wire, hub } = await opened();
    connection.send('Before', 1);
    hub.all().send('Before', 2);
    connection.close();
    connection.send('After', 1);
    hub.all().send('After', 2);
    assert.deepEqual(wire.messages, [told('Before', 1), told('Before', 2), { type: 7 }]);
    assert.equal((await client.heard()).length, 3);
  });

  it('happens once, whoever ends it and however often', async () => {
    const { connection, client, wire, events } = await opened();
    connection.close();
    connection.close({ allowReconnect: true });
    connection.disconnected();
    client.say(PING, { type: 7 }, 'hello');
    assert.deepEqual(events, ENDED);
    assert.deepEqual(wire.closes, [1000]);
    assert.equal((await client.heard()).length, 1);
  });

  it('leaves the wire alone when that is gone already', async () => {
    const { connection, wire, timers, events } = await opened();
    connection.disconnected();
    connection.disconnected();
    assert.deepEqual(wire.closes, []);
    assert.deepEqual(wire.messages, []);
    assert.deepEqual(events, ENDED);
    assert.equal(timers.pending, 0);
  });

  it('reaches the wire, and the hub forgets it, also when onDisconnected throws', async () => {
    const { connection, client, wire, hub, timers, log } = await opened({
      onDisconnected: () => {
        throw new Error('the application’s own trouble');
      },
    });
    connection.join('room');
    connection.close();
    assert.deepEqual(await client.heard(), [{ type: 7 }]);
    assert.deepEqual(wire.closes, [1000]);
    assert.equal(hub.connectionCount, 0);
    assert.equal(timers.pending, 0);
    assert.deepEqual(
      log.lines.map(({ level, reason }) => [level, reason]),
      [['error', 'the application’s own trouble']],
    );
  });

  it('leaves its groups behind, and joins no more', async () => {
    const { connection, hub } = await opened();
    connection.join('room');
    connection.disconnected();
    connection.join('room');
    assert.deepEqual([...connection.groups], []);
    assert.equal(hub.connection('c1'), undefined);
  });

  it('is told to whoever asks it for a result', async () => {
    const { connection } = await opened();
    connection.close();
    await assert.rejects(connection.invoke('Ask'), new HubError("Connection 'c1' does not exist."));
  });
});

describe('the messages to a hub connection', () => {
  it('leave together at the end of the turn, in their order', async () => {
    const { connection, wire, hub } = await opened({ defer: setImmediate });
    connection.send('A', 1);
    hub.all().send('B');
    await Promise.resolve();
    connection.send('C');
    assert.deepEqual(wire.texts, []);
    await new Promise(setImmediate);
    assert.deepEqual(wire.texts, [[told('A', 1), told('B'), told('C')].map(frame).join('')]);
  });

  it('throw at their sender when they cannot be written, and nothing is sent', async () => {
    const { connection, client } = await opened();
    assert.throws(() => connection.send('Bad', 1n), TypeError);
    connection.send('Good');
    assert.deepEqual(await client.heard(), [told('Good')]);
    await assert.rejects(connection.invoke('Bad', 1n), TypeError);
    assert.deepEqual(await client.heard(), []);
  });
});
