import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubCaller } from '../support/hub-caller.ts';
import { hubNodes, startHubNode, type HubNode } from '../support/hub-node.ts';
import { readAnswer, sendHubRequest, type HubAnswer } from '../support/hub-request.ts';
import { JSON_HANDSHAKE } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

const UNKNOWN = [404, 'No Connection with that ID'];

describe('a hub over long polling', () => {
  const start = hubNodes();
  let node: HubNode;
  let ann: HubCaller;
  const noted: unknown[] = [];
  before(async () => {
    node = await startHubNode({
      // A busy machine may need a second for what a test does between two polls.
      timing: { heartbeatMs: 20, pollTimeoutMs: 150, disconnectTimeoutMs: 10_000 },
      limits: { maxBufferedBytes: 64 * 1024 * 1024 },
      maxConnectionsPerUser: 1_000,
      methods: { Note: (_, value) => void noted.push(value) },
    });
    ann = new HubCaller(node.port);
  });
  after(() => node.stop());
  const textOf = (answer: HubAnswer) => [answer.status, answer.text];
  /** The connection's own poll in the server: resolves when the server has it. */
  const pollThatWaits = async (id: string) => {
    const arrived = new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) =>
      node.server.once('request', (request, response) => resolve({ request, response })),
    );
    const sent = sendHubRequest({ port: node.port, method: 'GET', path: `/hub?id=${id}` });
    const { response } = await arrived;
    await nextTurn();
    await nextTurn();
    return { ...sent, atServer: response, answer: sent.response.then(readAnswer) };
  };

  it('the sequence: an empty first answer at once, then the handshake’s reply, messages, and silence', async () => {
    const id = await ann.negotiate();
    const first = await ann.poll(id);
    assert.deepEqual(textOf(first), [200, '']);
    assert.equal(first.headers['content-length'], '0');
    assert.equal(first.headers['content-type'], 'text/plain');
    assert.deepEqual(textOf(await ann.post(id, JSON_HANDSHAKE)), [200, '']);
    const reply = await ann.poll(id);
    assert.deepEqual(textOf(reply), [200, '{}\u001e']);
    assert.equal(reply.headers['content-type'], 'application/octet-stream');
    assert.equal(reply.headers['content-length'], '3');
    const waiting = await pollThatWaits(id);
    node.broadcast('Tick', 1);
    node.broadcast('Tick', 2);
    const both =
      '{"type":1,"target":"Tick","arguments":[1]}\u001e{"type":1,"target":"Tick","arguments":[2]}\u001e';
    assert.deepEqual(textOf(await waiting.answer), [200, both]);
    const beganAt = performance.now();
    const silence = await ann.poll(id);
    assert.deepEqual(textOf(silence), [200, '']);
    assert.equal(silence.headers['content-type'], 'text/plain');
    assert.equal(performance.now() - beganAt >= 140, true, 'it waited for the poll timeout');
    for (const { headers } of [first, reply, silence]) {
      assert.equal(headers['cache-control'], 'no-cache, no-store');
      assert.equal(headers['pragma'], 'no-cache');
      assert.equal(headers['expires'], 'Thu, 01 Jan 1970 00:00:00 GMT');
    }
    await ann.request('DELETE', `/hub?id=${id}`);
  });

  it('a newer poll ends the older with 204 and is served', async () => {
    const id = await ann.openPolling();
    const older = await pollThatWaits(id);
    const newer = await pollThatWaits(id);
    assert.deepEqual(textOf(await older.answer), [204, '']);
    node.broadcast('Tick', 1);
    assert.match((await newer.answer).text, /Tick/);
    await ann.request('DELETE', `/hub?id=${id}`);
  });

  it('a close: first its message, then 204, then the id is unknown (aspnet/SignalR#469)', async () => {
    for (const isWaiting of [true, false]) {
      const id = await ann.openPolling();
      const waiting = isWaiting ? await pollThatWaits(id) : null;
      node.broadcast('Tick', 'last');
      node.hub.disconnectUser('tenant-a', 'ann');
      const data = waiting === null ? await ann.poll(id) : await waiting.answer;
      assert.deepEqual(textOf(data), [
        200,
        '{"type":1,"target":"Tick","arguments":["last"]}\u001e{"type":7}\u001e',
      ]);
      const over = await ann.poll(id);
      assert.deepEqual(textOf(over), [204, '']);
      assert.equal(over.headers['cache-control'], 'no-cache, no-store');
      assert.deepEqual(textOf(await ann.poll(id)), UNKNOWN);
      assert.deepEqual(textOf(await ann.post(id, '{"type":6}\u001e')), UNKNOWN);
      assert.deepEqual(textOf(await ann.request('DELETE', `/hub?id=${id}`)), UNKNOWN);
    }
  });

  it('a DELETE ends it: the open poll gets 204, the hub forgets it', async () => {
    const id = await ann.openPolling();
    const waiting = await pollThatWaits(id);
    assert.deepEqual(textOf(await ann.request('DELETE', `/hub?id=${id}`)), [202, '']);
    assert.deepEqual(textOf(await waiting.answer), [204, '']);
    assert.deepEqual(textOf(await ann.poll(id)), UNKNOWN);
    assert.equal(node.hub.connectionCount, 0);
  });

  it('a client’s own Close is answered with one', async () => {
    const id = await ann.openPolling();
    await ann.postMessage(id, { type: 7 });
    assert.deepEqual(textOf(await ann.poll(id)), [200, '{"type":7}\u001e']);
    assert.deepEqual(textOf(await ann.poll(id)), [204, '']);
  });

  it('a refused handshake comes as data, then the end', async () => {
    const id = await ann.negotiate();
    await ann.poll(id);
    await ann.post(id, '{"protocol":"xml","version":1}\u001e');
    assert.deepEqual(textOf(await ann.poll(id)), [
      200,
      '{"error":"The protocol \'xml\' is not supported."}\u001e',
    ]);
    assert.deepEqual(textOf(await ann.poll(id)), [204, '']);
  });

  it('MessagePack goes through in both directions', async () => {
    const id = await ann.negotiate();
    await ann.poll(id);
    await ann.post(id, '{"protocol":"messagepack","version":1}\u001e');
    assert.equal((await ann.poll(id)).text, '{}\u001e');
    const call = Buffer.from('960180A178A44563686F912A90', 'hex');
    await ann.post(id, Buffer.concat([Buffer.from([call.length]), call]));
    assert.equal((await ann.poll(id)).body.toString('hex'), '07950380a178032a');
    await ann.request('DELETE', `/hub?id=${id}`);
  });

  it('nobody pings: neither the server, nor does it miss the client’s', async () => {
    const quiet = await start({
      timing: {
        heartbeatMs: 10,
        pingEveryMs: 20,
        clientTimeoutMs: 40,
        pollTimeoutMs: 200,
        disconnectTimeoutMs: 1_000,
      },
    });
    const caller = new HubCaller(quiet.port);
    const id = await caller.openPolling();
    assert.deepEqual(textOf(await caller.poll(id)), [200, '']);
    assert.deepEqual(textOf(await caller.poll(id)), [200, '']);
    assert.equal(quiet.hub.connectionCount, 1);
    await caller.request('DELETE', `/hub?id=${id}`);
  });

  it('who stops polling is forgotten after the disconnect timeout, and its place is free', async () => {
    const strict = await start({
      timing: { heartbeatMs: 20, disconnectTimeoutMs: 100, pollTimeoutMs: 5_000 },
      maxConnectionsPerUser: 1,
    });
    const caller = new HubCaller(strict.port);
    const id = await caller.openPolling();
    const broken = sendHubRequest({ port: strict.port, method: 'GET', path: `/hub?id=${id}` });
    await until('the poll is there', () => broken.request.socket?.bytesWritten);
    broken.request.destroy();
    await until('it is forgotten', () => strict.hub.connectionCount === 0);
    assert.deepEqual(textOf(await caller.poll(id)), UNKNOWN);
    await caller.openPolling();
  });

  it('what is posted is taken in order, and a POST that breaks off changes nothing', async () => {
    const id = await ann.openPolling();
    noted.length = 0;
    const call = (value: unknown) => ({ type: 1, target: 'Note', arguments: [value] });
    const broken = sendHubRequest({
      port: node.port,
      method: 'POST',
      path: `/hub?id=${id}`,
      isUnfinished: true,
      headers: { 'content-length': '1000' },
      body: '{"type":1,"target":"Note","arguments":["never"]}\u001e{"type":1',
    });
    await until('it has reached the server', () => broken.request.socket?.bytesWritten);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    broken.request.destroy();
    for (let value = 0; value < 10; value += 1) await ann.postMessage(id, call(value));
    assert.deepEqual(noted, Array.from(Array(10).keys()));
    await ann.request('DELETE', `/hub?id=${id}`);
  });

  it('a large answer that breaks off while it is written comes again, whole', async () => {
    const id = await ann.openPolling();
    const blobs = Array.from({ length: 24 }, (_, at) => `${at}:${'x'.repeat(1_000_000)}`);
    for (const blob of blobs) node.broadcast('Blob', blob);
    for (let time = 0; time < 3; time += 1) {
      const { request, response } = sendHubRequest({ port: node.port, method: 'GET', path: `/hub?id=${id}` });
      const answer = await response;
      await new Promise((resolve) => answer.once('data', resolve));
      answer.pause();
      request.destroy();
    }
    const { status, text } = await ann.poll(id);
    assert.equal(status, 200);
    const messages = text
      .split('\u001e')
      .slice(0, -1)
      .map((part) => JSON.parse(part) as { arguments: string[] });
    assert.equal(messages.length, blobs.length);
    for (const [at, blob] of blobs.entries())
      assert.equal(messages[at]?.arguments[0] === blob, true, `blob ${at}`);
    await ann.request('DELETE', `/hub?id=${id}`);
  });

  it('polls that break off at random lose nothing that had not left, repeat nothing, and keep the order', async () => {
    const steps = fc.array(
      fc.constantFrom('send', 'send', 'poll', 'poll', 'breakOff', 'sendAndBreakOff', 'hear'),
      {
        minLength: 5,
        maxLength: 40,
      },
    );
    const polls = new PollWatch(node);
    await fc.assert(
      fc.asyncProperty(steps, async (names) => {
        const id = await ann.openPolling();
        polls.begin();
        let sent = 0;
        const send = () => node.broadcast('T', (sent += 1));
        let current: Awaited<ReturnType<typeof pollThatWaits>> | null = null;
        for (const name of names) {
          if (name === 'send') send();
          else if (name === 'poll') {
            current?.answer.catch(() => {}); // superseded, or broken off before
            current = await pollThatWaits(id);
          } else if (current !== null) {
            const { request, answer, atServer } = current;
            if (name === 'hear') {
              send();
              await answer.catch(() => null); // it may have been broken off
            } else {
              answer.catch(() => {}); // broken off here
              if (name === 'sendAndBreakOff') send();
              request.destroy();
              await until('the server notices', () => atServer.closed);
            }
          }
        }
        current?.answer.catch(() => {}); // superseded by the next
        const limit = performance.now() + 2_000;
        while (polls.left.at(-1) !== sent && sent > 0 && performance.now() < limit) {
          const last = await pollThatWaits(id);
          await last.answer;
        }
        assert.deepEqual(
          polls.left,
          Array.from({ length: sent }, (_, at) => at + 1),
        );
        await ann.request('DELETE', `/hub?id=${id}`);
      }),
      { numRuns: 40 },
    );
    polls.stop();
  });
});

/** What the server's answers said that left: the numbers that `T` was called with, in order. */
class PollWatch {
  left: number[] = [];
  readonly #node: HubNode;
  readonly #listen = (_request: IncomingMessage, response: ServerResponse) => this.#watch(response);

  constructor(node: HubNode) {
    this.#node = node;
    node.server.prependListener('request', this.#listen);
  }

  begin(): void {
    this.left = [];
  }

  stop(): void {
    this.#node.server.off('request', this.#listen);
  }

  #watch(response: ServerResponse): void {
    const { socket } = response;
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = ((body: unknown, ...more: unknown[]) => {
      response.once('finish', () => {
        if (socket?.destroyed === true || !Buffer.isBuffer(body)) return;
        for (const [, number] of body.toString().matchAll(/"target":"T","arguments":\[(\d+)\]/g)) {
          this.left.push(Number(number));
        }
      });
      return end(body, ...more);
    }) as ServerResponse['end'];
  }
}
