import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLockClient,
  TransportError,
  httpSignalRTransport,
  type BackendLock,
  type HttpSignalRTransportOptions,
  type TransportListener,
} from '../../../components/client/index.ts';
import { answerLockRequest, type EntityChange, type EntityRef } from '../../../core/index.ts';
import { FakeBackend, REF, TYPE, person } from './fake-backend.ts';
import { FakePage, settle } from './fake-page.ts';

interface Sent {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly keepalive: boolean;
}

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };

/** A server made of one function. */
function server(answer: (line: string, sent: Sent) => Answer | Promise<Answer>) {
  const sent: Sent[] = [];
  const fetch = (async (url: string, { method, headers, body, keepalive }: RequestInit) => {
    const one: Sent = {
      line: `${method} ${url}`,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? JSON.parse(body) : null,
      keepalive: keepalive === true,
    };
    sent.push(one);
    const { status = 200, body: answered = {}, headers: more = {} } = await answer(one.line, one);
    const text = typeof answered === 'string' ? answered : JSON.stringify(answered);
    return new Response(status === 204 ? null : text, { status, headers: more });
  }) as typeof globalThis.fetch;
  return { fetch, sent };
}

const ACQUIRED = { outcome: 'acquired', lock: null, me: { holderOid: 'anna' } };
const REQUEST = { sessionId: 's1', fence: 7 };

test('the calls are those of the lock API', async () => {
  const { fetch, sent } = server(() => ({ body: { ...ACQUIRED, locks: [] } }));
  const transport = httpSignalRTransport({ fetch });
  const ref = { entityType: TYPE, entityUid: 'a/b' };
  await transport.claim(ref, REQUEST);
  await transport.renew(ref, REQUEST);
  await transport.takeOver?.(ref, { sessionId: 's1', fromHolderOid: 'bob' });
  await transport.release(ref, { sessionId: 's1', graceMs: 5_000, keepalive: true });
  await transport.list(TYPE);
  assert.deepEqual(
    sent.map(({ line, body, keepalive }) => [line, body, keepalive]),
    [
      [`POST /api/locks/${TYPE}/a%2Fb/claim`, REQUEST, false],
      [`POST /api/locks/${TYPE}/a%2Fb/renew`, REQUEST, false],
      [`POST /api/locks/${TYPE}/a%2Fb/take-over`, { sessionId: 's1', fromHolderOid: 'bob' }, false],
      [`DELETE /api/locks/${TYPE}/a%2Fb?sessionId=s1&graceMs=5000`, null, true],
      [`GET /api/locks/${TYPE}`, null, false],
    ],
  );
});

test('a long list comes in pages, and is as old as the first', async () => {
  const { fetch, sent } = server((line) => {
    const isFirst = !line.includes('cursor');
    const lock = { entityType: TYPE, entityUid: isFirst ? '1' : '2', expiresInMs: 5, fence: 1, at: 1 };
    const me = { holderOid: 'anna' };
    return {
      body: {
        locks: [lock],
        asOf: isFirst ? 10 : 20,
        me,
        store: 'ok',
        ...(isFirst ? { next: '5~x:y' } : {}),
      },
    };
  });
  const { locks, asOf } = await httpSignalRTransport({ fetch }).list(TYPE);
  assert.deepEqual(
    locks.map(({ entityUid }) => entityUid),
    ['1', '2'],
  );
  assert.equal(asOf, 10);
  assert.equal(sent[1]?.line, `GET /api/locks/${TYPE}?cursor=5~x%3Ay`);
});

test('problem details become an error with its code', async () => {
  const { fetch } = server(() => ({
    status: 400,
    body: { title: 'Bad Request', detail: 'No.', code: 'type-not-lockable' },
  }));
  await assert.rejects(httpSignalRTransport({ fetch }).claim(REF, REQUEST), (error) => {
    assert.ok(error instanceof TransportError);
    assert.deepEqual(
      [error.message, error.status, error.code, error.isTransient],
      ['No.', 400, 'type-not-lockable', false],
    );
    return true;
  });
});

