import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LockError, type Log } from '../core/index.ts';
import { isIssuedBy } from './jwt-identity.ts';

/** A discovery document or a key set is never so large (Entra's, for all its tenants, has about 30 kB), in bytes. */
const MAX_DOCUMENT_BYTES = 512 * 1024;

/** The longest pause between two attempts at an issuer that does not answer, in milliseconds. */
const MAX_RETRY_MS = 30_000;

/** How the keys of an issuer are kept. All times in milliseconds. */
export interface IssuerKeysTiming {
  /** Discovery and keys must be here by then, together: nobody waits longer. Default 2,500: pages wait 3 s for an answer. */
  readonly timeoutMs: number;
  /** Known keys are fetched again after this, while they go on being used. Default 10 min. */
  readonly refreshMs: number;
  /** Known keys are used no longer than this after the issuer last confirmed them. Default 24 h. */
  readonly maxAgeMs: number;
  /** A token with an unknown key makes them be fetched at once, but only once in this time. Default 30 s. */
  readonly cooldownMs: number;
  /** Pause after the first failed attempt; each further one doubles it, up to 30 s. Default 1 s. */
  readonly retryMs: number;
}

/** What holds where an application says nothing else. */
export const DEFAULT_ISSUER_KEYS_TIMING: IssuerKeysTiming = {
  timeoutMs: 2_500,
  refreshMs: 600_000,
  maxAgeMs: 86_400_000,
  cooldownMs: 30_000,
  retryMs: 1_000,
};

export interface IssuerKeysOptions {
  readonly issuer: string;
  readonly discoveryUrl: URL;
  readonly timing: IssuerKeysTiming;
  readonly log: Log;
}

/**
 * Finds the keys of an OpenID Connect issuer by its discovery document, at first use and never two at a time. While the
 * issuer is away, known keys go on being used; where there are none, and for keys that only it could know, rejects with
 * `LockError("identity-unavailable")`: at once during the pause after a failure.
 */
export function issuerKeys({ issuer, discoveryUrl, timing, log }: IssuerKeysOptions): JWTVerifyGetKey {
  let failures = 0;
  let pausedUntilMs = 0;
  let refreshAtMs = Infinity;

  const load = async (_url: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> => {
    if (Date.now() < pausedUntilMs) throw unavailable();
    try {
      const document = await fetchJson(discoveryUrl, signal);
      const keys = await fetchJson(keysAddress(document, issuer, discoveryUrl), signal);
      failures = pausedUntilMs = 0;
      refreshAtMs = Date.now() + timing.refreshMs;
      return Response.json(keys);
    } catch (cause) {
      pausedUntilMs = Date.now() + Math.min(timing.retryMs * 2 ** failures, MAX_RETRY_MS);
      failures += 1;
      log.error('The keys of the identity provider cannot be fetched.', { issuer, reason: reasonOf(cause) });
      throw unavailable(cause);
    }
  };

  const keys = createRemoteJWKSet(discoveryUrl, {
    timeoutDuration: timing.timeoutMs,
    cooldownDuration: timing.cooldownMs,
    cacheMaxAge: timing.maxAgeMs,
    [customFetch]: load,
  });
  return async (header, token) => {
    // Nobody waits for this one: what is known will do until it is through, and when it fails.
    if (Date.now() >= refreshAtMs && !keys.reloading) keys.reload().catch(() => {});
    const key = await keys(header, token);
    // Entra signs for all tenants with keys of which some are good for one issuer alone, and say so.
    const owners = (keys.jwks()?.keys ?? [])
      .filter(({ kid }) => header.kid === undefined || kid === header.kid)
      .flatMap((jwk) => ('issuer' in jwk && typeof jwk.issuer === 'string' ? [jwk.issuer] : []));
    if (owners.length > 0 && !owners.some((owner) => isIssuedBy(owner, claimsOf(token.payload)))) {
      throw new Error('The key is another issuer’s.');
    }
    return key;
  };
}

function unavailable(cause?: unknown): LockError {
  return new LockError(
    'identity-unavailable',
    'The identity provider does not answer, so that nobody can be let in. Try again a little later.',
    { cause },
  );
}

/** OpenID Connect Discovery 1.0 section 4.3: the document must name the very issuer that was asked for. */
function keysAddress(document: unknown, issuer: string, discoveryUrl: URL): URL {
  const { issuer: named, jwks_uri: address } = document as Readonly<Record<string, unknown>>;
  if (named !== issuer)
    throw new Error(`The discovery document is of another issuer: ${String(named).slice(0, 200)}.`);
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
  // Whoever could change keys on their way could be anybody.
  if (url === null || (url.protocol !== 'https:' && url.origin !== discoveryUrl.origin))
    throw new Error('The discovery document has no usable "jwks_uri".');
  return url;
}

/** Follows no redirect: the issuer is the host that was configured, and nobody it points to. */
async function fetchJson(url: URL, signal: AbortSignal): Promise<object> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop ends the request.
    if (length > MAX_DOCUMENT_BYTES)
      throw new Error(`${url.href} sent more than ${MAX_DOCUMENT_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const json: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof json !== 'object' || json === null) throw new Error(`${url.href} answered no JSON object.`);
  return json;
}

/** Of a token whose signature is checked next: until then they decide nothing but which key may have made it. */
function claimsOf(payload: string | Uint8Array): JWTPayload {
  const json: unknown = JSON.parse(Buffer.from(String(payload), 'base64url').toString());
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

/** `fetch` hides in its cause what really happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
