import type { Log } from '../core/index.ts';
import type { Identify } from './identify.ts';
import { DEFAULT_ISSUER_KEYS_TIMING, issuerKeys, type IssuerKeysTiming } from './issuer-keys.ts';
import { jsonLog } from './json-log.ts';
import { TENANT_PLACE, jwtIdentity } from './jwt-identity.ts';
import type { ClaimOptions } from './token-claims.ts';

/** Signatures that only the issuer can make (RFC 7518 section 3.1, RFC 8037). With HS256 whoever verifies could sign. */
const ASYMMETRIC: ReadonlySet<string> = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
);

/** Which issuer's tokens are good. */
export interface OidcIdentityOptions extends ClaimOptions {
  /**
   * Exactly as its discovery document and its tokens have it: `https://login.microsoftonline.com/<tenant id>/v2.0`. With
   * `{tenantid}` for the tenant, as Entra itself writes it, every tenant of `tenants` may come in.
   */
  readonly issuer: string;
  /** `aud`: this API's own id at the issuer. */
  readonly audience: string | readonly string[];
  /** Asymmetric ones alone. Default: `["RS256"]`, which Entra and most others use. */
  readonly algorithms?: readonly string[];
  /** Default: `/.well-known/openid-configuration` below the issuer; with `{tenantid}` in it, Entra's `common` one. */
  readonly discoveryUrl?: string;
  /** What differs from `DEFAULT_ISSUER_KEYS_TIMING`. */
  readonly timing?: Partial<IssuerKeysTiming>;
  /** Hears when the issuer does not answer. Default: JSON lines. */
  readonly log?: Log;
}

/**
 * Identity from the tokens of an OpenID Connect issuer, such as Entra ID. Its keys are found by discovery at the first
 * request, follow its rotation without a restart, and outlive its outages; a server starts without it. While nothing can
 * be checked, callers are refused with `LockError("identity-unavailable")`, never let in. Throws for options that would
 * let in more than they say.
 */
export function oidcIdentity(options: OidcIdentityOptions): Identify {
  const { issuer, audience, algorithms = ['RS256'], tenants, log = jsonLog() } = options;
  const discoveryUrl = urlOf(options);
  for (const algorithm of algorithms) {
    if (!ASYMMETRIC.has(algorithm)) {
      throw new Error(
        `oidcIdentity: "algorithms" expects asymmetric ones such as "RS256", got "${algorithm}".`,
      );
    }
  }
  if ([audience].flat().filter(Boolean).length === 0)
    throw new Error('oidcIdentity: "audience" expects this API’s own id.');
  if (issuer.includes(TENANT_PLACE) && tenants === undefined) {
    throw new Error(
      'oidcIdentity: "tenants" expects the ids of those that may come in, or "any": this issuer signs for everybody.',
    );
  }
  const timing = issuerTiming(options.timing);
  return jwtIdentity({
    ...options,
    algorithms,
    key: issuerKeys({ issuer, discoveryUrl, timing, log }),
  });
}

function urlOf({ issuer, discoveryUrl }: OidcIdentityOptions): URL {
  const base = issuer.replaceAll(TENANT_PLACE, 'common').replace(/\/$/, '');
  const text = discoveryUrl ?? `${base}/.well-known/openid-configuration`;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOwnMachine = url !== null && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine)) return url;
  const option = discoveryUrl === undefined ? 'issuer' : 'discoveryUrl';
  throw new Error(`oidcIdentity: "${option}" expects an https address, got "${text}".`);
}

function issuerTiming(given: Partial<IssuerKeysTiming> = {}): IssuerKeysTiming {
  const timing = { ...DEFAULT_ISSUER_KEYS_TIMING, ...given };
  for (const [option, value] of Object.entries(timing)) {
    if (!(Number.isSafeInteger(value) && value > 0)) {
      throw new RangeError(
        `timing.${option}: expected a whole number of milliseconds above 0, got ${String(value)}.`,
      );
    }
  }
  if (timing.maxAgeMs < timing.refreshMs) {
    throw new RangeError(
      `timing.maxAgeMs: expected at least refreshMs (${timing.refreshMs}), got ${timing.maxAgeMs}.`,
    );
  }
  return timing;
}