test('no answer, a proxy page and a busy server are transient; too many locks are not', async () => {
  const cases: [Answer, number, boolean][] = [
    [{ status: 502, body: '<h1>Bad Gateway</h1>' }, 502, true],
    [{ body: '<h1>Please log in</h1>' }, 502, true],
    [{ status: 429, body: { code: 'too-many-requests' } }, 429, true],
    [{ status: 429, body: { code: 'too-many-locks' } }, 429, false],
    [{ status: 403, body: 'null' }, 403, false],
  ];
  for (const [answer, status, isTransient] of cases) {
    const { fetch } = server(() => answer);
    await assert.rejects(
      httpSignalRTransport({ fetch }).claim(REF, REQUEST),
      (error) =>
        error instanceof TransportError && error.status === status && error.isTransient === isTransient,
    );
  }
  const cause = new TypeError('Failed to fetch');
  const fetch = () => Promise.reject(cause);
  await assert.rejects(
    httpSignalRTransport({ fetch }).claim(REF, REQUEST),
    (error) =>
      error instanceof TransportError && error.status === 0 && error.cause === cause && error.isTransient,
  );
});

test('the token is asked for once, however many calls wait for it', async () => {
  const { fetch, sent } = server(() => ({ body: ACQUIRED }));
  let asked = 0;
  const getToken = async () => `token-${(asked += 1)}`;
  const transport = httpSignalRTransport({ fetch, getToken, headers: { 'x-app': 'crm' } });
  await Promise.all([1, 2, 3].map(() => transport.claim(REF, REQUEST)));
  assert.equal(asked, 1);
  for (const { headers } of sent) {
    assert.equal(headers['authorization'], 'Bearer token-1');
    assert.equal(headers['x-app'], 'crm');
  }
});

test('a 401 asks for another token once and tries once more, for all calls together', async () => {
  const { fetch, sent } = server((_, { headers }) =>
    headers['authorization'] === 'Bearer token-2' ? { body: ACQUIRED } : { status: 401 },
  );
  let asked = 0;
  const transport = httpSignalRTransport({ fetch, getToken: async () => `token-${(asked += 1)}` });
  await Promise.all([1, 2, 3].map(() => transport.claim(REF, REQUEST)));
  assert.equal(asked, 2);
  assert.equal(sent.length, 6);
});

test('a second 401 is the answer', async () => {
  const { fetch, sent } = server(() => ({ status: 401, body: { code: 'unauthenticated' } }));
  const transport = httpSignalRTransport({ fetch, getToken: () => 'expired' });
  await assert.rejects(
    transport.claim(REF, REQUEST),
    (error) => error instanceof TransportError && error.status === 401,
  );
  assert.equal(sent.length, 2);
});

test('a token that cannot be had is transient: the user may be logging in', async () => {
  const transport = httpSignalRTransport({
    getToken: () => Promise.reject(new Error('interaction required')),
  });
  await assert.rejects(
    transport.claim(REF, REQUEST),
    (error) => error instanceof TransportError && error.isTransient,
  );
});

test('a token that could not be had, in whatever way, is asked for again', async () => {
  const { fetch, sent } = server(() => ({ body: ACQUIRED }));
  let isSignedIn = false;
  const getToken = () => {
    if (isSignedIn) return 'token';
    throw new Error('not signed in');
  };
  const transport = httpSignalRTransport({ fetch, getToken });
  await assert.rejects(transport.claim(REF, REQUEST), TransportError);
  isSignedIn = true;
  await transport.claim(REF, REQUEST);
  assert.equal(sent[0]?.headers['authorization'], 'Bearer token');
});

test('F2: a page that leaves sends its release with the token at hand, before the call returns', async () => {
  const { fetch, sent } = server(() => ({ body: ACQUIRED }));
  let asked = 0;
  const transport = httpSignalRTransport({ fetch, getToken: async () => `token-${(asked += 1)}` });
  await transport.claim(REF, REQUEST);
  void transport.release(REF, { sessionId: 's1', graceMs: 5_000, keepalive: true });
  assert.equal(sent.length, 2);
  assert.deepEqual([sent[1]?.headers['authorization'], sent[1]?.keepalive], ['Bearer token-1', true]);
  transport.forget?.();
  await transport.claim(REF, REQUEST);
  assert.equal(asked, 2);
});

