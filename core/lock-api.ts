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
} from './lock-requests.ts';
import type { LockService } from './lock-service.ts';
import type { Principal } from './principal.ts';

/** A request as any HTTP server can hand it over. */
export interface ApiRequest {
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

export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

interface Call extends ApiRequest {
  readonly principal: Principal;
  /** Decoded path segments in the place of the route's parameters. */
  readonly params: readonly string[];
}

interface Route {
  readonly method: string;
  /** `:` stands for one parameter. */
  readonly path: readonly string[];
  readonly answer: (service: LockService, call: Call) => Promise<unknown>;
}

const ref = ({ params }: Call) => entityRef(params[0] ?? '', params[1] ?? '');

/** Every route of the lock API, most specific first. Both servers, Express and the mock, answer from this table. */
export const LOCK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: ['locks', 'mine'],
    answer: (service, call) => {
      readQuery(NoQuery, call.query);
      return service.listMine(call.principal);
    },
  },
  {
    method: 'GET',
    path: ['locks', ':'],
    answer: (service, call) => {
      const { cursor, limit } = readQuery(ListQuery, call.query);
      const type = keyPart('entityType', call.params[0] ?? '');
      return service.list(call.principal, type, { limit, ...(cursor === undefined ? {} : { cursor }) });
    },
  },
  {
    method: 'GET',
    path: ['locks', ':', ':'],
    answer: (service, call) => {
      readQuery(NoQuery, call.query);
      return service.read(call.principal, ref(call));
    },
  },
  {
    method: 'POST',
    path: ['locks', ':', ':', 'claim'],
    answer: (service, call) => {
      readQuery(NoQuery, call.query);
      return service.claim(call.principal, ref(call), readBody(LeaseBody, call.body));
    },
  },
  {
    method: 'POST',
    path: ['locks', ':', ':', 'renew'],
    answer: (service, call) => {
      readQuery(NoQuery, call.query);
      return service.renew(call.principal, ref(call), readBody(LeaseBody, call.body));
    },
  },
  {
    method: 'POST',
    path: ['locks', ':', ':', 'take-over'],
    answer: (service, call) => {
      readQuery(NoQuery, call.query);
      return service.takeOver(call.principal, ref(call), readBody(TakeOverBody, call.body));
    },
  },
  {
    method: 'DELETE',
    path: ['locks', ':', ':'],
    answer: (service, call) =>
      service.release(call.principal, ref(call), readQuery(ReleaseQuery, call.query)),
  },
];

/** Answers a request of the lock API. Failures of the caller's making become problem+json; others are thrown. */
export async function answerLockRequest(service: LockService, request: ApiRequest): Promise<ApiAnswer> {
  try {
    const { principal } = request;
    if (principal === null) throw new LockError('unauthenticated', 'A valid bearer token is needed.');
    const found = findRoute(request.method, request.path);
    if (found === null)
      throw new LockError('not-found', `There is no ${request.method} ${request.path} here.`);
    const body = await found.route.answer(service, { ...request, principal, params: found.params });
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

function findRoute(method: string, path: string): { route: Route; params: string[] } | null {
  const segments = path.replace(/^\//, '').split('/').map(decodeSegment);
  for (const route of LOCK_ROUTES) {
    if (route.method !== method || route.path.length !== segments.length) continue;
    if (route.path.every((part, at) => part === ':' || part === segments[at])) {
      return { route, params: segments.filter((_, at) => route.path[at] === ':') };
    }
  }
  return null;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new LockError('bad-request', 'path: expected valid percent-encoding.', { field: 'path', cause });
  }
}
