import type { Express } from 'express';
import { SignJWT } from 'jose';
import assert from 'node:assert/strict';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { lockable, LOCK_ROUTES, type LiveLock, type Principal } from '../../core/index.ts';
import { ApprovalDesk } from '../../demo/approval-desk.ts';
import { approvalRoutes } from '../../demo/approval-routes.ts';
import { demoTokenRoutes } from '../../demo/demo-token-routes.ts';
import { DemoTokens } from '../../demo/demo-tokens.ts';
import { prometheusMetrics } from '../../server/metrics/index.ts';
import { memoryBackend, oidcIdentity } from '../../server/index.ts';
import { hubRequest, sendHubRequest } from '../support/hub-request.ts';
import { mountedRoutes } from '../support/mounted-routes.ts';
import { OIDC_AUDIENCE, OidcIssuer } from '../support/oidc-issuer.ts';
import { JSON_HANDSHAKE, RawWebSocket } from '../support/raw-web-socket.ts';
import { startNode, type CallResult, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const HUB = '/hubs/entity-changes';
const REF = { entityType: 'ApprovalRequest', entityUid: 'REQ-2041' };
const ANN: Principal = { tenant: 'tenant-a', oid: 'ann', name: 'Ann Lee', kind: 'user' };

/** Who is let in: the holder of the lock, a colleague, a program of theirs, and somebody of another tenant. */
type Somebody = 'holder' | 'colleague' | 'automation' | 'stranger';
const SOMEBODIES: readonly Somebody[] = ['holder', 'colleague', 'automation', 'stranger'];

/** A status, with the `code` of a refusal or the `outcome` of an answer; or what else must be true of it. */
type Expected = number | readonly [number, string | ((answer: CallResult) => boolean)];
type Expectations = Readonly<Record<Somebody, Expected>>;

const sees = ({ json }: CallResult) =>
  (json['locks'] as LiveLock[]).some(({ holderOid }) => holderOid === 'ann');
const seesNothing = ({ json }: CallResult) => (json['locks'] as LiveLock[]).length === 0;
const NO_CLAIM: Expected = [403, 'automation-cannot-claim'];
const READ: Expectations = {
  holder: [200, sees],
  colleague: [200, sees],
  automation: [200, sees],
  stranger: [200, seesNothing],
};

/** Every route of the lock API, as its own table has it. A new one needs a line here. */
const LOCK_API: Readonly<Record<string, Expectations>> = {
  'GET /locks/mine': { ...READ, colleague: [200, seesNothing], automation: [200, seesNothing] },
  'GET /locks/:': READ,
  'GET /locks/:/:': READ,
  'POST /locks/:/:/claim': {
    holder: [200, 'acquired'],
    colleague: [200, 'held'],
    automation: NO_CLAIM,
    stranger: [200, 'acquired'],
  },
  'POST /locks/:/:/renew': {
    holder: [200, 'acquired'],
    colleague: [200, 'held'],
    automation: NO_CLAIM,
    stranger: [200, 'lost'],
  },
  'POST /locks/:/:/take-over': {
    holder: [200, 'acquired'],
    colleague: [403, 'take-over-denied'],
    automation: NO_CLAIM,
    stranger: [200, 'acquired'],
  },
  'DELETE /locks/:/:': {
    holder: [200, 'released'],
    colleague: [200, 'held'],
    automation: [200, 'held'],
    stranger: [200, 'gone'],
  },
};

const PASSES: Expectations = { holder: 200, colleague: 200, automation: 200, stranger: 200 };
const GUARDED: Expectations = { ...PASSES, colleague: [409, 'entity-locked'] };

/** The application's own routes, the guarded ones among them. */
const APPLICATION: Readonly<Record<string, Expectations>> = {
  'GET /api/requests': PASSES,
  'GET /api/requests/:id': PASSES,
  // No version is sent: the guard lets it pass, the application does not.
  'PUT /api/requests/:id': {
    holder: 400,
    colleague: [409, 'entity-locked'],
    automation: 400,
    stranger: 400,
  },
  'POST /api/requests/:id/approve': GUARDED,
  'POST /api/requests/:id/reject': GUARDED,
};

/** What anybody may ask without a token, by decision: nothing of theirs says anything of records or people. */
const PUBLIC: Readonly<Record<string, number>> = {
  'GET /healthz': 200,
  'GET /readyz': 200,
  'GET /metrics': 200,
  'POST /demo/token': 400,
};

/** What stands before routes, or answers by a table of its own. */
const MIDDLEWARE = ['use /api answer', 'use /api/requests jsonParser', 'use /api/requests failed'];

describe('who may do what', () => {
  let issuer: OidcIssuer;
  let node: RowlockNode;
  let app: Express;
  let desk: ApprovalDesk;
  let nobodies: Readonly<Record<string, string | null>>;
  let somebodies: Readonly<Record<Somebody, string>>;

  before(async () => {
    issuer = await OidcIssuer.start();
    const identify = oidcIdentity({
      issuer: issuer.issuer,
      audience: OIDC_AUDIENCE,
      algorithms: ['ES256'],
      tenants: ['tenant-a', 'tenant-b'],
      log: silentLog,
    });
    const metrics = prometheusMetrics();
    const tokens = await DemoTokens.create('test');
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      types: [lockable('ApprovalRequest', { canTakeOver: ({ roles = [] }) => roles.includes('Lead') })],
      identify,
      metrics,
      rateLimits: false,
      routes: (express, { guardWrites }) => {
        app = express;
        desk = new ApprovalDesk();
        const requests = { get: desk.get.bind(desk), list: desk.list.bind(desk) };
        // Decisions are final: so that each caller finds the request undecided, this desk forgets them.
        const forgetful = Object.assign(Object.create(ApprovalDesk.prototype) as ApprovalDesk, requests, {
          save: desk.save.bind(desk),
          decide: requests.get,
        });
        express
          .use(metrics.router)
          .use('/api/requests', approvalRoutes({ desk: forgetful, identify, guardWrites }))
          .use('/demo', demoTokenRoutes(tokens));
      },
    });
    somebodies = {
      holder: await issuer.token(),
      colleague: await issuer.token({ oid: 'ben', name: 'Ben' }),
      automation: await issuer.token({ oid: 'driver-app', idtyp: 'app', roles: ['Lead'] }),
      stranger: await issuer.token({ tid: 'tenant-b', roles: ['Lead'] }),
    };
    nobodies = await allNobodies(issuer);
  });
  after(async () => {
    await node.stop();
    await issuer.stop();
  });

  /** Ann's lock stands, whatever an earlier caller did. */
  const arrange = async () => {
    for (const tenant of ['tenant-a', 'tenant-b']) {
      const { locks } = await node.rowlock.service.read({ ...ANN, tenant }, REF);
      for (const { holderOid } of locks) {
        const holder = { ...ANN, tenant, oid: holderOid };
        await node.rowlock.service.release(holder, REF, { sessionId: null });
      }
    }
    await node.rowlock.service.claim(ANN, REF, { sessionId: 'own' });
  };
  const holderNow = async () => (await node.rowlock.service.read(ANN, REF)).locks[0]?.holderOid;
  const call = (method: string, path: string, as: string | null) =>
    node.call(method, path, { as, ...bodyOf(method, path) });
  const check = async (route: string, path: string, who: Somebody, expected: Expected) => {
    await arrange();
    const [method = ''] = route.split(' ');
    const answer = await call(method, path, somebodies[who]);
    const [status, what] = typeof expected === 'number' ? [expected, undefined] : expected;
    const text = `${who}: ${answer.status} ${answer.text.slice(0, 300)}`;
    assert.equal(answer.status, status, text);
    if (typeof what === 'function') assert.equal(what(answer), true, text);
    else if (what !== undefined) assert.equal(answer.json['code'] ?? answer.json['outcome'], what, text);
    // Nobody but its holder has ended it.
    if (who !== 'holder') assert.equal(await holderNow(), 'ann', text);
  };
  const refused = async (method: string, path: string) => {
    await arrange();
    for (const [who, token] of Object.entries(nobodies)) {
      const answer = await call(method, path, token);
      assert.equal(answer.status, 401, `${who}: ${answer.status} ${answer.text}`);
      assert.equal(answer.json['code'], 'unauthenticated', who);
      assert.equal(answer.text.includes('ann'), false, `${who} learns nothing`);
    }
    assert.equal(await holderNow(), 'ann');
  };

  it('every route that is mounted has an expectation here, and every expectation a route (F30)', () => {
    const inTable = LOCK_ROUTES.map(({ method, path }) => `${method} /${path.join('/')}`);
    assert.deepEqual(inTable.sort(), Object.keys(LOCK_API).sort());
    const mounted = mountedRoutes(app);
    const known = [...Object.keys(PUBLIC), ...Object.keys(APPLICATION), ...MIDDLEWARE];
    assert.deepEqual([...mounted].sort(), known.sort());
  });

  describe('the lock API', () => {
    for (const [route, expectations] of Object.entries(LOCK_API)) {
      const [method = '', pattern = ''] = route.split(' ');
      const parts = [REF.entityType, REF.entityUid];
      const path = `/api${pattern.replace(/:/g, () => parts.shift() ?? '')}`;
      it(`${route}: nobody gets in`, () => refused(method, withQuery(method, path)));
      it(`${route}: each of the others gets what is theirs (F33)`, async () => {
        for (const who of SOMEBODIES) await check(route, withQuery(method, path), who, expectations[who]);
      });
    }

    it('below /locks there is nothing else, and nobody is told even that', async () => {
      for (const [method, path, status] of [
        ['GET', '/api/locks', 404],
        ['PUT', '/api/locks/ApprovalRequest/REQ-2041', 405],
        ['PATCH', '/api/locks/ApprovalRequest/REQ-2041/claim', 405],
        ['POST', '/api/locks/mine', 405],
        ['DELETE', '/api/locks/ApprovalRequest', 405],
        ['POST', '/api/locks/ApprovalRequest/REQ-2041/claim/more', 404],
      ] as const) {
        await refused(method, path);
        assert.equal((await call(method, path, somebodies.holder)).status, status, `${method} ${path}`);
      }
    });
  });

  describe('the application’s routes', () => {
    for (const [route, expectations] of Object.entries(APPLICATION)) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(':id', REF.entityUid);
      it(`${route}: nobody gets in`, () => refused(method, path));
      it(`${route}: each of the others gets what is theirs`, async () => {
        for (const who of SOMEBODIES) await check(route, path, who, expectations[who]);
      });
    }
  });

  describe('what is public', () => {
    for (const [route, status] of Object.entries(PUBLIC)) {
      const [method = '', path = ''] = route.split(' ');
      it(`${route}: ${status} for everybody, and nothing of records or people`, async () => {
        await arrange();
        for (const token of [...Object.values(nobodies), ...Object.values(somebodies)]) {
          const answer = await node.call(method, path, {
            as: token,
            ...(method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
          });
          assert.equal(answer.status, status);
          assert.doesNotMatch(answer.text, /REQ-2041|Ann Lee|tenant-a/);
        }
      });
    }
  });

  describe('the hub', () => {
    const port = () => Number(new URL(node.url).port);
    const negotiated = async (token: string) => {
      const path = `${HUB}/negotiate?negotiateVersion=1`;
      const { text } = await hubRequest({ port: port(), method: 'POST', path, token });
      return (JSON.parse(text) as { connectionToken: string }).connectionToken;
    };
    /** What becomes of each way into the hub. */
    const ways = (id: string): Readonly<Record<string, (token: string | null) => Promise<number>>> => {
      const request = (method: string, path: string, accept?: string) => async (token: string | null) => {
        const headers = accept === undefined ? {} : { accept };
        const sent = sendHubRequest({ port: port(), method, path, token, headers });
        const { statusCode = 0 } = await sent.response;
        sent.request.destroy();
        return statusCode;
      };
      const upgrade = (path: string, inQuery: boolean) => async (token: string | null) => {
        const address = inQuery && token !== null ? `${path}&access_token=${token}` : path;
        const socket = await RawWebSocket.ask({ port: port(), path: address, token: inQuery ? null : token });
        socket.socket.destroy();
        return socket.answer.status;
      };
      return {
        negotiate: request('POST', `${HUB}/negotiate?negotiateVersion=1`),
        'WebSocket without negotiation': upgrade(`${HUB}?`, false),
        'WebSocket with the token in the query': upgrade(`${HUB}?`, true),
        'WebSocket of this id': upgrade(`${HUB}?id=${id}`, false),
        'event stream of this id': request('GET', `${HUB}?id=${id}`, 'text/event-stream'),
        'poll of this id': request('GET', `${HUB}?id=${id}`),
        'POST to this id': request('POST', `${HUB}?id=${id}`),
        'DELETE of this id': request('DELETE', `${HUB}?id=${id}`),
      };
    };

    it('nobody gets in on any transport, to a connection of somebody’s neither', async () => {
      for (const [way, enter] of Object.entries(ways(await negotiated(somebodies.holder)))) {
        for (const [who, token] of Object.entries(nobodies)) {
          assert.equal(await enter(token), 401, `${way}: ${who}`);
        }
      }
      assert.equal(node.rowlock.hub.connectionCount, 0);
    });

    it('everybody else has connections of their own, and finds none of anybody else’s', async () => {
      for (const who of SOMEBODIES) {
        for (const way of Object.keys(ways(''))) {
          const isOwn = who === 'holder' || !way.endsWith('this id');
          const enter = ways(await negotiated(somebodies.holder))[way];
          const status = await enter?.(somebodies[who]);
          if (!isOwn) assert.equal(status, 404, `${way}: ${who}`);
          else assert.notEqual(status, 401, `${way}: ${who}`);
          if (isOwn && /negotiate$|stream/.test(way)) assert.equal(status, 200, `${way}: ${who}`);
          if (isOwn && /query|without/.test(way)) assert.equal(status, 101, `${way}: ${who}`);
        }
      }
    });

    it('a stranger who subscribes to everything hears only of their own tenant (F33)', async () => {
      const sockets = await Promise.all(
        (['colleague', 'stranger'] as const).map(async (who) => {
          const socket = await RawWebSocket.ask({ port: port(), path: HUB, token: somebodies[who] });
          socket.text(JSON_HANDSHAKE);
          socket.message({
            type: 1,
            invocationId: '1',
            target: 'Subscribe',
            arguments: [['ApprovalRequest']],
          });
          await until('the subscription', () => socket.messages.some(({ type }) => type === 3));
          return socket;
        }),
      );
      const heard = (socket: RawWebSocket | undefined) =>
        (socket?.messages ?? []).flatMap(({ target, arguments: args }) =>
          target === 'EntityChanged' ? [(args as { entityUid: string }[])[0]?.entityUid] : [],
        );
      const claim = (uid: string, tenant: string) =>
        node.rowlock.service.claim({ ...ANN, tenant }, { ...REF, entityUid: uid }, { sessionId: 's' });
      await claim('ours', 'tenant-a');
      await node.rowlock.hub.publish('tenant-a', { ...REF, entityUid: 'ours', operation: 'Updated' });
      await claim('theirs', 'tenant-b');
      const [colleague, stranger] = sockets;
      await until('each has heard', () => heard(colleague).length >= 2 && heard(stranger).length > 0);
      assert.deepEqual(heard(colleague), ['ours', 'ours']);
      assert.deepEqual(heard(stranger), ['theirs']);
      for (const { socket } of sockets) socket.destroy();
    });

    it('polling takes its caller’s token on every request', async () => {
      const path = HUB;
      const id = await negotiated(somebodies.holder);
      const request = (method: string, token: string | null, body?: string) =>
        hubRequest({
          port: port(),
          method,
          path: `${path}?id=${id}`,
          token,
          ...(body === undefined ? {} : { body }),
        });
      assert.equal((await request('GET', somebodies.holder)).status, 200);
      assert.equal((await request('POST', nobodies['expired'] ?? null, JSON_HANDSHAKE)).status, 401);
      assert.equal((await request('POST', somebodies.colleague, JSON_HANDSHAKE)).status, 404);
      assert.equal((await request('POST', somebodies.holder, JSON_HANDSHAKE)).status, 200);
      assert.equal((await request('DELETE', somebodies.stranger)).status, 404);
      assert.equal((await request('DELETE', somebodies.holder)).status, 202);
    });
  });
});