test('headers can be made for each call, and credentials are same-origin unless said', async () => {
  const seen: (string | undefined)[] = [];
  let count = 0;
  const fetch = (async (_: string, { headers, credentials }: RequestInit) => {
    seen.push(credentials, new Headers(headers).get('x-n') ?? undefined);
    return Response.json(ACQUIRED);
  }) as typeof globalThis.fetch;
  const transport = httpSignalRTransport({ fetch, headers: () => ({ 'x-n': `${(count += 1)}` }) });
  await transport.claim(REF, REQUEST);
  await transport.claim(REF, REQUEST);
  assert.deepEqual(seen, ['same-origin', '1', 'same-origin', '2']);
});

/** A hub that a test speaks for. */
function hub() {
  const handlers = new Map<string, (...args: unknown[]) => void>();
  let starts: (() => Promise<void>)[] = [];
  return {
    build: () => ({
      on: (event: string, listener: (...args: unknown[]) => void) => void handlers.set(event, listener),
      onclose: () => {},
      start: () => starts.shift()?.() ?? Promise.resolve(),
      stop: () => Promise.resolve(),
      invoke: () => Promise.resolve(),
    }),
    say: (event: string, ...args: unknown[]) => handlers.get(event)?.(...args),
    failStarts: (...errors: Error[]) => (starts = errors.map((error) => () => Promise.reject(error))),
  };
}

test('C20: a hub that refuses the token gets another one, and twenty reconnections ask for none', async () => {
  const page = new FakePage();
  const { fetch } = server(() => ({ body: ACQUIRED }));
  let asked = 0;
  const { build, failStarts } = hub();
  const getToken = async () => `token-${(asked += 1)}`;
  const transport = httpSignalRTransport({ fetch, getToken, buildConnection: build }, page);
  await transport.claim(REF, REQUEST);
  const listener: TransportListener = { changed: () => {}, resync: () => {}, connected: () => {} };
  failStarts(...Array.from({ length: 20 }, () => new Error('WebSocket closed with status code: 1006')));
  transport.subscribe(listener).setTypes([TYPE]);
  await page.advance(600_000);
  await transport.claim(REF, REQUEST);
  assert.equal(asked, 1);
  failStarts(
    new Error("Failed to complete negotiation with the server: Error: Unauthorized: Status code '401'"),
  );
  transport.subscribe(listener).setTypes([TYPE]);
  await page.advance(1_000);
  await transport.claim(REF, REQUEST);
  assert.equal(asked, 2);
});

test('over the real API routes and the real hub events, two people share one record', async () => {
  const page = new FakePage();
  const backend = new FakeBackend(page);
  const as = (oid: string) => {
    const { build, say } = hub();
    backend.feed.onChange((_, change) => say('EntityChanged', JSON.parse(JSON.stringify(change))));
    const { fetch } = server(async (line, { body }) => {
      const [method = '', url = ''] = line.split(' ');
      const { pathname, searchParams } = new URL(url, 'http://x');
      const answer = await answerLockRequest(backend.service, {
        method,
        path: pathname.slice('/api'.length),
        query: Object.fromEntries(searchParams),
        body: body === null ? '' : JSON.stringify(body),
        principal: person(oid),
      });
      return { status: answer.status, body: answer.body };
    });
    const transport = httpSignalRTransport({ fetch, buildConnection: build }, page);
    return createLockClient({ transport }, page);
  };
  const anna = as('anna').openLease(REF);
  const bob = as('bob').openLease(REF);
  await anna.lease.claim();
  await page.advance(100);
  await bob.lease.claim();
  assert.deepEqual([anna.lease.view.state, bob.lease.view.state], ['mine', 'held']);
  await bob.lease.takeOver();
  assert.deepEqual([anna.lease.view.state, bob.lease.view.state], ['lost', 'mine']);
  bob.close();
  await page.advance(1_000);
  assert.deepEqual([anna.lease.view.state, anna.lease.view.stale], ['mine', true]);
});

