import { Router, json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { LockError, PROBLEM_MEDIA_TYPE } from '../core/index.ts';
import type { GuardWrites, Identify } from '../server/index.ts';
import { answerApprovalCall, type ApprovalCall } from './approval-api.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { ApprovalError } from './approval-error.ts';

export interface ApprovalRoutesOptions {
  readonly desk: ApprovalDesk;
  readonly identify: Identify;
  readonly guardWrites: GuardWrites;
}

/**
 * The application's own API, mounted at `/api/requests`. Every route that writes has the guard before it: that line is
 * all that an application adds. Approving and rejecting are final, so they let go of the lock; nobody, in no second
 * window, decides beside another decision.
 */
export function approvalRoutes({ desk, identify, guardWrites }: ApprovalRoutesOptions): Router {
  const answer =
    (verb: ApprovalCall['verb']): RequestHandler =>
    async (request, response) => {
      const principal = await identify(request);
      const ifMatch = request.get('if-match');
      const call = { verb, id: idOf(request), body: request.body as unknown, ifMatch, principal };
      const { status, headers, body } = answerApprovalCall(desk, call);
      response
        .status(status)
        .set({ 'cache-control': 'no-store', ...headers })
        .send(JSON.stringify(body));
    };
  const guarded = { type: 'ApprovalRequest', uid: idOf };
  const decision = { ...guarded, releaseAfter: true, hold: true };

  return Router()
    .use(json({ limit: '16kb' }))
    .get('/', answer('list'))
    .get('/:id', answer('get'))
    .put('/:id', guardWrites(guarded), answer('save'))
    .post('/:id/approve', guardWrites(decision), answer('approve'))
    .post('/:id/reject', guardWrites(decision), answer('reject'))
    .use(failed);
}

function idOf({ params }: Request): string {
  return String(params['id'] ?? '');
}

/** No identity, and a body that is no JSON or too long, are the caller's mistakes. The rest is Express' business. */
function failed(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  const problem = problemOf(error);
  if (problem === null) return next(error);
  response.status(problem.status).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem.toProblem()));
}

function problemOf(error: unknown): LockError | ApprovalError | null {
  if (error instanceof LockError) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status !== 400 && status !== 413) return null;
  return new ApprovalError('bad-request', 'body: expected JSON of at most 16 kB.', { field: 'body' });
}
