import { SignJWT } from 'jose';
import { jwtIdentity, type Identify, type JwtIdentityOptions } from '../../server/index.ts';

export const TEST_ISSUER = 'https://issuer.test/';
export const TEST_AUDIENCE = 'api://rowlock-test';
export const TEST_TENANT = 'tenant-a';

export const TEST_KEY = 'a test key of thirty-two bytes..';

const KEY = new TextEncoder().encode(TEST_KEY);

/** Who a token is for. Anything not said has a usual value. */
export interface TestUser {
  readonly oid: string;
  readonly name?: string;
  readonly tenant?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly expiresInS?: number;
  readonly key?: Uint8Array;
}

/** A signed token with Entra's claims. */
export function tokenFor({
  oid,
  name = oid,
  tenant = TEST_TENANT,
  claims = {},
  expiresInS = 600,
  key = KEY,
}: TestUser): Promise<string> {
  const nowS = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iss: TEST_ISSUER, aud: TEST_AUDIENCE, tid: tenant, oid, name, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + expiresInS)
    .sign(key);
}

/** What verifies these tokens. */
export function testIdentity(more: Partial<JwtIdentityOptions> = {}): Identify {
  return jwtIdentity({
    key: KEY,
    issuer: TEST_ISSUER,
    audience: TEST_AUDIENCE,
    algorithms: ['HS256'],
    ...more,
  });
}
