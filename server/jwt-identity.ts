import { jwtVerify, type JWTPayload, type JWTVerifyGetKey, type KeyInput } from 'jose';
import { LockError, keyPart, type Principal } from '../core/index.ts';
import { displayName } from './display-name.ts';
import { bearerToken, type Identify } from './identify.ts';

/** How far the clocks of this server and the issuer may differ, in seconds. */
const CLOCK_TOLERANCE_S = 60;

export interface JwtIdentityOptions {
  /** The issuer's key, or what finds it (`createRemoteJWKSet(…)` for Entra). */
  readonly key: KeyInput | JWTVerifyGetKey;
  /** `iss`: one, or several where tenants have issuers of their own. */
  readonly issuer: string | string[];
  readonly audience: string | string[];
  /** The signature algorithms that are accepted, and no other: `["RS256"]` for Entra. */
  readonly algorithms: string[];
  /** The tenants that may come in. Default: every one that the issuer signs for. */
  readonly tenants?: readonly string[];
  /** Client ids (`azp` or `appid`) that are automation although their tokens do not say `idtyp: "app"`. */
  readonly automationClients?: readonly string[];
}

/**
 * Identity from a signed token, with Entra's claims: `tid` = tenant, `oid` = who, `name` = what others see,
 * `idtyp: "app"` = automation. The token needs an expiry. Anything wrong ⇒ `LockError("unauthenticated")` that says
 * nothing of the token; `cause` has the reason, for logs.
 */
export function jwtIdentity(options: JwtIdentityOptions): Identify {
  const { key, issuer, audience, algorithms, tenants, automationClients = [] } = options;
  if (algorithms.length === 0)
    throw new Error('jwtIdentity: "algorithms" expects at least one, such as "RS256".');
  const allowed = tenants && new Set(tenants.map((tenant) => keyPart('tenant', tenant)));
  return async (request) => {
    const token = bearerToken(request);
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['exp', 'tid', 'oid'],
      });
      const principal = principalOf(payload, automationClients);
      if (allowed?.has(principal.tenant) === false)
        throw new Error('The tenant is not one of those allowed.');
      return principal;
    } catch (cause) {
      throw new LockError('unauthenticated', 'The bearer token is not valid here.', { cause });
    }
  };
}

function principalOf(claims: JWTPayload, automationClients: readonly string[]): Principal {
  const tenant = keyPart('tid', text(claims['tid']));
  const oid = keyPart('oid', text(claims['oid']));
  const client = text(claims['azp'] ?? claims['appid']);
  const isAutomation = claims['idtyp'] === 'app' || automationClients.includes(client);
  const name = displayName(claims['name'] ?? claims['preferred_username'], oid);
  return {
    tenant,
    oid,
    name,
    kind: isAutomation ? 'automation' : 'user',
    // As late as a new request with this token would still be accepted.
    expiresAtMs: (Number(claims.exp) + CLOCK_TOLERANCE_S) * 1_000,
  };
}

function text(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
