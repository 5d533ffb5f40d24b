import { jwtVerify, type JWTPayload, type JWTVerifyGetKey, type KeyInput } from 'jose';
import { LockError } from '../core/index.ts';
import { bearerToken, type Identify } from './identify.ts';
import { CLOCK_TOLERANCE_S, principalReader, type ClaimOptions } from './token-claims.ts';

/** Stands in an issuer for the token's own `tid`, as in Entra's discovery document for many tenants. */
export const TENANT_PLACE = '{tenantid}';

/** Which tokens are good. */
export interface JwtIdentityOptions extends ClaimOptions {
  /** The issuer's key, or what finds it. `oidcIdentity()` finds the keys of an issuer by itself. */
  readonly key: KeyInput | JWTVerifyGetKey;
  /** `iss`: one, or several where tenants have issuers of their own. `{tenantid}` in it stands for the token's `tid`. */
  readonly issuer: string | readonly string[];
  /** `aud`: what the token must be for; one of them is enough. */
  readonly audience: string | readonly string[];
  /** The signature algorithms that are accepted, and no other: `["RS256"]` for Entra. */
  readonly algorithms: readonly string[];
}

/**
 * Identity from a signed token, with Entra's claims where nothing else is said: `tid` = tenant, `oid` = who, `name` =
 * what others see, `idtyp: "app"` = automation. The token needs an expiry. Anything wrong ⇒
 * `LockError("unauthenticated")` that says nothing of the token; `cause` has the reason, for logs.
 */
export function jwtIdentity(options: JwtIdentityOptions): Identify {
  const { key, issuer, audience, algorithms } = options;
  if (algorithms.length === 0)
    throw new Error('jwtIdentity: "algorithms" expects at least one, such as "RS256".');
  const principalOf = principalReader(options);
  const issuers = [issuer].flat();
  const verifyOptions = {
    audience: [audience].flat(),
    algorithms: [...algorithms],
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['iss', 'exp'],
  };
  return async (request) => {
    const token = bearerToken(request);
    try {
      // jose has a form for keys and one for what finds them.
      const { payload } =
        typeof key === 'function'
          ? await jwtVerify(token, key, verifyOptions)
          : await jwtVerify(token, key, verifyOptions);
      if (!issuers.some((one) => isIssuedBy(one, payload))) throw new Error('The issuer is another one.');
      return principalOf(payload);
    } catch (cause) {
      // Not the token's fault, perhaps: whoever sent it is to come back with it.
      if (cause instanceof LockError && cause.code === 'identity-unavailable') throw cause;
      throw new LockError('unauthenticated', 'The bearer token is not valid here.', { cause });
    }
  };
}

/** Whether `iss` is this issuer: where it has a place for a tenant, that of the token's own `tid` and no other. */
export function isIssuedBy(issuer: string, { iss, tid }: JWTPayload): boolean {
  const isAnyTenants = issuer.includes(TENANT_PLACE);
  if (isAnyTenants && (typeof tid !== 'string' || tid === '')) return false;
  return iss === (isAnyTenants ? issuer.replaceAll(TENANT_PLACE, () => String(tid)) : issuer);
}
