import { http, type RequestHandler } from 'msw';
import {
  API_DOCUMENT_PATH,
  answerLockRequest,
  lockApiDocument,
  type LockService,
  type Log,
} from '../core/index.ts';
import { jsonResponse } from './json-response.ts';
import type { MockNetwork } from './mock-network.ts';
import type { MockUsers } from './mock-users.ts';

export interface ApiHandlerOptions {
  /** Without a trailing slash. Answered below any origin and any sub-path. */
  readonly apiPath: string;
  readonly service: LockService;
  readonly users: MockUsers;
  readonly network: MockNetwork;
  readonly log: Log;
}

/**
 * Answers everything below `<apiPath>/locks`, unknown routes included, with core's own `answerLockRequest`, and the
 * API's own description. The rest of the API path stays with the application's own handlers.
 */
export function apiHandler({ apiPath, service, users, network, log }: ApiHandlerOptions): RequestHandler {
  // A function, not a path pattern: msw decodes what a pattern matches and trips over broken percent-encoding.
  const isOurs = ({ request }: { request: Request }) =>
    lockPath(request.url, apiPath) !== null || documentBase(request, apiPath) !== null;
  return http.all(isOurs, ({ request }) =>
    network.carryApi(request, async () => {
      const base = documentBase(request, apiPath);
      if (base !== null) return Response.json(lockApiDocument(base));
      try {
        const answer = await answerLockRequest(service, {
          method: request.method,
          path: lockPath(request.url, apiPath) ?? '',
          query: queryOf(request.url),
          body: await request.text(),
          principal: users.byRequest(request),
        });
        return jsonResponse(answer);
      } catch (error) {
        log.error('The mock lock API failed.', { reason: String(error) });
        return new Response(null, { status: 500 });
      }
    }),
  );
}

/** The base of the API whose description is asked for; null for every other request. */
function documentBase({ method, url }: Request, apiPath: string): string | null {
  const { pathname } = new URL(url);
  const isAsked = method === 'GET' && pathname.endsWith(apiPath + API_DOCUMENT_PATH);
  return isAsked ? pathname.slice(0, -API_DOCUMENT_PATH.length) : null;
}

/** The part of a URL's path below the API's base, still percent-encoded; null where it is none of the lock API. */
export function lockPath(url: string, apiPath: string): string | null {
  const { pathname } = new URL(url);
  const at = `${pathname}/`.indexOf(`${apiPath}/locks/`);
  return at < 0 ? null : pathname.slice(at + apiPath.length);
}

/** Query parameters; one given twice becomes an array. */
function queryOf(url: string): Readonly<Record<string, string | string[]>> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
