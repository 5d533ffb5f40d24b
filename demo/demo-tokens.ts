import { SignJWT, generateKeyPair } from 'jose';
import { DEMO_USERS, type DemoUserKey } from './demo-users.ts';

export const DEMO_ISSUER = 'https://login.nordfracht.example/';
export const DEMO_AUDIENCE = 'api://rowlock-demo';
export const DEMO_ALGORITHM = 'ES256';

/** Short, so that whoever tries the demo for a while also tries the refresh. */
const LIFETIME_MS = 10 * 60_000;

/**
 * Signs tokens for the demo's own users, with a key pair made at start: a stand-in for the company's identity
 * provider. Everything behind it verifies them as it would verify real ones. Refuses to start in production, where
 * handing out tokens to whoever asks would be an open door.
 */
export class DemoTokens {
  /** Verifies what {@link sign} made. */
  readonly publicKey: CryptoKey;
  readonly #privateKey: CryptoKey;

  private constructor({ publicKey, privateKey }: { publicKey: CryptoKey; privateKey: CryptoKey }) {
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  static async create(environment: string | undefined = process.env['NODE_ENV']): Promise<DemoTokens> {
    if (/^\s*prod/i.test(environment ?? '')) {
      throw new Error(
        'The Rowlock demo gives a token to whoever asks, so it does not run with NODE_ENV=production. ' +
          'Build your own server with createRowlock() and jwtIdentity() instead.',
      );
    }
    return new DemoTokens(await generateKeyPair(DEMO_ALGORITHM));
  }

  /** A token with the claims that Entra would send: `tid`, `oid`, `name`, and `idtyp: app` for automation. */
  async sign(user: DemoUserKey): Promise<{ readonly token: string; readonly expiresInMs: number }> {
    const { tenant, oid, name, kind } = DEMO_USERS[user].principal;
    const token = await new SignJWT({
      tid: tenant,
      oid,
      name,
      ...(kind === 'automation' && { idtyp: 'app' }),
    })
      .setProtectedHeader({ alg: DEMO_ALGORITHM })
      .setSubject(oid)
      .setIssuer(DEMO_ISSUER)
      .setAudience(DEMO_AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(Math.floor((Date.now() + LIFETIME_MS) / 1_000))
      .sign(this.#privateKey);
    return { token, expiresInMs: LIFETIME_MS };
  }
}
