import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose';

/** What tokens of a test issuer are for. */
export const OIDC_AUDIENCE = 'api://rowlock-test';

const JWKS_PATH = '/keys';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An OpenID Connect issuer of one's own on loopback, which can do everything wrong. */
export class OidcIssuer {
  /** What the discovery document and tokens say; the address unless a test says otherwise. */
  issuer = '';
  /** What the key set says besides, for each key. */
  ofKeys: Readonly<Record<string, unknown>> = {};
  /** The paths that were asked for, in their order. */
  readonly requests: string[] = [];
  /** Answers in the place of the issuer; true where it did. */
  answer: (...args: Parameters<RequestListener>) => boolean = () => false;
  /** Put into the discovery document. */
  more: Readonly<Record<string, unknown>> = {};
  /** What the key set has; the first one signs. */
  keys: readonly IssuerKey[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.requests.push(path);
      if (this.answer(request, response)) return;
      const json =
        path === JWKS_PATH
          ? { keys: this.keys.map(({ jwk }) => ({ ...jwk, ...this.ofKeys })) }
          : path.endsWith('/.well-known/openid-configuration')
            ? { issuer: this.issuer, jwks_uri: this.url + JWKS_PATH, ...this.more }
            : null;
      response.writeHead(json === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    });
  }

  static async start(port = 0): Promise<OidcIssuer> {
    const issuer = new OidcIssuer();
    await once(issuer.#server.listen(port, '127.0.0.1'), 'listening');
    issuer.issuer = issuer.url;
    await issuer.rotate();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  count(path: string): number {
    return this.requests.filter((asked) => asked.endsWith(path)).length;
  }

  get discoveries(): number {
    return this.count('/.well-known/openid-configuration');
  }

  /** A new key signs from now on, and the old ones are gone. */
  async rotate(alg = 'ES256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${Math.random().toString(36).slice(2)}`;
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    this.keys = [{ kid, privateKey, jwk }];
  }

  token(claims: JWTPayload = {}, key: IssuerKey | undefined = this.keys[0]): Promise<string> {
    if (key === undefined) throw new Error('The issuer has no key.');
    const nowS = Math.floor(Date.now() / 1_000);
    const usual = { iss: this.issuer, aud: OIDC_AUDIENCE, tid: 'tenant-a', oid: 'ann', name: 'Ann Lee' };
    return new SignJWT({ ...usual, iat: nowS, exp: nowS + 600, ...claims })
      .setProtectedHeader({ alg: key.jwk.alg ?? '', kid: key.kid })
      .sign(key.privateKey);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
