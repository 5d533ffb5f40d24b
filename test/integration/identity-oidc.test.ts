import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LockError, type Log } from '../../core/index.ts';
import {
  memoryBackend,
  oidcIdentity,
  type Identify,
  type IssuerKeysTiming,
  type OidcIdentityOptions,
} from '../../server/index.ts';
import { OIDC_AUDIENCE, OidcIssuer } from '../support/oidc-issuer.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const DISCOVERY = '/.well-known/openid-configuration';

/** What became of a request: the principal's oid, or the code of the refusal. */
async function outcome(identify: Identify, token: string): Promise<string> {
  try {
    return (await identify(withToken(token))).oid;
  } catch (error) {
    if (error instanceof LockError) return error.code;
    throw error;
  }
}

function withToken(token: string): IncomingMessage {
  return { headers: { authorization: `Bearer ${token}` } } as unknown as IncomingMessage;
}

describe('oidcIdentity', () => {
  let issuer: OidcIssuer;
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (_, details) => errors.push(String(details?.['reason'])) };
  beforeEach(async () => {
    errors.length = 0;
    issuer = await OidcIssuer.start();
  });
  afterEach(() => issuer.stop());

  const make = (timing: Partial<IssuerKeysTiming> = {}, more: Partial<OidcIdentityOptions> = {}) =>
    oidcIdentity({
      issuer: issuer.issuer,
      audience: OIDC_AUDIENCE,
      algorithms: ['ES256'],
      log,
      timing,
      ...more,
    });

  describe('an issuer that answers', () => {
    it('is asked at the first request, and once for many at a time', async () => {
      const identify = make();
      assert.deepEqual(issuer.requests, []);
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, at) => issuer.token({ oid: `u${at}` })),
      );
      const oids = await Promise.all(tokens.map((token) => outcome(identify, token)));
      assert.deepEqual(
        oids,
        tokens.map((_, at) => `u${at}`),
      );
      assert.deepEqual(issuer.requests, [DISCOVERY, '/keys']);
    });

    it('signs with RS256 where nothing else is said, and with nothing else', async () => {
      const identify = oidcIdentity({ issuer: issuer.issuer, audience: OIDC_AUDIENCE, log });
      assert.equal(await outcome(identify, await issuer.token()), 'unauthenticated');
      await issuer.rotate('RS256');
      const after = oidcIdentity({ issuer: issuer.issuer, audience: OIDC_AUDIENCE, log });
      assert.equal(await outcome(after, await issuer.token()), 'ann');
    });

    it('rotates: the new key is accepted without a restart, and the old one no more', async () => {
      const identify = make({ cooldownMs: 1 });
      const [oldKey] = issuer.keys;
      assert.equal(await outcome(identify, await issuer.token()), 'ann');
      await issuer.rotate();
      assert.equal(await outcome(identify, await issuer.token()), 'ann');
      assert.equal(await outcome(identify, await issuer.token({}, oldKey)), 'unauthenticated');
      assert.equal(issuer.count('/keys') >= 2, true);
    });

    it('is asked about unknown keys once in a cooldown, however many come', async () => {
      const identify = make();
      const stranger = await OidcIssuer.start();
      const forged = await stranger.token({ iss: issuer.issuer });
      await stranger.stop();
      assert.equal(await outcome(identify, await issuer.token()), 'ann');
      for (let round = 0; round < 20; round++) {
        assert.equal(await outcome(identify, forged), 'unauthenticated');
      }
      assert.equal(issuer.count('/keys'), 1);
    });

    it('is asked for its keys again after refreshMs, and nobody waits for that', async () => {
      const identify = make({ refreshMs: 1 });
      await outcome(identify, await issuer.token());
      let release = () => {};
      issuer.answer = (_, response) => {
        release = () => response.destroy();
        return true;
      };
      for (let round = 0; round < 3; round++) {
        assert.equal(await outcome(identify, await issuer.token()), 'ann');
      }
      await until('the refresh', () => issuer.discoveries === 2);
      release();
      await until('it has failed', () => errors.length === 1);
    });
  });

  describe('an issuer that does not answer', () => {
    it('when the server starts: nobody gets in, at once during the pause; everybody does when it is up', async () => {
      const token = await issuer.token();
      const { keys } = issuer;
      const port = Number(new URL(issuer.url).port);
      await issuer.stop();
      const identify = make({ retryMs: 1_000 });
      for (let round = 0; round < 20; round++) {
        assert.equal(await outcome(identify, token), 'identity-unavailable');
      }
      assert.equal(errors.length, 1, 'one attempt, one line in the log');
      assert.match(errors[0] ?? '', /ECONNREFUSED/);
      issuer = await OidcIssuer.start(port);
      issuer.keys = keys;
      await until('it is asked again', async () => (await outcome(identify, token)) === 'ann');
      assert.equal(issuer.discoveries, 1);
    });

    it('pauses grow from one failure to the next', async () => {
      issuer.answer = (_, response) => {
        response.writeHead(503).end();
        return true;
      };
      const identify = make({ retryMs: 40 });
      const token = await issuer.token();
      const endsAt = performance.now() + 500;
      while (performance.now() < endsAt) assert.equal(await outcome(identify, token), 'identity-unavailable');
      // At 0, 40, 120, 280 and not before 600 ms.
      assert.equal(
        issuer.discoveries >= 2 && issuer.discoveries <= 4,
        true,
        `${issuer.discoveries} attempts`,
      );
      assert.match(errors[0] ?? '', /answered 503/);
    });

    it('later: known keys go on, unknown ones wait for it, and an end of maxAgeMs is an end', async () => {
      const identify = make({ refreshMs: 10, maxAgeMs: 600, cooldownMs: 1, retryMs: 10 });
      const [known] = issuer.keys;
      const began = performance.now();
      assert.equal(await outcome(identify, await issuer.token()), 'ann');
      issuer.answer = (_, response) => {
        response.writeHead(500).end();
        return true;
      };
      await issuer.rotate();
      await until('a refresh fails', async () => {
        const oid = await outcome(identify, await issuer.token({}, known));
        assert.equal(oid, performance.now() - began < 500 ? 'ann' : oid);
        return errors.length > 0;
      });
      assert.equal(await outcome(identify, await issuer.token()), 'identity-unavailable');
      await until(
        'they are too old',
        async () => (await outcome(identify, await issuer.token({}, known))) === 'identity-unavailable',
      );
      assert.equal(performance.now() - began >= 600, true);
    });

    for (const [name, slowPath] of [
      ['its discovery', DISCOVERY],
      ['its keys', '/keys'],
    ] as const) {
      it(`hangs with ${name}: nobody waits longer than timeoutMs`, async () => {
        issuer.answer = (request, response) => {
          if (request.url !== slowPath) return false;
          response.writeHead(200).write('{'); // and no more
          return true;
        };
        const identify = make({ timeoutMs: 200 });
        const token = await issuer.token();
        const began = performance.now();
        const outcomes = await Promise.all([1, 2, 3].map(() => outcome(identify, token)));
        const tookMs = performance.now() - began;
        assert.deepEqual(outcomes, Array(3).fill('identity-unavailable'));
        assert.equal(tookMs >= 190 && tookMs < 600, true, `${tookMs} ms`);
      });
    }

    it('the lock API and the hub answer 503, not 401: a page keeps its token', async () => {
      const token = await issuer.token();
      issuer.answer = (_, response) => {
        response.writeHead(500).end();
        return true;
      };
      const node = await startNode({ backend: memoryBackend({ log: silentLog }), identify: make() });
      try {
        const { status, json } = await node.call('GET', '/api/locks/mine', { as: token });
        assert.deepEqual([status, json['code']], [503, 'identity-unavailable']);
        assert.equal(JSON.stringify(json).includes(issuer.url), false, 'the caller learns nothing of it');
        const hub = '/hubs/entity-changes';
        assert.equal((await node.call('POST', `${hub}/negotiate`, { as: token })).status, 503);
        const port = Number(new URL(node.url).port);
        assert.equal((await RawWebSocket.ask({ port, token, path: hub })).answer.status, 503);
      } finally {
        await node.stop();
      }
    });
  });

  describe('an issuer that answers something else', () => {
    const refused = async (reason: RegExp) => {
      assert.equal(await outcome(make(), await issuer.token()), 'identity-unavailable');
      assert.match(errors[0] ?? 'nothing was logged', reason);
    };

    it('a discovery document of another issuer is not believed', async () => {
      issuer.more = { issuer: `${issuer.url}/` };
      await refused(/another issuer/);
    });

    it('a jwks_uri without TLS is not followed', async () => {
      issuer.more = { jwks_uri: 'http://keys.example/keys' };
      await refused(/jwks_uri/);
      issuer.more = { jwks_uri: 'file:///etc/passwd' };
      errors.length = 0;
      await refused(/jwks_uri/);
    });

    it('redirects are not followed, neither of the discovery nor of the keys', async () => {
      const elsewhere = await OidcIssuer.start();
      elsewhere.issuer = issuer.issuer;
      try {
        for (const from of [DISCOVERY, '/keys']) {
          issuer.answer = (request, response) => {
            if (request.url !== from) return false;
            response.writeHead(302, { location: elsewhere.url + from }).end();
            return true;
          };
          errors.length = 0;
          await refused(/fetch failed/);
        }
        assert.deepEqual(elsewhere.requests, []);
      } finally {
        await elsewhere.stop();
      }
    });

    it('a key set without an end is cut off', async () => {
      let sent = 0;
      issuer.answer = (request, response) => {
        if (request.url !== '/keys') return false;
        response.writeHead(200).write('{"keys":[');
        const more = () => {
          for (let at = 0; at < 16; at++) sent += 4_096;
          if (!response.destroyed) response.write('{"kty":"RSA"},'.repeat(4_681), more);
        };
        more();
        return true;
      };
      await refused(/more than 524288 bytes/);
      assert.equal(sent < 64 * 1024 * 1024, true);
    });

    it('what is no JSON, or no key set, lets nobody in', async () => {
      for (const body of ['<html>', '[]', 'null', '{"keys":7}']) {
        issuer.answer = (request, response) => {
          if (request.url !== '/keys') return false;
          response.writeHead(200).end(body);
          return true;
        };
        const code = await outcome(make(), await issuer.token());
        assert.match(code, /^(?:identity-unavailable|unauthenticated)$/, body);
      }
    });
  });

  describe('many tenants at one issuer (Entra’s {tenantid})', () => {
    const A = '0a1b2c3d-0000-4000-8000-000000000001';
    const B = '0a1b2c3d-0000-4000-8000-000000000002';
    let template: string;
    const entra = (more: Partial<OidcIdentityOptions> = {}) =>
      make({}, { tenants: [A.toUpperCase()], ...more });
    beforeEach(() => {
      template = `${issuer.url}/{tenantid}/v2.0`;
      issuer.issuer = template;
    });
    const tokenOf = (tid: string, iss = template.replace('{tenantid}', tid), more = {}) =>
      issuer.token({ tid, iss, ...more });

    it('discovers at "common"; a token’s issuer must name its own tid, and the tenant be allowed', async () => {
      const identify = entra();
      assert.equal(await outcome(identify, await tokenOf(A)), 'ann');
      assert.equal(issuer.requests[0], `/common/v2.0${DISCOVERY}`);
      assert.equal(await outcome(identify, await tokenOf(B)), 'unauthenticated');
      for (const iss of [template, template.replace('{tenantid}', B), template.replace('{tenantid}', '')]) {
        assert.equal(await outcome(identify, await tokenOf(A, iss)), 'unauthenticated', iss);
      }
      assert.equal(await outcome(identify, await tokenOf('', undefined)), 'unauthenticated');
      assert.equal(await outcome(entra({ tenants: 'any' }), await tokenOf(B)), 'ann');
    });

    it('a key that names its own issuer signs for no other', async () => {
      issuer.ofKeys = { issuer: template };
      assert.equal(await outcome(entra(), await tokenOf(A)), 'ann');
      issuer.ofKeys = { issuer: template.replace('{tenantid}', B) };
      assert.equal(await outcome(entra(), await tokenOf(A)), 'unauthenticated');
      issuer.ofKeys = { issuer: template.replace('{tenantid}', A) };
      assert.equal(await outcome(entra(), await tokenOf(A)), 'ann');
    });
  });

  describe('claims', () => {
    const principal = async (claims: object, more: Partial<OidcIdentityOptions> = {}) => {
      const { expiresAtMs: _, ...rest } = await make({}, more)(withToken(await issuer.token({ ...claims })));
      return rest;
    };

    it('of any other issuer are read by functions', async () => {
      const claims = {
        tid: undefined,
        oid: undefined,
        name: undefined,
        sub: 'x|7',
        org: 'acme',
        nick: 'A\u202eB',
      };
      const options: Partial<OidcIdentityOptions> = {
        tenant: ({ org }) => org,
        oid: ({ sub }) => sub,
        name: ({ nick }) => nick,
        roles: ({ realm_access: access }) => (access as { roles: string[] } | undefined)?.roles,
        tenants: ['acme'],
      };
      assert.deepEqual(await principal({ ...claims, realm_access: { roles: ['lead', 7] } }, options), {
        tenant: 'acme',
        oid: 'x|7',
        name: 'AB',
        kind: 'user',
        roles: ['lead'],
      });
      const token = await issuer.token({ ...claims, org: 'other' });
      assert.equal(await outcome(make({}, options), token), 'unauthenticated');
      for (const org of [undefined, 7, '', ['acme']]) {
        assert.equal(
          await outcome(make({}, options), await issuer.token({ ...claims, org })),
          'unauthenticated',
        );
      }
    });

    it('automation is idtyp "app" or a listed client; app roles reach canTakeOver', async () => {
      assert.equal((await principal({ idtyp: 'app' })).kind, 'automation');
      assert.equal((await principal({ azp: 'robot' }, { automationClients: ['robot'] })).kind, 'automation');
      assert.equal((await principal({ azp: 'robot' })).kind, 'user');
      assert.equal((await principal({ idtyp: 'APP', appidacr: '1' })).kind, 'user');
      assert.deepEqual((await principal({ roles: ['Locks.TakeOver'] })).roles, ['Locks.TakeOver']);
      assert.equal('roles' in (await principal({ roles: 'Locks.TakeOver' })), false);
    });

    it('the application has the last word', async () => {
      const identify = make({}, { accept: ({ scp }) => scp === 'locks' });
      assert.equal(await outcome(identify, await issuer.token({ scp: 'locks' })), 'ann');
      assert.equal(await outcome(identify, await issuer.token({ scp: 'mail' })), 'unauthenticated');
    });
  });

  describe('options that would let in more than they say are refused when it is made', () => {
    const table: readonly (readonly [string, Partial<OidcIdentityOptions>, RegExp])[] = [
      ['HS256', { algorithms: ['RS256', 'HS256'] }, /"algorithms".*HS256/],
      ['none', { algorithms: ['none'] }, /"algorithms".*none/],
      ['no algorithm', { algorithms: [] }, /algorithms/],
      ['no audience', { audience: [] }, /"audience"/],
      ['an empty audience', { audience: '' }, /"audience"/],
      ['plain http', { issuer: 'http://login.example' }, /"issuer" expects an https address/],
      ['plain http discovery', { discoveryUrl: 'http://login.example/x' }, /"discoveryUrl"/],
      ['no URL', { issuer: 'login.example' }, /"issuer"/],
      ['all tenants unsaid', { issuer: 'https://login.example/{tenantid}/v2.0' }, /"tenants"/],
      ['a timing of 0', { timing: { timeoutMs: 0 } }, /timing\.timeoutMs/],
      ['an age below the refresh', { timing: { maxAgeMs: 1 } }, /timing\.maxAgeMs/],
    ];
    for (const [name, more, message] of table) {
      it(name, () => assert.throws(() => make({}, more), message));
    }
  });

  it('a proxy of the same port that is no HTTP server lets nobody in', async () => {
    const server = createServer().on('connection', (socket) => socket.end('SSH-2.0\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal(await outcome(make({}, { issuer: url }), await issuer.token()), 'identity-unavailable');
    server.close();
  });
});
