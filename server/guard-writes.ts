import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import {
  FENCE_HEADER,
  entityRef,
  readFenceHeader,
  type EntityRef,
  type LockService,
  type Log,
  type Principal,
} from '../core/index.ts';
import { callerOf, type Identify } from './identify.ts';
import { requestId } from './request-id.ts';
import { sendFailure } from './send-answer.ts';

export interface GuardWritesOptions {
  /** A registered entity type. */
  readonly type: string;
  /** Which record a request writes: `(request) => request.params.id`. Anything but one text is a `bad-request`. */
  readonly uid: (request: Request) => string | string[] | undefined;
  /** The word for the change. Default: `Deleted` for DELETE, otherwise `Updated`. */
  readonly operation?: string;
  /** A final decision: the caller's sessions end once the answer is a 2xx. Default false. */
  readonly releaseAfter?: boolean;
  /** Tell waiting forms and grids of the change once the answer is a 2xx. Default true. */
  readonly publishChange?: boolean;
}

/** Makes the middleware for one route. Throws for a type that is not registered. */
export type GuardWrites = (options: GuardWritesOptions) => RequestHandler;

export interface WriteGuardParts {
  readonly service: LockService;
  readonly identify: Identify;
  readonly log: Log;
}

/**
 * Enforcement in front of a route that writes. Another user's live lock, or a `Lock-Fence` that is not the entity's
 * present one ⇒ 409; automation and everybody else pass, and so does every write while the store is away.
 */
export function writeGuard({ service, identify, log }: WriteGuardParts): GuardWrites {
  return (options) => {
    const { type, uid } = options;
    service.registry.get(type);
    return async (request, response, next) => {
      try {
        const principal = await callerOf(identify, request);
        const entityUid = uid(request);
        const ref = entityRef(type, typeof entityUid === 'string' ? entityUid : '');
        const fence = readFenceHeader(fenceHeaderOf(request));
        const refusal = await service.checkWrite(principal, ref, fence);
        if (refusal !== null) throw refusal;
        const write = { request, response, principal, ref };
        beforeEnd(response, () => {
          afterWrite(service, options, write).catch((error: unknown) => {
            log.error('A write succeeded, but its news or its release did not.', {
              requestId: requestId(request, response),
              reason: String(error),
            });
          });
        });
      } catch (error) {
        sendFailure(request, response, error, log);
        return;
      }
      next();
    };
  };
}

interface Write {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
  readonly ref: EntityRef;
}

/**
 * First the news, then the release: a page that waits for the lock must know that the data changed before it gets it.
 * Neither ever rejects, and the answer waits for neither; both are on their way before its last byte is.
 */
async function afterWrite(
  service: LockService,
  { operation, releaseAfter = false, publishChange = true }: GuardWritesOptions,
  { request, response, principal, ref }: Write,
): Promise<void> {
  if (response.statusCode < 200 || response.statusCode > 299) return;
  const { tenant, oid, name, kind } = principal;
  const word = operation ?? (request.method === 'DELETE' ? 'Deleted' : 'Updated');
  // Both in this turn. A release that waited for the news could end a session that the page opens on the answer.
  const news = publishChange && service.publish(tenant, { ...ref, operation: word, by: { oid, name, kind } });
  const release = releaseAfter && kind === 'user' && service.release(principal, ref, { sessionId: null });
  await Promise.all([news, release]);
}

/** Runs something when the handler ends its response, whose status is known then. */
function beforeEnd(response: ServerResponse, run: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    response.end = end as typeof response.end;
    run();
    return end(...args);
  }) as typeof response.end;
}

function fenceHeaderOf(request: IncomingMessage): string | undefined {
  const value = request.headers[FENCE_HEADER.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}
