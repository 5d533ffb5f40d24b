import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import {
  checkWrite,
  type AfterWrite,
  type CheckWriteOptions,
  type LockService,
  type Log,
  type Principal,
} from '../core/index.ts';
import { callerOf, type Identify } from './identify.ts';
import type { GuardedRoutes } from './guarded-routes.ts';
import { requestId } from './request-id.ts';
import { sendFailure } from './send-answer.ts';

/** Which record a route writes, and what follows. */
export interface GuardWritesOptions extends AfterWrite {
  /** A registered entity type; a function on a generic route: `(request) => request.params.type`. */
  readonly type: string | ((request: Request) => string | string[] | undefined);
  /** Which record a request writes: `(request) => request.params.id`. Anything but one text is a `bad-request`. */
  readonly uid: (request: Request) => string | string[] | undefined;
  /** The word for the change. Default: `Deleted` for DELETE, otherwise `Updated`. */
  readonly operation?: string;
  /** As in {@link CheckWriteOptions.hold}: until the handler ends its response. */
  readonly hold?: CheckWriteOptions['hold'];
  /** Requests that no lock stops; the change may still be published. Default: none. */
  readonly exempt?: (request: Request) => boolean;
}

/** Makes the middleware for one route. Throws for a type that is not registered. */
export type GuardWrites = (options: GuardWritesOptions) => RequestHandler;

/** What guards are made of, for those who put a server together themselves. */
export interface WriteGuardParts {
  /** The policy. */
  readonly service: LockService;
  /** Who sends a request. */
  readonly identify: Identify;
  /** Hears of writes that passed unchecked. */
  readonly log: Log;
  /** Keeps note of what is guarded. */
  readonly guarded?: GuardedRoutes;
}

/**
 * Enforcement in front of a route that writes: `checkWrite`, and `finish` when the handler ends its response. Another
 * user's live lock, or a `Lock-Fence` that is not the entity's present one ⇒ 409; automation and everybody else pass, and
 * so does every write while the store is away.
 */
export function writeGuard({ guarded, ...parts }: WriteGuardParts): GuardWrites {
  const { service } = parts;
  return ({ type, uid, exempt, hold = false, ...after }) => {
    if (typeof type === 'string') service.registry.get(type);
    const guard = guardRoute(parts, (request, principal) => {
      const entityType = oneText(typeof type === 'string' ? type : type(request));
      return checkWrite(
        service,
        principal,
        { entityType, entityUid: oneText(uid(request)) },
        request.headers,
        {
          operation: request.method === 'DELETE' ? 'Deleted' : 'Updated',
          ...after,
          hold,
          exempt: exempt?.(request) === true,
        },
      );
    });
    guarded?.add(guard, typeof type === 'string' ? type : null);
    return guard;
  };
}

/** What a check came to: the guard answers a refusal, and finishes a write that goes ahead. */
interface Checked {
  readonly allowed: true;
  finish(result: { readonly ok: boolean }): Promise<void>;
}
interface Refused {
  readonly allowed: false;
  readonly error: unknown;
}

/** The middleware round any check. */
export function guardRoute(
  { identify, log }: Pick<WriteGuardParts, 'identify' | 'log'>,
  check: (request: Request, principal: Principal) => Promise<Checked | Refused>,
): RequestHandler {
  return async (request: Request, response: Response, next) => {
    try {
      const checked = await check(request, await callerOf(identify, request));
      if (!checked.allowed) throw checked.error;
      beforeEnd(response, () => {
        const ok = response.statusCode >= 200 && response.statusCode <= 299;
        // Neither news nor release holds up the answer; both are on their way before its last byte is.
        checked.finish({ ok }).catch((error: unknown) => {
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
}

/**
 * Runs something when the handler ends its response, whose status is known then. Not when the client goes away: the
 * handler may be writing still.
 */
function beforeEnd(response: ServerResponse, run: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    response.end = end as typeof response.end;
    run();
    return end(...args);
  }) as typeof response.end;
}

function oneText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
