import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubCaller, EventStream } from '../support/hub-caller.ts';
import { hubNodes, startHubNode, type HubNode } from '../support/hub-node.ts';
import { readAnswer, sendHubRequest } from '../support/hub-request.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

const UNKNOWN = [404, 'No Connection with that ID'] as const;
const NO_ID = [400, 'Connection ID required'] as const;
const OTHER = [400, 'Cannot change transports mid-connection'] as const;
const NO_POST = [405, 'POST requests are not allowed for WebSocket connections.'] as const;
const NO_DELETE = [400, 'Cannot terminate this connection using the DELETE endpoint.'] as const;
const ALLOWED_NOT = [405, ''] as const;

/** What a request's own connection is doing. */
const STATES = ['new', 'WebSockets', 'ServerSentEvents', 'LongPolling', 'over'] as const;
type State = (typeof STATES)[number];
/** Whose id a request names. */
const IDS = ['none', 'empty', 'garbage', 'tampered', 'another caller’s', 'another caller’s, in use'] as const;

type Expected = readonly [status: number, body: string];

/** What is asked: a verb, or a verb and what it is for. */
const REQUESTS: readonly {
  readonly name: string;
  readonly method: string;
  readonly accept?: string;
  readonly isUpgrade?: boolean;
  readonly own: Readonly<Record<State, Expected>>;
  readonly withoutId: Expected;
  readonly foreignId: Expected;
}[] = [
  {
    name: 'a poll',
    method: 'GET',
    own: {
      new: [200, ''],
      WebSockets: OTHER,
      ServerSentEvents: OTHER,
      LongPolling: [200, ''],
      over: UNKNOWN,
    },
    withoutId: NO_ID,
    foreignId: UNKNOWN,
  },
  {
    name: 'an event stream',
    method: 'GET',
    accept: 'text/event-stream',
    own: {
      new: [200, ':\r\n'],
      WebSockets: OTHER,
      ServerSentEvents: [409, ''],
      LongPolling: OTHER,
      over: UNKNOWN,
    },
    withoutId: NO_ID,
    foreignId: UNKNOWN,
  },
  {
    name: 'an upgrade',
    method: 'GET',
    isUpgrade: true,
    own: {
      new: [101, ''],
      WebSockets: [409, ''],
      ServerSentEvents: OTHER,
      LongPolling: OTHER,
      over: UNKNOWN,
    },
    withoutId: [101, ''],
    foreignId: UNKNOWN,
  },
  {
    name: 'a POST',
    method: 'POST',
    own: {
      new: UNKNOWN,
      WebSockets: NO_POST,
      ServerSentEvents: [200, ''],
      LongPolling: [200, ''],
      over: UNKNOWN,
    },
    withoutId: NO_ID,
    foreignId: UNKNOWN,
  },
  {
    name: 'a DELETE',
    method: 'DELETE',
    own: {
      new: UNKNOWN,
      WebSockets: NO_DELETE,
      ServerSentEvents: NO_DELETE,
      LongPolling: [202, ''],
      over: UNKNOWN,
    },
    withoutId: NO_ID,
    foreignId: UNKNOWN,
  },
  ...['PUT', 'PATCH', 'OPTIONS', 'HEAD'].map((method) => ({
    name: `another verb, ${method},`,
    method,
    own: {
      new: ALLOWED_NOT,
      WebSockets: ALLOWED_NOT,
      ServerSentEvents: ALLOWED_NOT,
      LongPolling: ALLOWED_NOT,
      over: ALLOWED_NOT,
    },
    withoutId: ALLOWED_NOT,
    foreignId: ALLOWED_NOT,
  })),
];

