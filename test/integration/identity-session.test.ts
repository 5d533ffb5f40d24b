import session from 'express-session';
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { lockPaths, type Principal } from '../../core/index.ts';
import { OriginRule, memoryBackend, sessionIdentity } from '../../server/index.ts';
import { JSON_HANDSHAKE, RawWebSocket } from '../support/raw-web-socket.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

declare module 'express-session' {
  interface SessionData {
    user?: Principal;
  }
}

const HUB = '/hubs/entity-changes';
const REF = { entityType: 'ApprovalRequest', entityUid: '42' };
const CLAIM = `/api${lockPaths.claim(REF)}`;
const ENTITY = '/api/locks/ApprovalRequest/42';
const FORM = 'application/x-www-form-urlencoded';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

describe('people who sign in with a cookie', () => {
  let node: RowlockNode;
  let isStoreBroken = false;

  before(async () => {
    class Store extends session.MemoryStore {
      override get(
        id: string,
        callback: (error: unknown, session?: session.SessionData | null) => void,
      ): void {
        if (isStoreBroken) callback(new Error('The session table is away.'));
        else super.get(id, callback);
      }
    }
    const sessions = session({
      secret: 'a secret of this test',
      store: new Store(),
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: 'lax', httpOnly: true, maxAge: 60_000 },
    });
    const origins = new OriginRule();
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      identify: sessionIdentity({
        session: sessions,
        principal: ({ session: { user, cookie } }) =>
          user === undefined ? null : { ...user, expiresAtMs: Date.now() + (cookie.maxAge ?? Infinity) },
      }),
      routes: (app, rowlock) => {
        app.use((request, response, next) => {
          if (origins.isForged(request)) response.sendStatus(403);
          else next();
        });
        app.use(sessions);
        app.post('/sign-in/:oid', (request, response) => {
          const { oid } = request.params;
          request.session.user = { tenant: 'tenant-a', oid, name: oid.toUpperCase(), kind: 'user' };
          response.sendStatus(204);
        });
        app.post('/sign-out', (request, response, next) => {
          const { user } = request.session;
          const ended = async () => {
            if (user === undefined) return;
            await rowlock.hub.disconnectUser(user.tenant, user.oid);
            const { locks } = await rowlock.service.listMine(user);
            await Promise.all(locks.map((lock) => rowlock.service.release(user, lock, { sessionId: null })));
          };
          request.session.destroy((error: unknown) => {
            if (error) next(error);
            else void ended().then(() => response.sendStatus(204), next);
          });
        });
        app.put(
          '/things/:id',
          rowlock.guardWrites({ type: 'ApprovalRequest', uid: ({ params }) => params['id'] }),
          (_request, response) => void response.sendStatus(204),
        );
      },
    });
  });
  after(() => node.stop());

  /** As a browser sends it: `fetch` of Node would not let these headers through. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<Answer>((resolve, reject) => {
      const sent = httpRequest(node.url + path, { method, headers: { ...headers, connection: 'close' } });
      sent.once('error', reject).once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => {
          const header = (name: string) => response.headers[name]?.toString();
          resolve({ status: response.statusCode ?? 0, text, header });
        });
      });
      sent.end(body);
    });
  const signIn = async (oid: string): Promise<string> => {
    const { header } = await ask('POST', `/sign-in/${oid}`, { origin: node.url });
    return /^[^;]+/.exec(header('set-cookie') ?? '')?.[0] ?? '';
  };
  const port = () => Number(new URL(node.url).port);
  const upgrade = (headers: Record<string, string>) =>
    RawWebSocket.ask({ port: port(), path: HUB, token: null, headers });
  const holderOf = async () => {
    const { text } = await ask('GET', ENTITY, { cookie: await signIn('reader') });
    return (JSON.parse(text) as { locks: { holderOid: string }[] }).locks[0]?.holderOid;
  };

  let cookie: string;
  const sockets: RawWebSocket[] = [];
  beforeEach(async () => {
    cookie = await signIn('ann');
  });
  afterEach(async () => {
    isStoreBroken = false;
    for (const { socket } of sockets.splice(0)) socket.destroy();
    await ask('POST', '/sign-out', { cookie, origin: node.url });
  });

  it('use the lock API, guarded routes and the hub with it', async () => {
    const claimed = await ask('POST', CLAIM, { cookie, origin: node.url }, '{"sessionId":"s"}');
    assert.equal(claimed.status, 200);
    assert.match(claimed.text, /"holderName":"ANN"/);
    assert.equal((await ask('PUT', '/things/42', { cookie, origin: node.url })).status, 204);
    const bob = await signIn('bob');
    assert.equal((await ask('PUT', '/things/42', { cookie: bob, origin: node.url })).status, 409);
    assert.equal((await ask('POST', `${HUB}/negotiate`, { cookie, origin: node.url })).status, 200);
    const socket = await upgrade({ cookie, origin: node.url });
    sockets.push(socket);
    assert.equal(socket.answer.status, 101);
  });

  it('without it, and with one that is made up, are nobody', async () => {
    for (const headers of [{}, { cookie: 'connect.sid=s%3Amade-up.signature' }]) {
      assert.equal((await ask('GET', '/api/locks/mine', headers)).status, 401);
      assert.equal((await ask('PUT', '/things/42', headers)).status, 401);
      assert.equal((await ask('POST', `${HUB}/negotiate`, headers)).status, 401);
      assert.equal((await upgrade(headers)).answer.status, 401);
    }
  });

  it('are not let in by a session store that is away, and no session is made', async () => {
    isStoreBroken = true;
    const answer = await ask('GET', '/api/locks/mine', { cookie });
    assert.equal(answer.status, 500);
    assert.equal(answer.header('set-cookie'), undefined);
    assert.doesNotMatch(answer.text, /table/);
    assert.equal((await upgrade({ cookie, origin: node.url })).answer.status, 401);
    isStoreBroken = false;
    assert.equal((await ask('GET', '/api/locks/mine', {})).header('set-cookie'), undefined);
  });

  it('sign out: the session’s locks are free, its hub connection ends for good, others stay (F4)', async () => {
    const bob = await signIn('bob');
    await ask('POST', CLAIM, { cookie, origin: node.url }, '{"sessionId":"s"}');
    await ask('POST', '/api/locks/ApprovalRequest/7/claim', { cookie: bob, origin: node.url });
    const [annsSocket, bobsSocket] = [
      await upgrade({ cookie, origin: node.url }),
      await upgrade({ cookie: bob, origin: node.url }),
    ];
    sockets.push(annsSocket, bobsSocket);
    for (const socket of sockets) socket.text(JSON_HANDSHAKE);
    await until('both are through', () => sockets.every(({ messages }) => messages.length > 0));
    assert.equal((await ask('POST', '/sign-out', { cookie, origin: node.url })).status, 204);
    assert.equal(await holderOf(), undefined);
    await until('the close message', () => annsSocket.closeMessage);
    assert.deepEqual(annsSocket.closeMessage, { type: 7 });
    assert.equal((await ask('POST', CLAIM, { cookie, origin: node.url })).status, 401);
    assert.equal((await upgrade({ cookie, origin: node.url })).answer.status, 401);
    assert.equal(bobsSocket.closeMessage, undefined);
    assert.match((await ask('GET', '/api/locks/mine', { cookie: bob })).text, /"entityUid":"7"/);
    await ask('POST', '/sign-out', { cookie: bob, origin: node.url });
  });

  describe('and a page of somebody else’s', () => {
    /** What a browser says of requests that a page makes without being allowed to, the cookie included. */
    const foreign: readonly (readonly [string, Record<string, string>])[] = [
      ['a form', { origin: 'https://evil.test', 'content-type': FORM, 'sec-fetch-site': 'cross-site' }],
      ['text/plain', { origin: 'https://evil.test', 'content-type': 'text/plain' }],
      ['no content type', { origin: 'https://evil.test' }],
      ['Origin: null', { origin: 'null', 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }],
      ['another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
      ['no Origin, another site', { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }],
      ['no Origin, a sibling host', { 'sec-fetch-site': 'same-site', 'content-type': 'text/plain' }],
      ['a password of the browser’s', { origin: 'https://evil.test', authorization: 'Basic YW5uOng=' }],
    ];
    for (const [name, headers] of foreign) {
      it(`${name}: changes nothing, hears nothing`, async () => {
        const body = '{"sessionId":"s"}';
        const claim = await ask('POST', CLAIM, { ...headers, cookie }, body);
        assert.equal(claim.status, 403);
        assert.match(claim.text, /origin-not-allowed/);
        assert.equal(claim.header('access-control-allow-origin'), undefined);
        assert.equal(await holderOf(), undefined);
        await ask('POST', CLAIM, { cookie, origin: node.url }, body);
        for (const [method, path] of [
          ['DELETE', `${ENTITY}?sessionId=s`],
          ['POST', `${ENTITY}/take-over`],
          ['POST', `${ENTITY}/renew`],
          ['PUT', '/things/42'],
          ['POST', '/sign-out'],
          ['POST', `${HUB}/negotiate`],
          ['POST', `${HUB}?id=x`],
          ['GET', `${HUB}?id=x`],
        ] as const) {
          assert.equal(
            (await ask(method, path, { ...headers, cookie }, body)).status,
            403,
            `${method} ${path}`,
          );
        }
        assert.equal((await upgrade({ ...headers, cookie })).answer.status, 403);
        assert.equal(await holderOf(), 'ann');
      });
    }

    it('asks first for what is no simple request, and is not allowed', async () => {
      for (const path of [ENTITY, `${HUB}/negotiate`]) {
        const { header } = await ask('OPTIONS', path, {
          origin: 'https://evil.test',
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': 'content-type',
        });
        assert.equal(header('access-control-allow-origin'), undefined);
        assert.equal(header('access-control-allow-methods'), undefined);
      }
    });

    it('may load what is read, and cannot look at it', async () => {
      const headers = { cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
      const { status, header } = await ask('GET', '/api/locks/mine', headers);
      assert.equal(status, 200);
      assert.equal(header('access-control-allow-origin'), undefined);
      assert.match(header('content-type') ?? '', /json/);
      assert.equal(header('cache-control'), 'no-store');
    });

    it('a caller that is no browser sends neither header, and is let in', async () => {
      assert.equal((await ask('POST', CLAIM, { cookie })).status, 200);
      const socket = await upgrade({ cookie });
      sockets.push(socket);
      assert.equal(socket.answer.status, 101);
    });
  });
});
