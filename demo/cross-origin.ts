import type { Request, RequestHandler } from 'express';
import { PROBLEM_MEDIA_TYPE, type Log } from '../core/index.ts';
import { OriginRule, type AllowedOrigins } from '../server/index.ts';

/** What the demo's own routes take beyond simple requests. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, PUT, POST',
  'access-control-allow-headers': 'authorization, content-type, if-match, lock-fence',
  'access-control-max-age': '600',
};

/** More origins than this are refused without a line in the log: whoever asks must not fill it. */
const MAX_LOGGED = 20;

/**
 * CORS for the demo's own routes (Fetch standard, section 3.3), under the rule that Rowlock has for its own. A page of
 * another origin is refused before anything is read; each such origin is named once in the log, with what to do, as
 * browsers show a refused page nothing of the answer.
 */
export function crossOrigin(allowed: AllowedOrigins, log: Log): RequestHandler {
  const origins = new OriginRule(allowed);
  const logged = new Set<string>();
  return (request, response, next) => {
    const { origin } = request.headers;
    response.vary('Origin');
    if (!origins.allows(request)) {
      const detail = refusal(origin);
      if (!logged.has(origin ?? '') && logged.size < MAX_LOGGED) log.warn(detail, { origin });
      logged.add(origin ?? '');
      const problem = { title: 'Forbidden', status: 403, detail, code: 'origin-not-allowed' };
      response.status(403).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
      return;
    }
    if (origin !== undefined) {
      response.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'ETag' });
      if (isPreflight(request)) {
        response.set(PREFLIGHT).status(204).end();
        return;
      }
    }
    next();
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function refusal(origin: string | undefined): string {
  if (origin === 'null') {
    return (
      'A page without an origin (opened from a file, or in a sandboxed frame) may not use this demo. ' +
      'Serve its folder, for example with "npx http-server -p 5500 -a 127.0.0.1", and open it from there.'
    );
  }
  const page = origin === undefined ? 'A page of another origin' : `A page of ${origin}`;
  return `${page} may not use this demo. Start it with ALLOWED_ORIGINS naming that origin, such as ALLOWED_ORIGINS=http://127.0.0.1:5500.`;
}
