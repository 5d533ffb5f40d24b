import { checkWrite, type AfterWrite } from '../core/index.ts';
import { jsonResponse } from './json-response.ts';
import type { MockBackend } from './mock-backend.ts';

/** Which record a mocked route writes. */
export interface MockWriteOptions extends AfterWrite {
  /** A registered entity type. */
  readonly type: string;
  /** The record. */
  readonly uid: string;
  /** The word for the change. Default: `Deleted` for DELETE, otherwise `Updated`. */
  readonly operation?: string;
  /** Hold the record until `afterWrite`, so that no other write with `hold` goes beside this one. Default false. */
  readonly hold?: boolean;
  /** This write is not stopped by locks; it may still publish. Default false. */
  readonly exempt?: boolean;
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
  { type, uid, ...options }: MockWriteOptions,
): Promise<MockWriteGuard> {
  const write = await checkWrite(
    backend.service,
    backend.principalFor(request),
    { entityType: type, entityUid: uid },
    request.headers,
    { operation: request.method === 'DELETE' ? 'Deleted' : 'Updated', ...options },
  );
  if (!write.allowed) {
    const { status, contentType, problem } = write;
    return { problem: jsonResponse({ status, contentType, body: problem }), afterWrite: async () => {} };
  }
  return { problem: null, afterWrite: (answer) => write.finish({ ok: answer?.ok !== false }) };
}
