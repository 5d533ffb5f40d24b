import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Log } from '../../core/index.ts';
import { EventStream, HubCaller } from '../support/hub-caller.ts';
import { hubNodes, type HubNode } from '../support/hub-node.ts';
import { hubRequest } from '../support/hub-request.ts';
import { JSON_HANDSHAKE, OPCODE, RawWebSocket } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

const COME_BACK = { type: 7, allowReconnect: true };
const GOODBYE = { type: 7 };
const TIMING = { heartbeatMs: 20, pollTimeoutMs: 1_000, disconnectTimeoutMs: 1_000, closeTimeoutMs: 300 };

/** A token of Ann's that runs out. */
const annUntil = (atMs: number) => `ann~tenant-a~${atMs}`;

describe('who a hub connection belongs to', () => {
  const start = hubNodes();
  /** Polls until there is a Close, with what came before it. */
  const pollToTheEnd = async (caller: HubCaller, id: string) => {
    let text = '';
    while (!text.includes('"type":7')) {
      const answer = await caller.poll(id);
      if (answer.status !== 200) break;
      text += answer.text;
    }
    return JSON.parse(text.split('\u001e').slice(0, -1).at(-1) ?? 'null') as unknown;
  };

  describe('when the token runs out', () => {
    const LIFE_MS = 400;
    it('a WebSocket is closed then, and may come back', async () => {
      const node = await start({ timing: TIMING });
      const endsAt = Date.now() + LIFE_MS;
      const [short, long] = await Promise.all([
        new HubCaller(node.port, annUntil(endsAt)).openSocket(),
        new HubCaller(node.port, 'ann').openSocket(),
      ]);
      await until('the close message', () => short.closeMessage);
      assert.equal(Date.now() >= endsAt, true, 'not before');
      assert.equal(Date.now() < endsAt + 500, true, 'and within a heartbeat');
      assert.deepEqual(short.closeMessage, COME_BACK);
      assert.equal(long.closeMessage, undefined);
      assert.equal(node.hub.connectionCount, 1);
    });

    it('an event stream is closed then; a POST with a fresh token prolongs it, one with the old one is refused', async () => {
      const node = await start({ timing: TIMING });
      const endsAt = Date.now() + LIFE_MS;
      const callers = [1, 2].map(() => new HubCaller(node.port, annUntil(endsAt)));
      const [ending, prolonged] = await Promise.all(callers.map((caller) => caller.openStream()));
      assert.equal(ending !== undefined && prolonged !== undefined, true);
      const fresh = new HubCaller(node.port, annUntil(endsAt + 600));
      assert.equal((await fresh.post(prolonged?.id ?? '', '{"type":6}\u001e')).status, 200);
      await ending?.ended();
      assert.equal(Date.now() >= endsAt, true, 'not before');
      assert.deepEqual(ending?.closeMessage, COME_BACK);
      assert.equal(prolonged?.closeMessage, undefined);
      assert.equal((await callers[1]?.post(prolonged?.id ?? '', '{"type":6}\u001e'))?.status, 401);
      await prolonged?.ended();
      assert.equal(Date.now() >= endsAt + 600, true, 'prolonged');
      assert.deepEqual(prolonged?.closeMessage, COME_BACK);
    });

    it('polls are closed then; polls and POSTs with a fresh token prolong', async () => {
      const node = await start({ timing: TIMING });
      const endsAt = Date.now() + LIFE_MS;
      const caller = new HubCaller(node.port, annUntil(endsAt));
      const [ending, byPoll, byPost] = [
        await caller.openPolling(),
        await caller.openPolling(),
        await caller.openPolling(),
      ];
      const fresh = new HubCaller(node.port, 'ann~tenant-a~' + String(endsAt + 10_000));
      const polled = fresh.poll(byPoll);
      await fresh.post(byPost, '{"type":6}\u001e');
      assert.deepEqual(await pollToTheEnd(caller, ending), COME_BACK);
      assert.equal(Date.now() >= endsAt, true, 'not before');
      node.broadcast('Tick', 1);
      assert.match((await polled).text, /Tick/);
      assert.match((await fresh.poll(byPost)).text, /Tick/);
      assert.equal((await caller.poll(byPost)).status, 401);
      await Promise.all([byPoll, byPost].map((id) => fresh.request('DELETE', `/hub?id=${id}`)));
    });

    it('a connection whose handshake comes too late for its token is closed with the next heartbeat', async () => {
      const node = await start({ timing: TIMING });
      const endsAt = Date.now() + 200;
      const client = await RawWebSocket.ask({ port: node.port, token: annUntil(endsAt) });
      await until('it has run out', () => Date.now() > endsAt + 50);
      client.text(JSON_HANDSHAKE);
      await until('the close message', () => client.closeMessage);
      assert.deepEqual(client.messages, [{}, COME_BACK]);
    });
  });

  describe('when a user is disconnected', () => {
    it('all of that user’s connections are closed for good, on every transport, and no other’s', async () => {
      const node = await start({ timing: TIMING });
      const ann = new HubCaller(node.port);
      const [socket, stream, polling] = [
        await ann.openSocket(),
        await ann.openStream(),
        await ann.openPolling(),
      ];
      const others = [
        await new HubCaller(node.port, 'bob').openSocket(),
        await new HubCaller(node.port, 'ann~tenant-b').openSocket(),
      ];
      const unspoken = await RawWebSocket.ask({ port: node.port });
      assert.equal(node.hub.disconnectUser('tenant-a', 'ann'), 4);
      await until('the close message', () => socket.closeMessage);
      assert.deepEqual(socket.closeMessage, GOODBYE);
      await stream.ended();
      assert.deepEqual(stream.closeMessage, GOODBYE);
      assert.deepEqual(await pollToTheEnd(ann, polling), GOODBYE);
      assert.equal((await ann.poll(polling)).status, 204);
      await unspoken.ended();
      for (const other of others) {
        other.message({ type: 1, invocationId: '1', target: 'Echo', arguments: ['here'] });
        await until('an answer', () => other.messages.some(({ result }) => result === 'here'));
        assert.equal(other.closeMessage, undefined);
      }
      assert.equal(node.hub.disconnectUser('tenant-a', 'nobody'), 0);
    });
  });

  describe('a connection token', () => {
    const statusOf = async (node: HubNode, id: string, token = 'ann') =>
      (await RawWebSocket.ask({ port: node.port, token, path: `/hub?id=${id}` })).answer.status;
    const SECRET = 'a secret that all the nodes share';

    it('opens one connection once, on any transport, and for its caller alone', async () => {
      const node = await start({ timing: TIMING });
      const [ann, bob] = [new HubCaller(node.port), new HubCaller(node.port, 'bob')];
      const id = await ann.negotiate();
      assert.equal(await statusOf(node, id, 'bob'), 404);
      assert.equal((await bob.poll(id)).status, 404);
      const client = await RawWebSocket.ask({ port: node.port, path: `/hub?id=${id}` });
      assert.equal(client.answer.status, 101);
      assert.equal(await statusOf(node, id), 409);
      assert.equal(await statusOf(node, id, 'bob'), 404);
      client.socket.destroy();
      await until('it is over', () => node.hub.connectionCount === 0);
      assert.equal(await statusOf(node, id), 404);
      assert.equal((await ann.poll(id)).status, 404);
    });

    it('the public id opens nothing, and hides the token', async () => {
      const node = await start({});
      const { text } = await new HubCaller(node.port).request('POST', '/hub/negotiate?negotiateVersion=1');
      const { connectionId, connectionToken } = JSON.parse(text) as Partial<Record<string, string>>;
      assert.match(connectionId ?? '', /^[\w-]{22}$/);
      assert.equal(connectionToken?.includes(connectionId ?? ''), false);
      assert.equal(await statusOf(node, connectionId ?? ''), 404);
      const client = await RawWebSocket.open({ port: node.port, path: `/hub?id=${connectionToken}` });
      assert.equal(node.hub.connection(connectionId ?? '')?.principal.oid, 'ann');
      client.socket.destroy();
    });

    it('opens a connection on every node that shares the secret, and on no other', async () => {
      const [first, second, stranger, without] = await Promise.all([
        start({ connectionSecret: SECRET }),
        start({ connectionSecret: SECRET }),
        start({ connectionSecret: `${SECRET}, not` }),
        start({}),
      ]);
      const id = await new HubCaller(first.port).negotiate();
      assert.equal(await statusOf(stranger, id), 404);
      assert.equal(await statusOf(without, id), 404);
      assert.equal(await statusOf(second, id, 'bob'), 404);
      assert.equal(await statusOf(second, id), 101);
      const polling = await new HubCaller(first.port).negotiate();
      assert.equal((await new HubCaller(second.port).poll(polling)).status, 200);
      assert.equal((await new HubCaller(second.port).request('DELETE', `/hub?id=${polling}`)).status, 202);
      const alone = await new HubCaller(without.port).negotiate();
      assert.equal(await statusOf(first, alone), 404);
    });

    it('a secret that is too short keeps the server from starting', async () => {
      await assert.rejects(start({ connectionSecret: 'short' }), {
        name: 'RangeError',
        message: 'connectionSecret: expected 32 characters at least, got 5.',
      });
    });
  });

  it('no token and no id is ever seen: not in a log, not on the console, not by other handlers', async () => {
    const seen: string[] = [];
    const note = (...parts: unknown[]) => void seen.push(JSON.stringify(parts));
    const log: Log = { info: note, warn: note, error: note };
    const spies = [
      ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => mock.method(console, name, note)),
      mock.method(process.stderr, 'write', (text: unknown) => {
        note(String(text));
        return true;
      }),
    ];
    try {
      const node = await start({
        log,
        timing: { ...TIMING, clientTimeoutMs: 200, pingEveryMs: 100 },
        methods: {
          Crash: () => {
            throw new Error('a fault of the method’s own');
          },
        },
        app: (request, response) => {
          seen.push(`app: ${request.url ?? ''}`);
          response.end();
        },
        identify: async (request) => {
          if (request.headers.authorization?.includes('FAULT') === true)
            throw new Error('the key server is down');
          return { tenant: 't', oid: 'ann', name: 'Ann', kind: 'user' };
        },
      });
      node.server.on('request', (request) => seen.push(`request: ${request.url ?? ''}`));
      node.server.on('upgrade', (request: { url?: string }) => seen.push(`upgrade: ${request.url ?? ''}`));
      const caller = new HubCaller(node.port, 'SECRET-TOKEN');
      const id = await caller.negotiate();
      const ids = [id, await caller.negotiate(), await caller.negotiate()];
      const query = (of: string) => `/hub?id=${of}&access_token=SECRET-TOKEN`;
      const none = { port: node.port, token: null };
      const socket = await RawWebSocket.open({ ...none, path: query(id) });
      socket.message({ type: 1, invocationId: '1', target: 'Crash', arguments: ['x'] });
      await until('the crash is answered', () => socket.messages.length > 1);
      socket.frame(Buffer.from('x'), { opcode: OPCODE.text, isMasked: false });
      const stream = await EventStream.start(caller, ids[1] ?? '');
      await caller.post(ids[1] ?? '', `${JSON_HANDSHAKE}garbage\u001e`);
      await hubRequest({ ...none, method: 'GET', path: query(ids[2] ?? '') });
      await hubRequest({ ...none, method: 'GET', path: query('UNKNOWN-ID') });
      await hubRequest({ ...none, method: 'PUT', path: query('UNKNOWN-ID') });
      await hubRequest({ ...none, method: 'GET', path: '/hub?id=UNKNOWN-ID&access_token=FAULT' });
      await RawWebSocket.ask({ ...none, path: `/hub/x?id=${id}&access_token=SECRET-TOKEN` });
      await stream.ended();
      const before = seen.length;
      assert.equal(before > 0, true, 'there were lines');
      const polling = await caller.openPolling();
      const stopping = node.endpoint.stop();
      // Until the stop is through the address is the hub's: nobody else is to see what is in it.
      let status = 200;
      while (status === 200) {
        ({ status } = await hubRequest({ ...none, method: 'GET', path: query(polling) }));
      }
      assert.equal(status, 204);
      await stopping;
    } finally {
      for (const spy of spies) spy.mock.restore();
    }
    const text = seen.join('\n');
    assert.match(text, /a fault of the method/);
    assert.match(text, /key server is down/);
    assert.match(text, /request: \/hub\n/);
    assert.match(text, /upgrade: \/hub\n/);
    for (const secret of [/SECRET-TOKEN/, /UNKNOWN-ID/, /access_token/, /id=/, /[\w-]{40}/])
      assert.doesNotMatch(text, secret);
  });
});