test('a hub is asked for its types by the method that it has, and one without any is not asked', async () => {
  for (const [subscribe, expected] of [
    ['Follow', [['Follow', [TYPE]]]],
    [null, []],
  ] as const) {
    const page = new FakePage();
    const invoked: unknown[][] = [];
    const said: unknown[] = [];
    const invoke = async (...args: unknown[]) => void invoked.push(args);
    const buildConnection = () => ({ ...hub().build(), invoke });
    const transport = httpSignalRTransport({ subscribe, buildConnection }, page);
    const connected = (isConnected: boolean) => said.push(isConnected);
    transport.subscribe({ changed: () => {}, resync: () => said.push('resync'), connected }).setTypes([TYPE]);
    await page.advance(0);
    assert.deepEqual(invoked, expected);
    assert.deepEqual(said, [true, 'resync']);
  }
});

/** The API of an ASP.NET Core application that knows nothing of sessions, fences or remaining time. */
function aspNet(page: FakePage, oid: string, more: HttpSignalRTransportOptions = {}) {
  const locks = new Map<string, Record<string, string>>();
  const serverNow = () => page.now() + 86_400_000;
  const { build, say } = hub();
  const { fetch, sent } = server((line, { headers }) => {
    const who = headers['x-user'] ?? '';
    const date = { date: new Date(serverNow()).toUTCString() };
    const id = /requests\/(\w+)\/lock/.exec(line)?.[1] ?? '';
    const found = locks.get(id);
    if (line.startsWith('GET')) return { headers: date, body: [...locks.values()] };
    if (found !== undefined && found['UserId'] !== who)
      return { status: 409, headers: date, body: { currentLock: found } };
    if (line.startsWith('DELETE')) {
      locks.delete(id);
      return { status: 204, headers: date };
    }
    if (line.startsWith('PATCH') && found === undefined) return { status: 404, headers: date };
    const lock = {
      RequestId: id,
      UserId: who,
      UserName: who,
      Since: '',
      Until: new Date(serverNow() + 300_000).toISOString(),
    };
    locks.set(id, lock);
    return { headers: date, body: lock };
  });
  const mapLock = (body: unknown): BackendLock => {
    const {
      RequestId = '',
      UserId = '',
      UserName = '',
      Since = '',
      Until = '',
    } = body as Record<string, string>;
    return {
      ...REF,
      entityUid: RequestId,
      holderOid: UserId,
      holderName: UserName,
      acquiredAtUtc: Since,
      expiresAtUtc: Until,
    };
  };
  const transport = httpSignalRTransport(
    {
      fetch,
      headers: { 'x-user': oid },
      buildConnection: build,
      subscribe: null,
      hubEvent: 'lockChanged',
      capabilities: { sessions: false, fence: false, takeOver: false, grace: false, remainingMs: false },
      routes: {
        claim: ({ entityUid }) => `PUT /requests/${entityUid}/lock`,
        renew: ({ entityUid }) => `PATCH /requests/${entityUid}/lock`,
        release: ({ entityUid }) => `DELETE /requests/${entityUid}/lock`,
        list: () => 'GET /requests/locks',
      },
      mapLock,
      mapConflict: (body) => mapLock((body as { currentLock: unknown }).currentLock),
      mapChange: (kind, id, lock) => ({
        ...REF,
        entityUid: String(id),
        operation: kind === 'locked' ? 'Acquired' : kind === 'unlocked' ? 'Released' : String(kind),
        lock: lock === undefined ? null : mapLock(lock),
      }),
      ...more,
    },
    page,
  );
  return { transport, client: createLockClient({ transport }, page), locks, say, sent, serverNow };
}

test('an existing ASP.NET Core backend fits by options alone: claim, renew, lose, get back', async () => {
  const page = new FakePage();
  const { client, locks, say, sent, serverNow } = aspNet(page, 'anna');
  const { lease } = client.openLease(REF);
  await lease.claim();
  assert.equal(lease.view.state, 'mine');
  assert.equal(client.holderOid, 'anna');
  assert.ok(
    Math.abs((lease.view.endsAtMs ?? 0) - page.now() - 300_000) <= 1_000,
    'the server is a day ahead',
  );
  await page.advance(120_000);
  assert.deepEqual(
    sent.map(({ line }) => line),
    ['PUT /api/requests/42/lock', 'PATCH /api/requests/42/lock', 'PATCH /api/requests/42/lock'],
    'renewed after connecting, and by the deadline',
  );
  const bobs = {
    RequestId: '42',
    UserId: 'bob',
    UserName: 'Bob',
    Since: '',
    Until: new Date(serverNow() + 300_000).toISOString(),
  };
  locks.set('42', bobs);
  say('lockChanged', 'locked', 42, bobs);
  assert.equal(lease.view.state, 'lost');
  locks.delete('42');
  say('lockChanged', 'unlocked', 42);
  await page.advance(300);
  assert.deepEqual(
    [lease.view.state, lease.view.stale],
    ['mine', true],
    'without fences, whoever waited reloads',
  );
});

