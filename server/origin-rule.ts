import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a browser may be told of an answer to another origin, in seconds: how long it may remember the permission. */
const PREFLIGHT_AGE_S = 600;

/** Other origins whose pages may call: a list of them, exactly, or a rule that is asked with each one. */
export type AllowedOrigins = readonly string[] | ((origin: string) => boolean);

/**
 * Which web pages may call: those of this very host, and the allowed origins (scheme, host and port, exactly).
 * `null` (sandboxed frames, files) is never allowed, and no rule is asked for it. A rule that throws allows nothing.
 * Throws for a listed entry that is not an origin.
 */
export class OriginRule {
  readonly #isAllowed: (origin: string) => boolean;

  constructor(allowedOrigins: AllowedOrigins = []) {
    if (typeof allowedOrigins === 'function') {
      this.#isAllowed = (origin) => isOrigin(origin) && isTrue(allowedOrigins, origin);
      return;
    }
    for (const origin of allowedOrigins) {
      if (!isOrigin(origin)) {
        throw new Error(
          `allowedOrigins: expected an origin such as "https://app.example.com", got "${origin}".`,
        );
      }
    }
    const allowed = new Set(allowedOrigins);
    this.#isAllowed = (origin) => allowed.has(origin);
  }

  /**
   * True for a page of this host or a listed one, and for callers that are no browsers: those send neither `Origin` nor
   * `Sec-Fetch-Site`. (Browsers leave out `Origin` with some reads; then the other says whose page asks.)
   */
  allows(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    if (origin === undefined) return !isOfOtherOrigin(request);
    if (this.#isAllowed(origin)) return true;
    return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
  }

  /**
   * Adds the CORS headers (Fetch standard, section 3.3) and answers a preflight, which carries no token, by itself.
   * Answers true where the response is done.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers;
    response.appendHeader('Vary', 'Origin');
    if (origin !== undefined && this.allows(request)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    }
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return false;
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
      response.setHeader(
        'Access-Control-Allow-Headers',
        'authorization, content-type, lock-fence, x-requested-with, x-signalr-user-agent',
      );
      response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_AGE_S));
    }
    response.writeHead(204).end();
    return true;
  }

  /**
   * True for a change that a page of another origin could make with the user's cookies: browsers send simple requests
   * without asking first, and only then look at the CORS headers. One with a bearer token was asked for, and made by a
   * page that has the token; passwords and Windows sign-ins, which use the same header, browsers add by themselves.
   */
  isForged(request: IncomingMessage): boolean {
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const hasToken = /^Bearer /i.test(request.headers.authorization ?? '');
    return !isRead && !hasToken && !this.allows(request);
  }
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isTrue(rule: (origin: string) => boolean, origin: string): boolean {
  try {
    const answer: unknown = rule(origin); // A promise, which is no yes, where no type checker has looked.
    return answer === true;
  } catch {
    return false;
  }
}

/** What browsers say of the page that asks (Fetch Metadata, section 2.3): another site, or another host of this one. */
function isOfOtherOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