describe('the status of each request to a hub (ASP.NET’s HttpConnectionDispatcher)', () => {
  let node: HubNode;
  let ann: HubCaller;
  const start = hubNodes();
  const open = new Set<{ close(): void }>();
  before(async () => {
    // Short polls: an open connection that has nothing to say answers with nothing.
    node = await startHubNode({
      timing: { pollTimeoutMs: 30, heartbeatMs: 20 },
      maxConnectionsPerUser: 1_000,
    });
    ann = new HubCaller(node.port);
  });
  after(async () => {
    for (const part of open) part.close();
    await node.stop();
  });

  /** A connection of Ann's in this state. */
  const idOf = async (state: State): Promise<string> => {
    if (state === 'LongPolling') return ann.openPolling();
    const id = await ann.negotiate();
    if (state === 'ServerSentEvents') open.add(await EventStream.start(ann, id));
    if (state === 'WebSockets') {
      const { socket } = await RawWebSocket.open({ port: node.port, path: `/hub?id=${id}` });
      open.add({ close: () => socket.destroy() });
    }
    if (state === 'over') {
      await ann.poll(id);
      await ann.request('DELETE', `/hub?id=${id}`);
    }
    return id;
  };
  const queryOf = async (id: (typeof IDS)[number]): Promise<string> => {
    if (id === 'none') return '';
    if (id === 'empty') return '?id=';
    if (id === 'garbage') return '?id=AAAAAAAAAAAAAAAAAAAAAA';
    if (id === 'another caller’s') return `?id=${await new HubCaller(node.port, 'bob').negotiate()}`;
    if (id === 'another caller’s, in use')
      return `?id=${await new HubCaller(node.port, 'bob').openPolling()}`;
    const token = await ann.negotiate();
    return `?id=${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  };
  const ask = async (
    { method, accept, isUpgrade }: (typeof REQUESTS)[number],
    path: string,
    token: string | null,
  ) => {
    if (isUpgrade === true) {
      const socket = await RawWebSocket.ask({ port: node.port, path, token });
      if (socket.answer.status === 101) socket.socket.destroy();
      const { status, headers, body } = socket.answer;
      return { status, type: headers.get('content-type'), text: body };
    }
    const { response, request } = sendHubRequest({
      port: node.port,
      method,
      path,
      token,
      ...(accept === undefined ? {} : { headers: { accept } }),
      ...(method === 'POST' ? { body: '{"type":6}\u001e' } : {}),
    });
    const answer = await response;
    const type = answer.headers['content-type'];
    if (type !== 'text/event-stream') {
      return { status: answer.statusCode, type, text: (await readAnswer(answer)).text };
    }
    const text = await new Promise<string>((resolve) => answer.once('data', (data) => resolve(String(data))));
    request.destroy();
    return { status: answer.statusCode, type, text };
  };
  const check = async (
    request: (typeof REQUESTS)[number],
    path: string,
    [status, body]: Expected,
    token: string | null = 'ann',
  ) => {
    const answer = await ask(request, path, token);
    assert.deepEqual([answer.status, answer.text], [status, body]);
    const isStream = status === 200 && request.accept !== undefined;
    if (status !== 101) assert.equal(answer.type, isStream ? 'text/event-stream' : 'text/plain');
  };

  for (const request of REQUESTS) {
    for (const state of STATES) {
      const [status, body] = request.own[state];
      it(`${request.name} while its connection is ${state} ⇒ ${status} ${JSON.stringify(body)}`, async () => {
        await check(request, `/hub?id=${await idOf(state)}`, request.own[state]);
      });
    }
    for (const id of IDS) {
      const expected = id === 'none' || id === 'empty' ? request.withoutId : request.foreignId;
      it(`${request.name} with an id that is ${id} ⇒ ${expected[0]}`, async () => {
        await check(request, `/hub${await queryOf(id)}`, expected);
      });
    }
    it(`${request.name} of nobody ⇒ 401 and nothing else, whatever the id`, async () => {
      for (const token of [null, 'nobody']) {
        await check(request, `/hub?id=${await ann.negotiate()}`, [401, ''], token);
        await check(request, '/hub', [401, ''], token);
        await check(request, '/hub/negotiate', request.isUpgrade === true ? [404, ''] : [401, ''], token);
      }
    });
  }

  it('paths and the names of queries are read in any case', async () => {
    const { status, text } = await ann.request('POST', '/HUB/Negotiate?NEGOTIATEVERSION=1');
    const { connectionToken } = JSON.parse(text) as { readonly connectionToken: string };
    assert.equal(status, 200);
    assert.equal((await ann.request('GET', `/Hub?ID=${connectionToken}`)).status, 200);
    const viaUpgrade = await RawWebSocket.ask({ port: node.port, path: '/HuB', token: null, headers: {} });
    assert.equal(viaUpgrade.answer.status, 401);
    const withToken = await RawWebSocket.ask({ port: node.port, path: '/hub?Access_Token=ann', token: null });
    assert.equal(withToken.answer.status, 101);
    withToken.socket.destroy();
  });

  it('a slash at the end is none', async () => {
    assert.equal((await ann.request('POST', '/hub/negotiate/')).status, 200);
    assert.equal((await ann.request('GET', '/hub/')).text, NO_ID[1]);
  });

  it('a route that the hub has not ⇒ 404, in the hub’s name; what only begins alike is the application’s', async () => {
    for (const path of ['/hub/refresh', '/hub/negotiate/x', '/hub/x?id=y']) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await ann.request(method, path);
        assert.deepEqual([status, text], [404, ''], `${method} ${path}`);
      }
    }
    assert.equal((await ann.request('GET', '/hubs')).text, 'the application’s');
    assert.equal((await ann.request('GET', '/')).text, 'the application’s');
  });

  it('only POST negotiates', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, text, headers } = await ann.request(method, '/hub/negotiate');
      assert.deepEqual([status, text, headers['content-type']], [405, '', 'text/plain'], method);
    }
  });

  it('a transport that is not offered ⇒ 404 with its name', async () => {
    const only = async (transport: 'WebSockets' | 'ServerSentEvents' | 'LongPolling') => {
      const other = await start({ transports: [transport], timing: { pollTimeoutMs: 30, heartbeatMs: 20 } });
      const caller = new HubCaller(other.port);
      const path = `/hub?id=${await caller.negotiate()}`;
      const poll = await caller.request('GET', path);
      const { response, request } = sendHubRequest({
        port: other.port,
        method: 'GET',
        path,
        headers: { accept: 'text/event-stream' },
      });
      const stream = await response;
      const streamText = stream.statusCode === 200 ? '' : (await readAnswer(stream)).text;
      request.destroy();
      const socket = await RawWebSocket.ask({ port: other.port, path: '/hub' });
      socket.socket.destroy();
      if (transport === 'LongPolling') await caller.request('DELETE', path);
      return [poll.text, streamText, socket.answer.body];
    };
    const refusal = (transport: string) => `${transport} transport not supported by this end point type`;
    const [ws, sse, polling] = [refusal('WebSockets'), refusal('ServerSentEvents'), refusal('LongPolling')];
    assert.deepEqual(await only('WebSockets'), [polling, sse, '']);
    assert.deepEqual(await only('ServerSentEvents'), [polling, '', ws]);
    assert.deepEqual(await only('LongPolling'), ['', sse, ws]);
  });

  it('two upgrades with one id, however close: one gets in, the other 409', async () => {
    let admit = () => {};
    let lookedUp: Promise<void> = Promise.resolve();
    const slow = await start({
      identify: async () => {
        await lookedUp;
        return { tenant: 'tenant-a', oid: 'ann', name: 'Ann', kind: 'user' };
      },
    });
    const id = await new HubCaller(slow.port).negotiate();
    lookedUp = new Promise((resolve) => (admit = resolve));
    const asked = [1, 2].map(() => RawWebSocket.ask({ port: slow.port, path: `/hub?id=${id}` }));
    await until('both have asked', () => slow.sockets.size === 2);
    setTimeout(admit, 50);
    const sockets = await Promise.all(asked);
    assert.deepEqual(sockets.map(({ answer }) => answer.status).sort(), [101, 409]);
    assert.equal(slow.hub.connectionCount, 1);
    for (const { socket } of sockets) socket.destroy();
  });

  it('who goes while the caller is being looked up leaves nothing, and holds up nobody', async () => {
    let admit = () => {};
    let lookedUp: Promise<void> = Promise.resolve();
    const slow = await start({
      timing: { heartbeatMs: 20, pollTimeoutMs: 5_000 },
      maxConnectionsPerUser: 2,
      identify: async () => {
        await lookedUp;
        return { tenant: 'tenant-a', oid: 'ann', name: 'Ann', kind: 'user' };
      },
    });
    const caller = new HubCaller(slow.port);
    const [unused, running] = [await caller.negotiate(), await caller.openStream()];
    const before = slow.sockets.size;
    lookedUp = new Promise((resolve) => (admit = resolve));
    const ways = [
      { method: 'GET', path: `/hub?id=${unused}`, headers: { accept: 'text/event-stream' } },
      {
        method: 'POST',
        path: `/hub?id=${running.id}`,
        headers: { 'content-length': '10' },
        isUnfinished: true,
      },
    ];
    const sent = ways.map((way) => sendHubRequest({ port: slow.port, ...way, body: '1' }));
    await until('both are there', () => slow.sockets.size === before + 2);
    for (const { request } of sent) await until('it is sent', () => request.socket?.bytesWritten);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    for (const { request } of sent) request.destroy();
    await until('the server has noticed', () => slow.sockets.size === before);
    admit();
    const beganAt = performance.now();
    assert.equal((await caller.post(running.id, '{"type":6}\u001e')).status, 200);
    assert.equal(performance.now() - beganAt < 3_000, true, 'no POST waits for one that is gone');
    assert.equal(slow.hub.connectionCount, 1);
    const next = await caller.openSocket();
    next.socket.destroy();
    running.close();
  });

  it('a failure of the application’s own functions ends the request alone, and is logged', async () => {
    const errors: string[] = [];
    const log = { info() {}, warn() {}, error: (text: string) => void errors.push(text) };
    const faulty = await start({
      log,
      clientAddress: () => {
        throw new Error('no header');
      },
    });
    await assert.rejects(hubRequestOf(faulty.port), /socket hang up|ECONNRESET/);
    const { answer, isEnded } = await RawWebSocket.ask({ port: faulty.port });
    assert.equal(answer.status === 500 || isEnded, true);
    assert.equal(errors.length, 2);
    assert.equal((await new HubCaller(faulty.port).request('GET', '/')).status, 404, 'the server goes on');
  });

  const hubRequestOf = (port: number) => new HubCaller(port).request('POST', '/hub/negotiate');

  it('nobody learns why the caller could not be told; the operator does', async () => {
    const errors: unknown[] = [];
    const log = { info() {}, warn() {}, error: (_: string, fields?: object) => void errors.push(fields) };
    const faulty = await start({ log, identify: () => Promise.reject(new Error('key server is down')) });
    const { status, text } = await hubRequestOf(faulty.port);
    assert.deepEqual([status, text], [401, '']);
    assert.deepEqual(errors, [{ reason: 'key server is down' }]);
  });
});