test('an existing backend: a conflict is held, the lock ends by the Date header, a lapsed renewal claims again', async () => {
  const page = new FakePage();
  const { client, locks, serverNow } = aspNet(page, 'anna', { holderOid: () => 'anna' });
  const until = () => new Date(serverNow() + 60_000).toISOString();
  locks.set('42', { RequestId: '42', UserId: 'bob', UserName: 'Bob', Since: '', Until: until() });
  const { lease } = client.openLease(REF);
  await lease.claim();
  assert.equal(lease.view.state, 'held');
  assert.equal(lease.view.lock?.holderName, 'Bob');
  assert.equal(lease.view.canTakeOver, false);
  await assert.rejects(lease.takeOver(), TransportError);
  await page.advance(59_000);
  assert.equal(lease.view.state, 'held');
  locks.delete('42');
  await page.advance(2_300);
  assert.equal(lease.view.state, 'mine');
  lease.loaded();
  locks.delete('42');
  await page.advance(120_000);
  assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
});

test('an existing backend: lists, data changes, and events that name no lock', async () => {
  const page = new FakePage();
  const { transport, locks, say, serverNow } = aspNet(page, 'anna');
  locks.set('7', {
    RequestId: '7',
    UserId: 'bob',
    UserName: 'Bob',
    Since: '',
    Until: new Date(serverNow() + 9_000).toISOString(),
  });
  const { locks: listed, store } = await transport.list(TYPE);
  assert.equal(store, 'ok');
  const [only] = listed;
  assert.ok(only);
  assert.equal(only.entityUid, '7');
  assert.ok(Math.abs(only.expiresInMs - 9_000) <= 1_000);
  const heard: (EntityChange | string)[] = [];
  transport.subscribe({
    changed: (change) => heard.push(change),
    resync: (types) => heard.push(`resync ${types?.join()}`),
    connected: () => {},
  });
  await page.advance(0);
  await settle();
  heard.length = 0;
  say('lockChanged', 'Updated', '7');
  say('lockChanged', 'locked', '7');
  const [change, gap] = heard;
  assert.ok(typeof change === 'object' && change.operation === 'Updated' && change.at > 0);
  assert.equal(gap, `resync ${TYPE}`);
});

test('an existing backend: one that knows no sessions and no grace is told of none', async () => {
  const page = new FakePage();
  const { transport, sent } = aspNet(page, 'anna');
  await transport.claim(REF, { sessionId: 's1' });
  await transport.release(REF, { sessionId: 's1', graceMs: 5_000, keepalive: false });
  assert.deepEqual(
    sent.map(({ line, body }) => [line, body]),
    [
      ['PUT /api/requests/42/lock', {}],
      ['DELETE /api/requests/42/lock', null],
    ],
  );
});

test('an existing backend: the query of a release is added to the one that its route has', async () => {
  const { fetch, sent } = server(() => ({ status: 204 }));
  const routes = { release: ({ entityUid }: EntityRef) => `DELETE /lock?id=${entityUid}` };
  const request = { sessionId: 's1', graceMs: 5_000, keepalive: false };
  await httpSignalRTransport({ fetch, routes }).release(REF, request);
  await httpSignalRTransport({ fetch, routes, capabilities: { sessions: false } }).release(REF, request);
  assert.deepEqual(
    sent.map(({ line }) => line),
    ['DELETE /api/lock?id=42&sessionId=s1&graceMs=5000', 'DELETE /api/lock?id=42&graceMs=5000'],
  );
});

