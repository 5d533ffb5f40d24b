import type * as v from 'valibot';
import { LockError, PROBLEM_MEDIA_TYPE } from './lock-error.ts';
import { entityRef, keyPart } from './entity-ref.ts';
import {
  LeaseBody,
  ListQuery,
  NoQuery,
  ReleaseQuery,
  TakeOverBody,
  readBody,
  readQuery,
  type Fields,
} from './lock-requests.ts';
import type { LockService } from './lock-service.ts';
import type { Principal } from './principal.ts';

/** A request as any HTTP server can hand it over. */
export interface ApiRequest {
  /** In capitals. */
  readonly method: string;
  /** Below the API's base, still percent-encoded, without the query: `/locks/ApprovalRequest/42/claim`. */
  readonly path: string;
  /** Query parameters; one given twice is an array. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The raw body text, `""` where there is none. */
  readonly body: string;
  /** From the verified token; null = nobody. */
  readonly principal: Principal | null;
}

/** An answer for any HTTP server to send. */
export interface ApiAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The media type of the body. */
  readonly contentType: string;
  /** To be written as JSON. */
  readonly body: unknown;
  /** Beside the content's own. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Call {
  readonly principal: Principal;
  /** Decoded path segments in the place of the route's parameters. */
  readonly params: readonly string[];
}

interface RouteSpec<Query extends Fields, Body extends Fields> {
  /** Its name in the API's document. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:` stands for one parameter: an entity type, then a uid. */
  readonly path: readonly string[];
  readonly query: Query;
  /** null = a body counts for nothing. */
  readonly body: Body | null;
  readonly answer: (
    service: LockService,
    call: Call,
    input: { readonly query: v.InferOutput<Query>; readonly body: v.InferOutput<Body> },
  ) => Promise<unknown>;
}

/** One call of the lock API: where it is, what it takes, and who answers it. */
export interface LockRoute extends Omit<RouteSpec<Fields, Fields>, 'answer'> {
  readonly answer: (service: LockService, call: Call, request: ApiRequest) => Promise<unknown>;
}

const ref = ({ params }: Call) => entityRef(params[0] ?? '', params[1] ?? '');

/** Every route of the lock API, most specific first. Both servers, Express and the mock, answer from this table. */
export const LOCK_ROUTES: readonly LockRoute[] = [
  route({
    operation: 'listMyLocks',
    method: 'GET',
    path: ['locks', 'mine'],
    query: NoQuery,
    body: null,
    answer: (service, call) => service.listMine(call.principal),
  }),
  route({
    operation: 'listLocks',
    method: 'GET',
    path: ['locks', ':'],
    query: ListQuery,
    body: null,
    answer: (service, call, { query: { cursor, limit } }) => {
      const type = keyPart('entityType', call.params[0] ?? '');
      return service.list(call.principal, type, { limit, ...(cursor === undefined ? {} : { cursor }) });
    },
  }),
  route({
    operation: 'readLock',
    method: 'GET',
    path: ['locks', ':', ':'],
    query: NoQuery,
    body: null,
    answer: (service, call) => service.read(call.principal, ref(call)),
  }),
  route({
    operation: 'claimLock',
    method: 'POST',
    path: ['locks', ':', ':', 'claim'],
    query: NoQuery,
    body: LeaseBody,
    answer: (service, call, { body }) => service.claim(call.principal, ref(call), body),
  }),
  route({
    operation: 'renewLock',
    method: 'POST',
    path: ['locks', ':', ':', 'renew'],
    query: NoQuery,
    body: LeaseBody,
    answer: (service, call, { body }) => service.renew(call.principal, ref(call), body),
  }),
  route({
    operation: 'takeOverLock',
    method: 'POST',
    path: ['locks', ':', ':', 'take-over'],
    query: NoQuery,
    body: TakeOverBody,
    answer: (service, call, { body }) => service.takeOver(call.principal, ref(call), body),
  }),
  route({
    operation: 'releaseLock',
    method: 'DELETE',
    path: ['locks', ':', ':'],
    query: ReleaseQuery,
    body: null,
    answer: (service, call, { query: { sessions, sessionId, graceMs } }) => {
      const release = { sessionId: sessions === 'all' ? null : sessionId, graceMs };
      return service.release(call.principal, ref(call), release);
    },
  }),
];

/** Input is read before the route runs, by the schemas that the API's document shows. */
function route<Query extends Fields, Body extends Fields>(spec: RouteSpec<Query, Body>): LockRoute {
  return {
    ...spec,
    answer: async (service, call, request) => {
      const query = readQuery(spec.query, request.query);
      const body = (spec.body === null ? {} : readBody(spec.body, request.body)) as v.InferOutput<Body>;
      return spec.answer(service, call, { query, body });
    },
  };
}

/** Answers a request of the lock API. Failures of the caller's making become problem+json; others are thrown. */
export async function answerLockRequest(service: LockService, request: ApiRequest): Promise<ApiAnswer> {
  try {
    const { principal } = request;
    if (principal === null) throw new LockError('unauthenticated', 'A valid bearer token is needed.');
    const found = findRoute(request.method, request.path);
    if ('allowed' in found) return notAllowed(request, found.allowed);
    const body = await found.route.answer(service, { principal, params: found.params }, request);
    return { status: 200, contentType: 'application/json', body };
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    return problemAnswer(error);
  }
}

/** The answer that a `LockError` becomes. */
export function problemAnswer(error: LockError): ApiAnswer {
  return { status: error.status, contentType: PROBLEM_MEDIA_TYPE, body: error.toProblem() };
}

/** The answer to a path that is no route (nothing is allowed there), or none with this method. */
export function notAllowed(
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
  allowed: readonly string[],
): ApiAnswer {
  if (allowed.length === 0) return problemAnswer(new LockError('not-found', `There is no ${path} here.`));
  const allow = allowed.join(', ');
  const detail = `${method} is no method of ${path}. It has ${allow}.`;
  // RFC 9110 section 15.5.6: `Allow` must be there.
  return { ...problemAnswer(new LockError('method-not-allowed', detail)), headers: { Allow: allow } };
}

function findRoute(
  method: string,
  path: string,
): { readonly route: LockRoute; readonly params: string[] } | { readonly allowed: string[] } {
  const segments = path.replace(/^\//, '').split('/').map(decodeSegment);
  const here = LOCK_ROUTES.filter((route) => {
    return (
      route.path.length === segments.length &&
      route.path.every((part, at) => part === ':' || part === segments[at])
    );
  });
  // HEAD is GET without the content (RFC 9110 section 9.3.2); who sends the answer leaves that out.
  const route = here.find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
  if (route !== undefined) return { route, params: segments.filter((_, at) => route.path[at] === ':') };
  const methods = new Set(here.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : route.method)));
  return { allowed: [...methods] };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new LockError('bad-request', 'path: expected valid percent-encoding.', { field: 'path', cause });
  }
}
