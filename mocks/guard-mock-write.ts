import { FENCE_HEADER, LockError, entityRef, readFenceHeader, type Principal } from '../core/index.ts';
import { problemResponse } from './json-response.ts';
import type { MockBackend } from './mock-backend.ts';

export interface MockWriteOptions {
  readonly type: string;
  readonly uid: string;
  /** The word for the change. Default: `Deleted` for DELETE, otherwise `Updated`. */
  readonly operation?: string;
  /** A final decision (approve, reject): afterwards all the caller's sessions on the record end. */
  readonly releaseAfter?: boolean;
  /** Tell waiting forms and grids of the change. Default true. */
  readonly publishChange?: boolean;
}

/** What the write rule said, and what is left to do once the write is done. */
export interface MockWriteGuard {
  /** The answer of a write that must not go ahead; null = go ahead. */
  readonly problem: Response | null;
  /**
   * Publishes the change, then lets go where that was asked for. Call it after the write, with the answer: anything
   * but 2xx changed nothing, and neither does a write that was refused. Never rejects.
   */
  afterWrite(answer?: Response): Promise<void>;
}

/**
 * The server's write rule for the application's own msw handlers: 401 for nobody, 409 `entity-locked` or
 * `stale-fence` (by the `Lock-Fence` header), nothing for automation. Looks at the lock, not at the record.
 *
 * ```ts
 * const { problem, afterWrite } = await guardMockWrite(backend, request, { type: 'Order', uid });
 * if (problem !== null) return problem;
 * orders.set(uid, await request.json());
 * await afterWrite();
 * ```
 */
export async function guardMockWrite(
  backend: MockBackend,
  request: Request,
  {
    type,
    uid,
    operation = request.method === 'DELETE' ? 'Deleted' : 'Updated',
    releaseAfter = false,
    publishChange = true,
  }: MockWriteOptions,
): Promise<MockWriteGuard> {
  const { service } = backend;
  try {
    const principal = backend.principalFor(request);
    if (principal === null) throw new LockError('unauthenticated', 'A valid bearer token is needed.');
    const ref = entityRef(type, uid);
    const fence = readFenceHeader(request.headers.get(FENCE_HEADER));
    const refusal = await service.checkWrite(principal, ref, fence);
    if (refusal !== null) throw refusal;
    return {
      problem: null,
      afterWrite: async (answer) => {
        if (answer?.ok === false) return;
        if (publishChange) {
          await service.publish(principal.tenant, { ...ref, operation, by: authorOf(principal) });
        }
        if (releaseAfter && principal.kind === 'user') {
          await service.release(principal, ref, { sessionId: null });
        }
      },
    };
  } catch (error) {
    return { problem: problemResponse(error), afterWrite: async () => {} };
  }
}

function authorOf({ oid, name, kind }: Principal) {
  return { oid, name, kind };
}