test('an existing backend: letting go of what is gone or held by another is no failure; on ours a 404 is one', async () => {
  const request = { sessionId: 's1', graceMs: 0, keepalive: false };
  for (const [status, outcome] of [
    [404, 'gone'],
    [410, 'gone'],
    [409, 'held'],
    [423, 'held'],
    [403, null],
  ] as const) {
    const { fetch } = server(() => ({ status }));
    const released = httpSignalRTransport({ fetch, mapLock: () => null }).release(REF, request);
    if (outcome !== null) assert.deepEqual(await released, { outcome });
    else await assert.rejects(released, TransportError);
    await assert.rejects(httpSignalRTransport({ fetch }).release(REF, request), TransportError);
  }
});

const BOBS = {
  ...REF,
  holderOid: 'bob',
  holderName: 'Bob',
  acquiredAtUtc: '',
  expiresAtUtc: '2030-01-01T00:00:00.0000000Z',
};

test('an existing backend: a list may be in an envelope of its own', async () => {
  const { fetch } = server(() => ({ body: { count: 1, items: [{ entry: BOBS }] } }));
  const transport = httpSignalRTransport({
    fetch,
    mapList: (body) => (body as { items: unknown[] }).items,
    mapLock: (entry) => (entry as { entry: BackendLock }).entry,
  });
  const { locks } = await transport.list(TYPE);
  assert.deepEqual(
    locks.map(({ holderName }) => holderName),
    ['Bob'],
  );
});

test('an existing backend: 423 Locked is a conflict, too', async () => {
  const { fetch } = server(() => ({ status: 423, body: { by: BOBS } }));
  const mapConflict = (body: unknown) => (body as { by: BackendLock }).by;
  const transport = httpSignalRTransport({ fetch, mapLock: () => null, mapConflict });
  const { outcome, lock } = await transport.claim(REF, { sessionId: 's1' });
  assert.deepEqual([outcome, lock?.holderName], ['held', 'Bob']);
});

test('an existing backend: a grid asks again before a lock ends, where the hub is silent about renewals', async () => {
  for (const announcesRenewals of [false, true]) {
    const page = new FakePage();
    const { client, locks, sent, say, serverNow } = aspNet(page, 'anna', { announcesRenewals });
    const renewed = () => {
      const until = new Date(serverNow() + 300_000).toISOString();
      return { RequestId: '42', UserId: 'bob', UserName: 'Bob', Since: '', Until: until };
    };
    locks.set('42', renewed());
    const seen: (string | undefined)[] = [];
    client.watch(REF, (view) => seen.push(view?.lock.holderName));
    await page.advance(1_000);
    seen.length = 0;
    for (let renewals = 0; renewals < 10; renewals += 1) {
      await page.advance(120_000);
      locks.set('42', renewed());
    }
    assert.equal(seen.includes(undefined), announcesRenewals, `announced: ${announcesRenewals}`);
    const lists = sent.filter(({ line }) => line.startsWith('GET')).length;
    assert.ok(announcesRenewals ? lists <= 2 : lists <= 2 + 1_200_000 / 178_000, `${lists} lists`);
    locks.delete('42');
    await page.advance(301_000);
    assert.equal(seen.at(-1), undefined, 'and sees it end');
    say('lockChanged', 'locked', '42', renewed());
    assert.equal(seen.at(-1), 'Bob');
    client.stop();
    assert.equal(page.timerCount, 0);
  }
});

test('an existing backend: after a sleep past the lease, nobody can say who had the record: the form asks to reload', async () => {
  const page = new FakePage();
  const claim = ({ entityUid }: EntityRef) => `PUT /requests/${entityUid}/lock`;
  const list = () => 'GET /requests/locks';
  const { client, locks } = aspNet(page, 'anna', { routes: { claim, renew: claim, list } });
  const { lease } = client.openLease(REF);
  await lease.claim();
  await page.advance(10_000);
  assert.deepEqual([lease.view.state, lease.view.stale], ['mine', false]);
  page.sleep(3_600_000);
  // Meanwhile Bob had it, and let go: to claim is to acquire, and the answer looks as any renewal does.
  locks.delete('42');
  page.fire('wake');
  await settle();
  assert.deepEqual([lease.view.state, lease.view.stale], ['mine', true]);
});
