import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_HUB_LIMITS, DEFAULT_HUB_PATH } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { EventStream, HubCaller } from '../support/hub-caller.ts';
import { HubNeighbour } from '../support/hub-neighbour.ts';
import { startHubNode, type HubNode } from '../support/hub-node.ts';
import { readAnswer, sendHubRequest } from '../support/hub-request.ts';
import { JSON_HANDSHAKE, OPCODE, RawWebSocket, clientFrame } from '../support/raw-web-socket.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const BROKEN = { type: 7, error: 'Connection closed with an error.', allowReconnect: true };
const MIB = 1024 * 1024;
const TIMING = {
  heartbeatMs: 20,
  handshakeTimeoutMs: 400,
  sendTimeoutMs: 500,
  closeTimeoutMs: 300,
  disconnectTimeoutMs: 600,
  pollTimeoutMs: 5_000,
};

describe('hostile clients of a hub', () => {
  let node: HubNode;
  let eve: HubCaller;
  let neighbour: HubNeighbour;
  let drip: { readonly beganAt: number; readonly status: Promise<number>; readonly stop: () => void };
  const waiting: (() => void)[] = [];
  before(async () => {
    node = await startHubNode({
      timing: TIMING,
      maxConnectionsPerUser: 60,
      methods: {
        Wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
        Ask: ({ connection }) => connection.invoke('Question'),
      },
    });
    eve = new HubCaller(node.port, 'eve');
    drip = await dripBody(node);
  });
  after(async () => {
    drip.stop();
    await node.stop();
  });
  beforeEach(async () => {
    neighbour = await HubNeighbour.join(node);
  });
  afterEach(async () => {
    for (const release of waiting.splice(0)) release();
    await neighbour.leave();
  });
  const forgotten = (withinMs?: number) =>
    until('only the neighbour and the slow poster are left', () => node.hub.connectionCount === 2, withinMs);
  /** The most that waits in any of the server's sockets, looked at after each step. */
  const watchBuffers = () => {
    let most = 0;
    return {
      look: () => {
        for (const { writableLength } of node.sockets) most = Math.max(most, writableLength);
      },
      most: () => most,
    };
  };

  describe('slowly', () => {
    it('a handshake that never ends is cancelled in time, however it drips, on every transport', async () => {
      const sockets = await Promise.all(
        Array.from({ length: 20 }, () => RawWebSocket.ask({ port: node.port, token: 'eve' })),
      );
      const stream = await EventStream.start(eve, await eve.negotiate());
      const polling = await eve.negotiate();
      await eve.poll(polling);
      const refusal = eve.poll(polling);
      const beganAt = performance.now();
      const letters = JSON_HANDSHAKE.slice(0, -1).split('');
      const dripping = setInterval(() => {
        const letter = letters.shift() ?? 'x';
        for (const socket of sockets) socket.text(letter);
      }, 15);
      await Promise.all(sockets.map((socket) => socket.ended(3_000)));
      clearInterval(dripping);
      const took = performance.now() - beganAt;
      assert.equal(took > 300 && took < 2_000, true, `it took ${took} ms`);
      for (const { messages, closeCode } of sockets) {
        assert.deepEqual(messages, [{ error: 'Handshake was canceled.' }]);
        assert.equal(closeCode, 1_000);
      }
      await stream.ended();
      assert.deepEqual(stream.messages, [{ error: 'Handshake was canceled.' }]);
      assert.equal((await refusal).text, '{"error":"Handshake was canceled."}\u001e');
      await forgotten();
    });

    it('headers that drip hold up nobody', async () => {
      const sockets = Array.from({ length: 20 }, () => connect({ port: node.port, host: '127.0.0.1' }));
      const head = `GET /hub HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(1_000)}`;
      for (const letter of head.slice(0, 100)) {
        for (const socket of sockets) socket.write(letter);
        await delay(3);
      }
      assert.equal((await eve.request('POST', '/hub/negotiate')).status, 200);
      for (const socket of sockets) socket.destroy();
    });

    it('a client that reads nothing loses its connection, on every transport, and takes little memory', async () => {
      const buffers = watchBuffers();
      const polling = await eve.openPolling();
      const stream = await eve.openStream();
      const socket = await eve.openSocket();
      stream.response.pause();
      socket.socket.pause();
      const text = 'x'.repeat(32 * 1024);
      const ofEve = () => node.hub.user('tenant-a', 'eve');
      const before = process.memoryUsage().rss;
      // 8 MiB, and more only while the kernel takes it all for the client.
      for (
        let sent = 0;
        sent < 8 * MIB || (node.hub.connectionCount > 2 && sent < 64 * MIB);
        sent += text.length
      ) {
        ofEve().send('Blob', text);
        await nextTurn();
        buffers.look();
      }
      await forgotten(3_000);
      const allowed = DEFAULT_HUB_LIMITS.maxBufferedBytes + 128 * 1024;
      assert.equal(buffers.most() < allowed, true, `${buffers.most()} bytes waited`);
      assert.equal(process.memoryUsage().rss - before < 150 * MIB, true, 'memory');
      await until(
        'their sockets are gone',
        () => ![...node.sockets].some(({ writableLength }) => writableLength > 0),
      );
      const end = await eve.poll(polling);
      // Closed by the cap: the last words still wait for a poll, and then the id is unknown.
      assert.equal([200, 404].includes(end.status), true, String(end.status));
      stream.close();
      socket.socket.destroy();
    });

    it('a client that stops reading with less than the cap unread is cut off after the send timeout', async () => {
      const socket = await eve.openSocket();
      socket.socket.pause();
      const stuck = () => [...node.sockets].some(({ writableLength }) => writableLength > 0);
      while (!stuck()) {
        node.hub.user('tenant-a', 'eve').send('Blob', 'x'.repeat(200_000));
        await nextTurn();
        await nextTurn();
      }
      const beganAt = performance.now();
      await forgotten(3_000);
      const took = performance.now() - beganAt;
      assert.equal(took > 400 && took < 1_500, true, `it took ${took} ms`);
      socket.socket.destroy();
    });
  });

  describe('in floods', () => {
    const NOISE = {
      invocation: '{"type":1,"target":"Echo","arguments":[1]}\u001e',
      ping: '{"type":6}\u001e',
    };
    for (const [name, text] of [
      ['calls that nobody waits for', NOISE.invocation],
      ['calls that are answered', '{"type":1,"invocationId":"1","target":"Echo","arguments":[1]}\u001e'],
      [
        'calls of methods that do not exist',
        '{"type":1,"invocationId":"1","target":"No","arguments":[]}\u001e',
      ],
      ['pings', NOISE.ping],
      ['messages of an unknown type', '{"type":99}\u001e'],
      ['cancellations of nothing', '{"type":5,"invocationId":"1"}\u001e'],
      ['items of no stream', '{"type":2,"invocationId":"1","item":1}\u001e'],
      ['completions of nothing', '{"type":3,"invocationId":"1"}\u001e'],
    ] as const) {
      it(`10,000 ${name}: closed with the error`, async () => {
        const client = await eve.openSocket();
        client.answersClose = true;
        for (let at = 0; at < 100; at += 1) {
          client.text(text.repeat(100));
          await nextTurn();
        }
        await client.ended();
        assert.deepEqual(client.closeMessage, BROKEN);
        assert.equal(client.closeCode, 1_000);
        await forgotten();
      });
    }

    it('10,000 calls by POST: the same', async () => {
      const stream = await eve.openStream();
      for (let at = 0; at < 50 && !stream.isEnded; at += 1)
        await eve.post(stream.id, NOISE.invocation.repeat(200));
      await stream.ended();
      assert.deepEqual(stream.closeMessage, BROKEN);
      await forgotten();
    });

    it('POSTs that wait for their turn stay with their client, and are served when it comes', async () => {
      const stream = await eve.openStream();
      const first = eve.post(
        stream.id,
        `{"type":1,"target":"Wait","arguments":[]}\u001e` + NOISE.invocation.repeat(99),
      );
      await until('the first runs', () => waiting.length === 1);
      const before = new Map([...node.sockets].map((socket) => [socket, socket.bytesRead]));
      const note = JSON.stringify({ type: 1, target: 'Echo', arguments: ['x'.repeat(30_000)] });
      const posts = Array.from({ length: 20 }, () => eve.post(stream.id, `${note}\u001e`.repeat(30)));
      const read = () =>
        [...node.sockets].reduce((sum, socket) => sum + socket.bytesRead - (before.get(socket) ?? 0), 0);
      await until('all have begun', () => node.sockets.size >= before.size + 20 && read() > MIB);
      await delay(200);
      assert.equal(read() < 6 * MIB, true, `${read()} bytes of 18 MB were read`);
      for (const release of waiting.splice(0)) release();
      const answers = await Promise.all([first, ...posts]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      stream.close();
      await forgotten();
    });

    it('200 POSTs to a connection that is not read: as many wait as a client can mean, the rest is 429', async () => {
      const stream = await eve.openStream();
      const first = eve.post(
        stream.id,
        `{"type":1,"target":"Wait","arguments":[]}\u001e` + NOISE.invocation.repeat(99),
      );
      await until('the first runs', () => waiting.length === 1);
      let refused = 0;
      const posts = Array.from({ length: 200 }, async () => {
        const { status } = await eve.post(stream.id, NOISE.ping);
        if (status === 429) refused += 1;
        return status;
      });
      await until('most are refused', () => refused >= 168);
      for (const release of waiting.splice(0)) release();
      assert.equal((await first).status, 200);
      const statuses = await Promise.all(posts);
      assert.equal(statuses.filter((status) => status === 200).length, 200 - refused);
      assert.equal((await eve.post(stream.id, NOISE.ping)).status, 200);
      stream.close();
      await forgotten();
    });

    it('2,000 messages a second are allowed', async () => {
      const client = await eve.openSocket();
      client.text(NOISE.ping.repeat(1_900));
      client.message({ type: 1, invocationId: '1', target: 'Echo', arguments: ['still here'] });
      await until('an answer', () => client.messages.some(({ result }) => result === 'still here'));
      client.socket.destroy();
      await forgotten();
    });

    it('2,000 calls of a method that does not end: read no further than 100, and all served when it does', async () => {
      const client = await eve.openSocket();
      let sent = 0;
      for (let at = 0; at < 20; at += 1) {
        const calls = Array.from({ length: 100 }, () => {
          sent += 1;
          return JSON.stringify({
            type: 1,
            invocationId: `${sent}`,
            target: sent === 1 ? 'Wait' : 'Echo',
            arguments: [sent],
          });
        });
        client.text(calls.join('\u001e') + '\u001e');
        await nextTurn();
      }
      await until('the first runs', () => waiting.length === 1);
      await delay(100);
      assert.equal(client.messages.filter(({ type }) => type === 3).length, 0);
      for (const release of waiting.splice(0)) release();
      await until('all answers', () => client.messages.filter(({ type }) => type === 3).length === 2_000);
      const ids = client.messages
        .filter(({ type }) => type === 3)
        .map(({ invocationId }) => Number(invocationId));
      assert.deepEqual(
        ids,
        Array.from({ length: 2_000 }, (_, at) => at + 1),
      );
      client.socket.destroy();
      await forgotten();
    });

    it('1,100 calls while the server waits for this very client: closed with the error at 1,000', async () => {
      const client = await eve.openSocket();
      client.text('{"type":1,"target":"Ask","arguments":[]}\u001e');
      await until('it is asked', () => client.messages.some(({ target }) => target === 'Question'));
      client.text(NOISE.invocation.repeat(990));
      client.message({ type: 6 });
      await delay(50);
      assert.equal(client.closeMessage, undefined);
      client.text(NOISE.invocation.repeat(110));
      await until('the close message', () => client.closeMessage);
      assert.deepEqual(client.closeMessage, BROKEN);
      client.socket.destroy();
      await forgotten();
    });

    it('ping frames are answered as far as the answers leave; who sends more is cut off, and fills no memory', async () => {
      const [reading, flooding, deaf] = [
        await eve.openSocket(),
        await eve.openSocket(),
        await eve.openSocket(),
      ];
      deaf.socket.pause();
      const buffers = watchBuffers();
      const pings = (count: number) =>
        Buffer.concat(Array<Buffer>(count).fill(clientFrame(Buffer.alloc(125), { opcode: OPCODE.ping })));
      const pongs = () => reading.frames.filter(({ opcode }) => opcode === OPCODE.pong).length;
      for (let sent = 40; sent <= 2_000; sent += 40) {
        reading.socket.write(pings(40));
        await until('all pongs', () => pongs() === sent);
      }
      for (let at = 0; at < 200; at += 1) {
        for (const { socket } of [flooding, deaf]) if (!socket.destroyed) socket.write(pings(500));
        await nextTurn();
        buffers.look();
      }
      await flooding.ended();
      deaf.socket.resume();
      await deaf.ended();
      assert.equal(buffers.most() < MIB, true, `${buffers.most()} bytes waited`);
      assert.equal(reading.isEnded, false);
      reading.socket.destroy();
      await forgotten();
    });
  });

  describe('with nonsense', () => {
    it('garbage instead of frames, of HTTP, of a body: an end for that client', async () => {
      const garbage = Array.from({ length: 20 }, () => randomBytes(500));
      for (const bytes of garbage) {
        const client = await eve.openSocket();
        client.answersClose = true;
        client.socket.write(bytes);
        // Random bytes may be the beginning of a long frame, which never comes: the end is then the client's.
        client.socket.end();
        await client.ended();
        const raw = connect({ port: node.port, host: '127.0.0.1' });
        raw.on('error', () => {}); // a reset is what garbage deserves
        raw.end(bytes);
        await new Promise((resolve) => raw.resume().once('close', resolve));
      }
      const stream = await eve.openStream();
      assert.equal((await eve.post(stream.id, randomBytes(30_000))).status, 200);
      await eve.post(stream.id, Buffer.from([0x1e]));
      await stream.ended();
      assert.deepEqual(stream.closeMessage, BROKEN);
      await forgotten();
    });

    it('a frame of 2^62 bytes ⇒ 1009 at its header', async () => {
      const client = await eve.openSocket();
      client.socket.write(Buffer.from('82ff4000000000000000aaaaaaaa', 'hex'));
      await until('the close frame', () => client.closeCode);
      assert.equal([1_002, 1_009].includes(client.closeCode ?? 0), true, String(client.closeCode));
      client.socket.destroy();
      await forgotten();
    });

    it('a MessagePack message of a few bytes that says it is gigabytes ⇒ the error', async () => {
      const client = await RawWebSocket.ask({ port: node.port, token: 'eve' });
      client.text('{"protocol":"messagepack","version":1}\u001e');
      await until('the reply', () => client.frames.length > 0);
      const huge = Buffer.from('DD01FFFFFF'.repeat(200), 'hex');
      client.frame(Buffer.concat([Buffer.from([0xe8, 0x07]), huge]));
      client.answersClose = true;
      await client.ended();
      assert.match(
        client.frames.map(({ payload }) => String(payload)).join(),
        /Connection closed with an error/,
      );
      await forgotten();
    });

    it('messages nested 10,000 deep ⇒ the error', async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const client = await eve.openSocket();
        client.answersClose = true;
        const levels = 5_000;
        client.text(
          `{"type":1,"target":"Echo","arguments":[${open.repeat(levels)}1${close.repeat(levels)}]}\u001e`,
        );
        await client.ended();
        assert.deepEqual(client.closeMessage, BROKEN);
      }
      await forgotten();
    });

    it('names of the prototype are no methods, and reach nothing', async () => {
      const client = await eve.openSocket();
      for (const target of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
        client.message({ type: 1, invocationId: 'p', target, arguments: [] });
      }
      client.text(
        '{"type":1,"invocationId":"q","target":"Echo","arguments":[{"__proto__":{"polluted":1}}]}\u001e',
      );
      await until('six answers', () => client.messages.length === 7);
      for (const { error } of client.messages.slice(1, 6))
        assert.match(String(error), /Method does not exist/);
      assert.equal('polluted' in {}, false);
      client.socket.destroy();
      await forgotten();
    });
  });

  it('10,000 types to subscribe to: 200 are joined, the rest is refused, and those joined are heard', async () => {
    const rowlock = await startNode({
      backend: memoryBackend({ log: silentLog }),
      hub: { timing: { heartbeatMs: 20 } },
    });
    const port = Number(new URL(rowlock.url).port);
    const client = await RawWebSocket.open({
      port,
      path: DEFAULT_HUB_PATH,
      token: await tokenFor({ oid: 'eve' }),
    });
    for (let call = 0; call < 100; call += 1) {
      const types = Array.from({ length: 100 }, (_, at) => `Type${100 * call + at}`);
      client.message({ type: 1, invocationId: `${call}`, target: 'Subscribe', arguments: [types] });
    }
    await until('all answers', () => client.messages.filter(({ type }) => type === 3).length === 100);
    const refused = client.messages.filter(({ error }) => typeof error === 'string');
    assert.equal(refused.length, 98);
    for (const { error } of refused)
      assert.equal(error, "Failed to invoke 'Subscribe' due to an error on the server.");
    for (const entityType of ['Type0', 'Type199', 'Type200']) {
      await rowlock.rowlock.hub.publish(TEST_TENANT, { entityType, entityUid: '1', operation: 'Updated' });
    }
    client.message({ type: 1, invocationId: 'end', target: 'Unsubscribe', arguments: [['Type0']] });
    await until('the end', () => client.messages.some(({ invocationId }) => invocationId === 'end'));
    const heard = client.messages.filter(({ target }) => target === 'EntityChanged');
    assert.deepEqual(
      heard.map(({ arguments: args }) => (args as readonly { entityType: string }[])[0]?.entityType),
      ['Type0', 'Type199'],
    );
    client.socket.destroy();
    await rowlock.stop();
  });

  it('1,000 clients that connect and reset, at every moment, leave nothing: no connection, timer, socket or place', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const sockets = node.sockets.size;
    const reset = (socket: Socket) => {
      if (!socket.destroyed) socket.resetAndDestroy();
    };
    const upgrade = async (bytes: number) => {
      const socket = connect({ port: node.port, host: '127.0.0.1' });
      socket.on('error', () => {}); // its own reset
      await new Promise((resolve) => socket.once('connect', resolve));
      const head =
        'GET /hub HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer eve\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
      socket.write(head.slice(0, bytes), () => reset(socket));
    };
    const ways: (() => Promise<void>)[] = [
      () => upgrade(0),
      () => upgrade(50),
      () => upgrade(1_000),
      () => upgrade(1_000),
      () => upgrade(1_000),
      async () => reset((await eve.openSocket()).socket),
      async () => {
        const asked = RawWebSocket.ask({
          port: node.port,
          token: 'eve',
          path: `/hub?id=${await eve.negotiate()}`,
        });
        reset((await asked).socket);
      },
      async () => reset((await EventStream.start(eve, await eve.negotiate())).response.socket),
      async () => {
        const id = await eve.negotiate();
        await eve.poll(id);
        const { request } = sendHubRequest({
          port: node.port,
          token: 'eve',
          method: 'GET',
          path: `/hub?id=${id}`,
        });
        await until('it is sent', () => request.socket?.bytesWritten);
        if (request.socket !== null) reset(request.socket);
      },
      async () => {
        await eve.negotiate();
      },
    ];
    for (let batch = 0; batch < 50; batch += 1) {
      await Promise.all(Array.from({ length: 2 }, () => ways.map((way) => way())).flat());
      // Polls that broke off keep their places for a while. A batch takes 16 of the 60, and as many of the one before
      // may be on their way still: whoever reset at once does not hear of it.
      await until('there is room for a batch', () => node.hub.connectionCount <= 20);
    }
    await forgotten(5_000);
    await until('no socket is left', () => node.sockets.size <= sockets);
    await until('no timer is left', () => timers() <= before + 1); // `until` has one of its own
    const room = await Promise.all(Array.from({ length: 60 }, () => eve.openSocket()));
    assert.equal((await RawWebSocket.ask({ port: node.port, token: 'eve' })).answer.status, 429);
    for (const { socket } of room) socket.destroy();
    await forgotten();
  });

  it('a body that drips for more than 10 s ⇒ 400, and its connection was served meanwhile as far as it could be', async () => {
    assert.equal(await drip.status, 400);
    const took = performance.now() - drip.beganAt;
    assert.equal(took > 9_900, true, `it took ${took} ms`);
  });
});

/** Begins a POST whose body comes byte by byte, on an event stream of its own. */
async function dripBody(node: HubNode) {
  const caller = new HubCaller(node.port, 'mallory');
  const stream = await caller.openStream();
  const { request, response } = sendHubRequest({
    port: node.port,
    token: 'mallory',
    method: 'POST',
    path: `/hub?id=${stream.id}`,
    isUnfinished: true,
    headers: { 'content-length': '1000000' },
  });
  request.on('error', () => {}); // the server may end it while a byte is on its way
  const beganAt = performance.now();
  const dripping = setInterval(() => void request.write('x'), 50);
  const status = response.then(readAnswer).then((answer) => answer.status);
  status.catch(() => {}); // whoever runs one test alone ends it before its answer
  return {
    beganAt,
    status,
    stop() {
      clearInterval(dripping);
      request.destroy();
      stream.close();
    },
  };
}