function bodyOf(method: string, path: string): { readonly body?: unknown } {
  if (path.endsWith('/take-over')) return { body: { sessionId: 'own', fromHolderOid: 'ann' } };
  return method === 'POST' && path.includes('/locks/') ? { body: { sessionId: 'own' } } : {};
}

function withQuery(method: string, path: string): string {
  return method === 'DELETE' ? `${path}?sessionId=own` : path;
}

/** Every way not to be somebody, each for one reason alone: with the right one it would be Ann. */
async function allNobodies(issuer: OidcIssuer): Promise<Readonly<Record<string, string | null>>> {
  const nowS = Math.floor(Date.now() / 1_000);
  const good = await issuer.token();
  const [header = '', payload = '', signature = ''] = good.split('.');
  const [key] = issuer.keys;
  if (key === undefined) throw new Error('The issuer has no key.');
  const publicKey: KeyObject = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  const asSecret = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const other = await OidcIssuer.start();
  const [otherKey] = other.keys;
  await other.stop();
  if (otherKey === undefined) throw new Error('The other issuer has no key.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: key.kid })).toString('base64url');
  const swapped = Buffer.from(JSON.stringify({ ...claims, oid: 'ben' })).toString('base64url');
  return {
    'no token': null,
    'no JWT': 'abc',
    expired: await issuer.token({ exp: nowS - 120 }),
    'without an expiry': await issuer.token({ exp: null as unknown as number }),
    'not yet valid': await issuer.token({ nbf: nowS + 120 }),
    'wrong issuer': await issuer.token({ iss: 'https://other.test/' }),
    'wrong audience': await issuer.token({ aud: 'api://other' }),
    'wrong signature': await issuer.token({}, { ...otherKey, kid: key.kid }),
    'signature of other claims': `${header}.${swapped}.${signature}`,
    'alg none': `${none}.${payload}.`,
    'HS256 with the public key': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: key.kid })
      .sign(asSecret),
    'unknown kid': await issuer.token({}, otherKey),
    'a tenant that is not allowed': await issuer.token({ tid: 'tenant-z' }),
  };
}
