import { ServerResponse, type IncomingMessage } from 'node:http';
import { LockError, type Principal } from '../core/index.ts';
import type { Identify } from './identify.ts';

/** Middleware as Express and express-session have it. It must hold for requests of Node's own, too: the hub's are. */
export type SessionMiddleware<Request extends IncomingMessage> = (
  request: Request,
  response: never,
  next: (error?: unknown) => void,
) => unknown;

/** How the application's own sessions are read. */
export interface SessionIdentityOptions<Request extends IncomingMessage> {
  /** What reads the session's cookie: the very same `session({ … })` that the application uses. */
  readonly session: SessionMiddleware<Request>;
  /** Who is signed in, by the session that is on the request then; null = nobody. */
  readonly principal: (request: Request) => Principal | null | Promise<Principal | null>;
}

/**
 * Identity from the application's own session, for pages that sign in with a cookie. The hub's requests and upgrades
 * pass no Express middleware, so the session is read here; where the application has read it already, it is left alone.
 * A new session, or a longer one, is never made here. Rejects with what went wrong in the session's store.
 */
export function sessionIdentity<Request extends IncomingMessage>({
  session,
  principal,
}: SessionIdentityOptions<Request>): Identify {
  return async (given) => {
    const request = given as Request;
    await new Promise<void>((resolve, reject) => {
      // Whatever the middleware wants to answer goes nowhere.
      const response = new ServerResponse(request) as never;
      session(request, response, (error) => {
        if (error === undefined || error === null) resolve();
        else
          reject(error instanceof Error ? error : new Error('The session cannot be read.', { cause: error }));
      });
    });
    const found = await principal(request);
    if (found === null) throw new LockError('unauthenticated', 'Nobody is signed in.');
    return found;
  };
}
