import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStream, HubCaller } from '../support/hub-caller.ts';
import { startHubNode, type HubNode } from '../support/hub-node.ts';
import { sendHubRequest } from '../support/hub-request.ts';
import { JSON_HANDSHAKE } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

describe('a hub over server-sent events', () => {
  let node: HubNode;
  let ann: HubCaller;
  const echoed: unknown[] = [];
  let release = () => {};
  before(async () => {
    node = await startHubNode({
      timing: { heartbeatMs: 20, closeTimeoutMs: 300 },
      limits: { maxOpenCalls: 3 },
      methods: {
        Note: (_, value) => void echoed.push(value),
        Wait: () => new Promise<void>((resolve) => (release = resolve)),
      },
    });
    ann = new HubCaller(node.port);
  });
  after(() => node.stop());
  const call = (target: string, ...args: unknown[]) => ({ type: 1, target, arguments: args });

  it('begins with its headers and one byte, before anything is posted', async () => {
    const stream = await EventStream.start(ann, await ann.negotiate());
    await until('the first bytes', () => stream.raw !== '');
    assert.equal(stream.raw, ':\r\n');
    const { headers } = stream.response;
    assert.equal(headers['content-type'], 'text/event-stream');
    assert.equal(headers['cache-control']?.replaceAll(' ', ''), 'no-cache,no-store');
    assert.equal(headers['pragma'], 'no-cache');
    assert.equal(headers['content-encoding'], 'identity');
    assert.equal(headers['content-length'], undefined);
    stream.close();
  });

  it('the handshake’s reply is the first event, and each event is one line with its 0x1E', async () => {
    const stream = await ann.openStream();
    assert.equal(stream.raw, ':\r\ndata: {}\u001e\r\n\r\n');
    stream.close();
  });

  it('what is sent in one turn is one event, what is sent in two turns is two', async () => {
    const stream = await ann.openStream();
    for (const value of [1, 2, 3]) node.broadcast('Tick', value);
    await nextTurn();
    await nextTurn();
    node.broadcast('Tick', 'line one\nline two\r\n\r\nü');
    await until('both events', () => stream.events.length === 3);
    assert.deepEqual(
      stream.messages.slice(1).map((message) => message['arguments']),
      [[1], [2], [3], ['line one\nline two\r\n\r\nü']],
    );
    assert.equal(stream.events[1]?.split('\u001e').length, 4);
    stream.close();
  });

  it('what is posted is taken in order, also many at once, and answered', async () => {
    const stream = await ann.openStream();
    const text = (value: number) => JSON.stringify(call('Note', value)) + '\u001e';
    echoed.length = 0;
    // Each leaves when the one before has reached the server, and none waits for an answer.
    const answers = [];
    for (let value = 0; value < 20; value += 1) answers.push(ann.post(stream.id, text(value)));
    const statuses = (await Promise.all(answers)).map(({ status, text: body }) => [status, body]);
    assert.deepEqual(statuses, Array(20).fill([200, '']));
    assert.deepEqual(
      [...echoed].sort((left, right) => Number(left) - Number(right)),
      Array.from(Array(20).keys()),
    );
    echoed.length = 0;
    for (let value = 0; value < 20; value += 1) await ann.post(stream.id, text(value));
    assert.deepEqual(echoed, Array.from(Array(20).keys()));
    stream.close();
  });

  it('a message may come in many POSTs, and many in one', async () => {
    const stream = await ann.openStream();
    echoed.length = 0;
    const whole = [1, 2, 3].map((value) => JSON.stringify(call('Note', value)) + '\u001e').join('');
    for (let at = 0; at < whole.length; at += 17) await ann.post(stream.id, whole.slice(at, at + 17));
    assert.deepEqual(echoed, [1, 2, 3]);
    stream.close();
  });

  it('POSTs wait for one that came before, whichever is whole first', async () => {
    const stream = await ann.openStream();
    echoed.length = 0;
    const first = JSON.stringify(call('Note', 'first')) + '\u001e';
    const slow = sendHubRequest({
      port: node.port,
      method: 'POST',
      path: `/hub?id=${stream.id}`,
      isUnfinished: true,
      headers: { 'content-length': String(first.length) },
      body: first.slice(0, 10),
    });
    await until('it has reached the server', () => slow.request.socket?.bytesWritten);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    const second = ann.postMessage(stream.id, call('Note', 'second'));
    const another = await ann.openStream();
    await ann.postMessage(another.id, call('Note', 'of another connection'));
    assert.deepEqual(echoed, ['of another connection']);
    slow.request.end(first.slice(10));
    assert.equal((await slow.response).statusCode, 200);
    assert.equal((await second).status, 200);
    assert.deepEqual(echoed, ['of another connection', 'first', 'second']);
    stream.close();
    another.close();
  });

  it('a POST that breaks off half-way changes nothing: not its first half, not what follows', async () => {
    const stream = await ann.openStream();
    echoed.length = 0;
    const half = `${JSON.stringify(call('Note', 'never'))}\u001e{"type":1,"tar`;
    const broken = sendHubRequest({
      port: node.port,
      method: 'POST',
      path: `/hub?id=${stream.id}`,
      isUnfinished: true,
      headers: { 'content-length': '1000' },
      body: half,
    });
    await until('it has reached the server', () => (broken.request.socket?.bytesWritten ?? 0) >= half.length);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    broken.request.destroy();
    assert.equal((await ann.postMessage(stream.id, call('Note', 'whole'))).status, 200);
    assert.deepEqual(echoed, ['whole']);
    assert.equal(stream.closeMessage, undefined);
    stream.close();
  });

  it('a body over 32 messages’ worth ⇒ 413, whether or not its length is told; the connection goes on', async () => {
    const stream = await ann.openStream();
    const body = 'x'.repeat(32 * 32_768 + 1);
    assert.equal((await ann.post(stream.id, body)).status, 413);
    const chunked = sendHubRequest({
      port: node.port,
      method: 'POST',
      path: `/hub?id=${stream.id}`,
      isUnfinished: true,
    });
    for (let at = 0; at < body.length; at += 65_536) chunked.request.write(body.slice(at, at + 65_536));
    chunked.request.end();
    assert.equal((await chunked.response).statusCode, 413);
    echoed.length = 0;
    await ann.postMessage(stream.id, call('Note', 'still here'));
    assert.deepEqual(echoed, ['still here']);
    stream.close();
  });

  it('bytes that are no text are refused in the handshake’s words: MessagePack needs another transport', async () => {
    const stream = await EventStream.start(ann, await ann.negotiate());
    await ann.post(stream.id, '{"protocol":"messagepack","version":1}\u001e');
    await stream.ended();
    assert.deepEqual(stream.messages, [
      {
        error:
          "Cannot use the 'messagepack' protocol on the current transport. " +
          "The transport does not support 'Binary' transfer format.",
      },
    ]);
  });

  it('a client’s Close, and the server’s: the Close message is the last event, then the stream ends', async () => {
    const [first, second] = [await ann.openStream(), await ann.openStream()];
    await ann.postMessage(first.id, { type: 7 });
    await first.ended();
    assert.deepEqual(first.messages.at(-1), { type: 7 });
    assert.equal(node.hub.disconnectUser('tenant-a', 'ann') > 0, true);
    await second.ended();
    assert.deepEqual(second.messages.at(-1), { type: 7 });
    assert.equal((await ann.post(second.id, '{"type":6}\u001e')).status, 404);
    await assert.rejects(EventStream.start(ann, second.id), /404/);
  });

  it('a broken rule: the error, with leave to come back, and the POST is answered all the same', async () => {
    const stream = await ann.openStream();
    assert.equal((await ann.post(stream.id, 'no message\u001e')).status, 200);
    await stream.ended();
    assert.deepEqual(stream.messages.at(-1), {
      type: 7,
      error: 'Connection closed with an error.',
      allowReconnect: true,
    });
  });

  it('a client that goes is forgotten at once', async () => {
    const stream = await ann.openStream();
    assert.equal(node.hub.connectionCount, 1);
    stream.close();
    await until('it is forgotten', () => node.hub.connectionCount === 0);
    assert.equal((await ann.post(stream.id, '{"type":6}\u001e')).status, 404);
  });

  it('a POST that waits for busy methods is slowed down, and let go when its client goes', async () => {
    const stream = await ann.openStream();
    const busy = [1, 2, 3, 4].map(() => JSON.stringify(call('Wait')) + '\u001e').join('');
    const posted = ann.post(stream.id, busy);
    let isAnswered = false;
    void posted.then(() => (isAnswered = true));
    await until('the first call runs', () => release.name !== 'release');
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    assert.equal(isAnswered, false);
    stream.close();
    assert.equal((await posted).status, 200);
    release();
  });

  it('a busy connection is read on when there is room again', async () => {
    const stream = await ann.openStream();
    release = () => {};
    const posted = ann.post(stream.id, [1, 2, 3].map(() => JSON.stringify(call('Wait')) + '\u001e').join(''));
    for (let at = 0; at < 3; at += 1) {
      const before = release;
      await until(`call ${at + 1} runs`, () => release !== before || at > 0);
      const mine = release;
      mine();
      if (at < 2) await until('the next one runs', () => release !== mine);
    }
    assert.equal((await posted).status, 200);
    stream.close();
  });

  it('the token comes in the query, as browsers must send it, and is asked for again with every POST', async () => {
    const stream = await ann.openStream();
    const nobody = new HubCaller(node.port, 'nobody');
    assert.equal((await nobody.post(stream.id, '{"type":6}\u001e')).status, 401);
    const bob = new HubCaller(node.port, 'bob');
    assert.equal((await bob.post(stream.id, '{"type":6}\u001e')).status, 404);
    await assert.rejects(EventStream.start(nobody, await ann.negotiate()), /401/);
    stream.close();
  });

  it('one that takes nothing is cut off when the close has waited long enough', async () => {
    const id = await ann.negotiate();
    const stream = await EventStream.start(ann, id);
    await ann.post(id, JSON_HANDSHAKE);
    await until('the handshake’s reply', () => stream.events.length > 0);
    stream.response.pause();
    const text = 'x'.repeat(100_000);
    // What the kernel takes for the client is not the hub's to count; what it does not take is.
    for (let sent = 0; node.hub.connectionCount > 0 && sent < 400; sent += 1) {
      node.broadcast('Blob', text);
      await nextTurn();
      await nextTurn();
    }
    assert.equal(node.hub.connectionCount, 0);
    await until(
      'the server has let go',
      () => node.sockets.size === 0 || ![...node.sockets].some(({ writableLength }) => writableLength > 0),
    );
    stream.close();
  });
});
