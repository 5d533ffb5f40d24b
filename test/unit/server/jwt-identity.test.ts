import { SignJWT, generateKeyPair, type JWTPayload } from 'jose';
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { before, describe, it } from 'node:test';
import { LockError } from '../../../core/index.ts';
import {
  MAX_NAME_LENGTH,
  jwtIdentity,
  type Identify,
  type JwtIdentityOptions,
} from '../../../server/index.ts';

const ISSUER = 'https://login.example/';
const AUDIENCE = 'api://locks';
const CLAIMS = {
  tid: '0A1B2C3D-0000-0000-0000-000000000001',
  oid: '0A1B2C3D-0000-0000-0000-00000000000A',
  name: 'Ann Lee',
};

describe('jwtIdentity', () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let options: JwtIdentityOptions;
  let identify: Identify;
  before(async () => {
    keys = await generateKeyPair('ES256');
    options = { key: keys.publicKey, issuer: ISSUER, audience: AUDIENCE, algorithms: ['ES256'] };
    identify = jwtIdentity(options);
  });

  const nowS = () => Math.floor(Date.now() / 1_000);
  const sign = (claims: JWTPayload = {}) =>
    new SignJWT({ iss: ISSUER, aud: AUDIENCE, exp: nowS() + 600, ...CLAIMS, ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(keys.privateKey);
  const requestWith = (authorization?: string) =>
    ({ headers: { authorization }, url: '/' }) as unknown as IncomingMessage;
  const principalOf = async (claims: JWTPayload = {}, using = identify) =>
    using(requestWith(`Bearer ${await sign(claims)}`));
  const refused = async (authorization: string | undefined, using = identify) => {
    await assert.rejects(using(requestWith(authorization)), (error: unknown) => {
      assert.ok(error instanceof LockError, 'it is a LockError');
      assert.equal(error.code, 'unauthenticated');
      const secret = authorization?.split('.')[1];
      if (secret !== undefined)
        assert.ok(!error.message.includes(secret), 'the message says nothing of the token');
      return true;
    });
  };

  it('makes a principal from tid, oid, name and idtyp; GUIDs in one spelling', async () => {
    const { expiresAtMs: _, ...principal } = await principalOf();
    assert.deepEqual(principal, {
      tenant: CLAIMS.tid.toLowerCase(),
      oid: CLAIMS.oid.toLowerCase(),
      name: 'Ann Lee',
      kind: 'user',
    });
    assert.equal((await principalOf({ idtyp: 'app' })).kind, 'automation');
    assert.equal((await principalOf({ idtyp: 'user' })).kind, 'user');
  });

  it('says until when the proof holds: as late as a new request with it would still be let in', async () => {
    const exp = nowS() + 300;
    assert.equal((await principalOf({ exp })).expiresAtMs, (exp + 60) * 1_000);
    const justBefore = nowS() - 58;
    assert.equal(((await principalOf({ exp: justBefore })).expiresAtMs ?? 0) > Date.now(), true);
  });

  it('listed clients are automation, by azp or appid, and no others', async () => {
    const using = jwtIdentity({ ...options, automationClients: ['robot'] });
    assert.equal((await principalOf({ azp: 'robot' }, using)).kind, 'automation');
    assert.equal((await principalOf({ appid: 'robot' }, using)).kind, 'automation');
    assert.equal((await principalOf({ azp: 'page' }, using)).kind, 'user');
  });

  it('nothing but a whole bearer token will do', async () => {
    const token = await sign();
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      'Bearer heading.claims-part.signature',
    ])
      await refused(header);
    assert.equal((await identify(requestWith(`bearer  ${token} `))).name, 'Ann Lee');
  });

  it('expired, not yet valid, without an expiry, of another issuer or audience ⇒ refused', async () => {
    for (const claims of [
      { exp: nowS() - 61 },
      { nbf: nowS() + 61 },
      { exp: undefined },
      { iss: 'https://other/' },
      { aud: 'api://other' },
      { tid: undefined },
      { oid: undefined },
      { tid: 7 },
      { oid: '' },
      { oid: 'a\u0000b' },
    ] as JWTPayload[]) {
      await refused(`Bearer ${await sign(claims)}`);
    }
  });

  it('clocks may differ by a minute', async () => {
    assert.equal((await principalOf({ exp: nowS() - 30, nbf: nowS() - 600 })).name, 'Ann Lee');
    assert.equal((await principalOf({ nbf: nowS() + 30 })).name, 'Ann Lee');
  });

  it('another key, another algorithm, none ⇒ refused', async () => {
    const other = await generateKeyPair('ES256');
    const claims = { iss: ISSUER, aud: AUDIENCE, exp: nowS() + 600, ...CLAIMS };
    await refused(
      `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(other.privateKey)}`,
    );
    await refused(
      `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))}`,
    );
    const [, payload] = (await sign()).split('.');
    await refused(`Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload ?? ''}.`);
  });

  it('a tenant that is not on the list ⇒ refused; one that is comes in, in any spelling', async () => {
    const using = jwtIdentity({ ...options, tenants: [CLAIMS.tid] });
    assert.equal((await principalOf({ tid: CLAIMS.tid.toLowerCase() }, using)).name, 'Ann Lee');
    await refused(`Bearer ${await sign({ tid: 'other' })}`, using);
  });

  it('a name has no control characters, turns no text round, and is bounded', async () => {
    const nameOf = async (name: unknown) => (await principalOf({ name, preferred_username: undefined })).name;
    assert.equal(await nameOf('Ann\u202e\u2066 Lee\u0000\n\u2028\u200f'), 'Ann Lee');
    assert.equal(await nameOf('  Ann  '), 'Ann');
    assert.equal(await nameOf('👩‍👩‍👧 नमस्ते'), '👩‍👩‍👧 नमस्ते'.normalize('NFC'));
    assert.equal(Array.from(await nameOf('😀'.repeat(5_000))).length, MAX_NAME_LENGTH);
    const oid = CLAIMS.oid.toLowerCase();
    for (const nothing of ['', ' ', '\u202e', 7, null, ['Ann']]) assert.equal(await nameOf(nothing), oid);
    assert.equal(
      (await principalOf({ name: undefined, preferred_username: 'ann@example' })).name,
      'ann@example',
    );
  });

  it('no algorithms ⇒ refused when it is made', () => {
    assert.throws(() => jwtIdentity({ ...options, algorithms: [] }), /algorithms/);
  });
});
