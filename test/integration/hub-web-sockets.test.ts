import { decode, encode } from '@msgpack/msgpack';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { DEFAULT_HUB_LIMITS } from '../../core/index.ts';
import { HubCaller } from '../support/hub-caller.ts';
import { hubNodes, startHubNode, type HubNode } from '../support/hub-node.ts';
import { JSON_HANDSHAKE, OPCODE, RawWebSocket, clientFrame } from '../support/raw-web-socket.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const { maxMessageBytes } = DEFAULT_HUB_LIMITS;
const BROKEN = { type: 7, error: 'Connection closed with an error.', allowReconnect: true };
const CALL = { type: 1, invocationId: '1', target: 'Echo', arguments: ['ü€😀'] };
const ANSWER = { type: 3, invocationId: '1', result: 'ü€😀' };

/** To a handshake that is accepted. */
const REPLY = '{}\u001e';

describe('a hub over WebSockets', () => {
  const start = hubNodes();
  let node: HubNode;
  let ann: HubCaller;
  before(async () => {
    node = await startHubNode({ timing: { heartbeatMs: 20, closeTimeoutMs: 200 } });
    ann = new HubCaller(node.port);
  });
  after(() => node.stop());
  const refusedWith = async (headers: Record<string, string>, path = '/hub') =>
    (await RawWebSocket.ask({ port: node.port, path, headers })).answer.status;

  it('a handshake is answered with {} before anything else, in text, also when it came in binary', async () => {
    for (const opcode of [OPCODE.text, OPCODE.binary]) {
      const client = await RawWebSocket.ask({ port: node.port });
      client.frame(Buffer.from(JSON_HANDSHAKE), { opcode });
      node.broadcast('Tick', 1);
      await until('the reply', () => client.frames.length > 0);
      assert.equal(client.frames[0]?.opcode, OPCODE.text);
      assert.equal(String(client.frames[0].payload), '{}\u001e');
      client.socket.destroy();
    }
  });

  it('with MessagePack everything goes out in binary, the handshake’s reply too; a refusal in text', async () => {
    const client = await RawWebSocket.ask({ port: node.port });
    const call = encode([1, {}, '1', 'Echo', [{ at: new Date(5) }], []]);
    // The answer is in one frame with the reply where both are due in the same turn: as sent here, in one packet.
    client.socket.cork();
    client.text('{"protocol":"MessagePack","version":1}\u001e');
    client.frame(Buffer.concat([Buffer.from([call.length]), call]));
    client.socket.uncork();
    const answered = () => Buffer.concat(client.frames.map(({ payload }) => payload));
    await until('reply and answer', () => answered().length > REPLY.length);
    assert.equal(
      client.frames.every(({ opcode }) => opcode === OPCODE.binary),
      true,
    );
    assert.equal(String(answered().subarray(0, REPLY.length)), REPLY);
    assert.deepEqual(decode(answered().subarray(REPLY.length + 1)), [3, {}, '1', 3, { at: new Date(5) }]);
    client.socket.destroy();
    const refused = await RawWebSocket.ask({ port: node.port });
    refused.text('{"protocol":"messagepack","version":3}\u001e');
    await refused.ended();
    assert.equal(refused.frames[0]?.opcode, OPCODE.text);
  });

  it('handshakes that cannot be: the error, then 1000', async () => {
    for (const [text, error] of [
      ['{"protocol":"xml","version":1}\u001e', "The protocol 'xml' is not supported."],
      [
        '{"protocol":"json","version":3}\u001e',
        "The server does not support version 3 of the 'json' protocol.",
      ],
      ['{"hello":1}\u001e', 'An unexpected error occurred during connection handshake.'],
      ['no json\u001e', 'An unexpected error occurred during connection handshake.'],
      ['x'.repeat(maxMessageBytes), 'Handshake was canceled.'],
    ] as const) {
      const client = await RawWebSocket.ask({ port: node.port });
      client.text(text);
      await client.ended();
      assert.deepEqual(client.messages, [{ error }]);
      assert.equal(client.closeCode, 1_000);
    }
  });

  it('messages come in text and binary frames, in fragments, split anywhere, and many in one', async () => {
    const whole = Buffer.from(JSON.stringify(CALL) + '\u001e');
    const ways: ((client: RawWebSocket) => void)[] = [
      (client) => client.frame(whole, { opcode: OPCODE.text }),
      (client) => client.frame(whole, { opcode: OPCODE.binary }),
      (client) => {
        client.frame(whole.subarray(0, 5), { opcode: OPCODE.text, isFinal: false });
        client.frame(Buffer.alloc(0), { opcode: OPCODE.continuation, isFinal: false });
        client.frame(Buffer.from('are you there'), { opcode: OPCODE.ping });
        client.frame(whole.subarray(5), { opcode: OPCODE.continuation });
      },
      // Inside a character of several bytes: the frames are binary, so that each need not be text by itself.
      (client) => {
        for (const byte of whole) client.frame(Buffer.from([byte]));
      },
      (client) => {
        const bytes = clientFrame(whole);
        for (const byte of bytes) client.socket.write(Buffer.from([byte]));
      },
    ];
    for (const [at, send] of ways.entries()) {
      const client = await ann.openSocket();
      send(client);
      await until(`the answer to way ${at}`, () => client.messages.length > 1);
      assert.deepEqual(client.messages[1], ANSWER);
      client.socket.destroy();
    }
    const client = await ann.openSocket();
    client.text([0, 1, 2].map((at) => JSON.stringify({ ...CALL, arguments: [at] }) + '\u001e').join(''));
    await until('three answers', () => client.messages.length > 3);
    assert.deepEqual(
      client.messages.slice(1).map(({ result }) => result),
      [0, 1, 2],
    );
    client.socket.destroy();
  });

  it('a ping frame is answered with its own payload', async () => {
    const client = await ann.openSocket();
    client.frame(Buffer.from('are you there'), { opcode: OPCODE.ping });
    const pong = await until('a pong', () => client.frames.find(({ opcode }) => opcode === OPCODE.pong));
    assert.equal(String(pong.payload), 'are you there');
    client.socket.destroy();
  });

  it('what is sent in one turn is one frame, also between pongs', async () => {
    const client = await ann.openSocket();
    for (const value of [1, 2, 3]) node.broadcast('Tick', value);
    client.frame(Buffer.from('x'), { opcode: OPCODE.ping });
    await until('frame and pong', () => client.frames.length === 3);
    assert.deepEqual(
      client.messages.slice(1).map((message) => message['arguments']),
      [[1], [2], [3]],
    );
    client.socket.destroy();
  });

  it('a close frame is answered: without a code by 1000, with one by the same', async () => {
    for (const [payload, code] of [
      [Buffer.alloc(0), 1_000],
      [Buffer.from([0x03, 0xe8]), 1_000],
      [Buffer.from([0x03, 0xe9]), 1_001],
      [Buffer.from([0x0f, 0xa0]), 4_000],
    ] as const) {
      const client = await ann.openSocket();
      client.frame(payload, { opcode: OPCODE.close });
      await client.ended();
      assert.equal(client.closeCode, code);
      assert.equal(client.closeMessage, undefined);
    }
    await until('all are forgotten', () => node.hub.connectionCount === 0);
  });

  it('a client’s Close message: one back, then 1000', async () => {
    const client = await ann.openSocket();
    client.message({ type: 7 });
    await client.ended();
    assert.deepEqual(client.messages.at(-1), { type: 7 });
    assert.equal(client.closeCode, 1_000);
  });

  it('nothing is heard from a client after the server’s close, and nothing goes to it', async () => {
    const client = await ann.openSocket();
    node.hub.disconnectUser('tenant-a', 'ann');
    client.message(CALL);
    node.broadcast('Tick', 'late');
    await until('the close frame', () => client.closeCode);
    client.message(CALL);
    client.frame(Buffer.from([0x03, 0xe8]), { opcode: OPCODE.close });
    client.message(CALL);
    await client.ended();
    assert.deepEqual(client.messages.slice(1), [{ type: 7 }]);
    assert.equal(client.frames.at(-1)?.opcode, OPCODE.close);
  });

  it('a client that does not answer the close is cut off after the close timeout', async () => {
    const client = await ann.openSocket();
    node.hub.disconnectUser('tenant-a', 'ann');
    const beganAt = performance.now();
    await client.ended(3_000);
    const took = performance.now() - beganAt;
    assert.equal(took >= 150 && took < 2_000, true, `it took ${took} ms`);
  });

  describe('messages over the limit', () => {
    it('one that is too large: the error with leave to come back, then 1000; the largest goes through', async () => {
      const client = await ann.openSocket();
      const call = (filler: number) =>
        JSON.stringify({ ...CALL, arguments: ['x'.repeat(filler)] }) + '\u001e';
      const spare = maxMessageBytes - call(0).length;
      client.text(call(spare));
      await until('an answer', () => client.messages.length > 1);
      client.text(call(spare + 1));
      await client.ended();
      assert.deepEqual(client.messages.at(-1), BROKEN);
      assert.equal(client.closeCode, 1_000);
    });

    it('one that never ends, in small frames: the same, as soon as it is over', async () => {
      const client = await ann.openSocket();
      for (let sent = 0; sent < maxMessageBytes; sent += 1_000) client.text('x'.repeat(1_000));
      await client.ended();
      assert.deepEqual(client.messages.at(-1), BROKEN);
    });

    it('a frame that no message could fill ends the socket by itself with 1009, before it is read', async () => {
      const { broken } = node.hub.counts;
      const client = await ann.openSocket();
      client.frame(Buffer.from('the beginning'), { length: 1_000_000 });
      await until('the close frame', () => client.closeCode);
      assert.equal(client.closeCode, 1_009);
      await client.ended();
      await until('it is forgotten', () => node.hub.connectionCount === 0);
      assert.equal(node.hub.counts.broken, broken + 1);
    });
  });

  describe('frames that break the rules (RFC 6455)', () => {
    for (const [name, code, bytes] of [
      ['text that is not UTF-8', 1_007, clientFrame(Buffer.from([0xc3, 0x28]), { opcode: OPCODE.text })],
      ['a frame without a mask', 1_002, clientFrame(Buffer.from('{}'), { isMasked: false })],
      ['an opcode that nobody knows', 1_002, clientFrame(Buffer.from('{}'), { opcode: 3 })],
      ['a continuation of nothing', 1_002, clientFrame(Buffer.from('{}'), { opcode: OPCODE.continuation })],
      ['a ping in fragments', 1_002, clientFrame(Buffer.from('x'), { opcode: OPCODE.ping, isFinal: false })],
      ['a ping of 126 bytes', 1_002, clientFrame(Buffer.alloc(126), { opcode: OPCODE.ping })],
      ['a close of one byte', 1_002, clientFrame(Buffer.from([3]), { opcode: OPCODE.close })],
      [
        'a close with a code that must not be sent',
        1_002,
        clientFrame(Buffer.from([0x03, 0xed]), { opcode: OPCODE.close }),
      ],
      ['HTTP instead', 1_002, Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ] as const) {
      it(`${name} ⇒ ${code}, and the connection is forgotten`, async () => {
        const { broken } = node.hub.counts;
        const client = await ann.openSocket();
        client.socket.write(bytes);
        await until('the close frame', () => client.closeCode);
        assert.equal(client.closeCode, code);
        await client.ended();
        await until('it is forgotten', () => node.hub.connectionCount === 0);
        assert.equal(node.hub.counts.broken, broken + 1);
      });
    }

    it('binary that is not UTF-8 inside a JSON message is a broken message', async () => {
      const client = await ann.openSocket();
      client.frame(Buffer.from([0x7b, 0xc3, 0x28, 0x7d, 0x1e]));
      await client.ended();
      assert.deepEqual(client.messages.at(-1), BROKEN);
    });
  });

  it('an upgrade that is none is refused: key, version, protocol, verb', async () => {
    assert.equal(await refusedWith({ 'Sec-WebSocket-Key': 'short' }), 400);
    assert.equal(await refusedWith({ 'Sec-WebSocket-Version': '12' }), 400);
    assert.equal(await refusedWith({ Upgrade: 'h2c' }), 400);
    const socket = connect({ port: node.port, host: '127.0.0.1' });
    socket.write(
      'POST /hub HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ann\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 0\r\n\r\n',
    );
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(data), /^HTTP\/1.1 405 /);
    socket.destroy();
    assert.equal(node.hub.connectionCount, 0);
  });

  it('an upgrade to another path is refused with 404 and ends, also where the client keeps its half open', async () => {
    for (const [path, token, status] of [
      ['/elsewhere', 'ann', 404],
      ['/hub/negotiate', 'ann', 404],
      ['/hub', 'nobody', 401],
    ] as const) {
      const connected = once(node.server, 'connection') as Promise<[Socket]>;
      const client = await RawWebSocket.ask({ port: node.port, path, token });
      const [ours] = await connected;
      assert.equal(client.answer.status, status);
      await until('the server lets go', () => ours.destroyed);
    }
  });

  it('a sub-protocol or an extension that the client offers is not taken up', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${node.port}/hub`, ['one', 'two'], {
      perMessageDeflate: true,
      headers: { authorization: 'Bearer ann' },
    });
    socket.on('error', () => {}); // a client may insist on its sub-protocols; the answer is what counts
    const [response] = (await once(socket, 'upgrade')) as [IncomingMessage];
    assert.equal(response.headers['sec-websocket-extensions'], undefined);
    socket.terminate();
  });

  it('a client that vanishes without a word is forgotten within its timeout and a heartbeat (aspnetcore#39666)', async (t) => {
    const strict = await start({
      timing: { heartbeatMs: 50, pingEveryMs: 200, clientTimeoutMs: 600, closeTimeoutMs: 200 },
    });
    const proxy = await startTcpProxy(strict.port);
    t.after(() => proxy.stop());
    const vanishing = await RawWebSocket.open({ port: proxy.port });
    const staying = await RawWebSocket.open({ port: strict.port });
    // A client pings when it hears something, as the vendor's does.
    const pinging = setInterval(() => staying.message({ type: 6 }), 100);
    t.after(() => clearInterval(pinging));
    proxy.blackhole();
    const beganAt = performance.now();
    await until('it is forgotten', () => strict.hub.connectionCount === 1);
    const took = performance.now() - beganAt;
    assert.equal(took > 400 && took < 1_500, true, `it took ${took} ms`);
    await until('its socket is gone too', () => strict.sockets.size === 1);
    assert.equal(vanishing.isEnded, false, 'nobody told the client');
    assert.equal(staying.isEnded, false);
    assert.equal(staying.messages.filter(({ type }) => type === 6).length >= 2, true, 'the server pings');
    staying.socket.destroy();
  });

  it('a silent client gets its Close with leave to come back', async () => {
    const strict = await start({ timing: { heartbeatMs: 20, pingEveryMs: 50, clientTimeoutMs: 100 } });
    const client = await RawWebSocket.open({ port: strict.port });
    await until('the close message', () => client.closeMessage);
    assert.deepEqual(client.closeMessage, BROKEN);
    client.frame(Buffer.alloc(0), { opcode: OPCODE.close });
    await client.ended();
  });

  it('ten resets in the middle of a broadcast disturb nobody', async () => {
    const { broken } = node.hub.counts;
    const staying = await ann.openSocket();
    const others = await Promise.all(Array.from({ length: 10 }, () => ann.openSocket()));
    for (let value = 0; value < 50; value += 1) {
      node.broadcast('Tick', value);
      if (value % 5 === 0) others.pop()?.socket.resetAndDestroy();
      await nextTurn();
    }
    await until('all ticks', () => staying.messages.length === 51);
    assert.deepEqual(
      staying.messages.slice(1).map((message) => message['arguments']),
      Array.from({ length: 50 }, (_, value) => [value]),
    );
    staying.socket.destroy();
    await until('all are forgotten', () => node.hub.connectionCount === 0);
    assert.equal(node.hub.counts.broken, broken, 'a reset breaks no rule');
  });
});
