import type { Request, RequestHandler } from 'express';
import { checkWrites, type BulkWrite, type CheckWritesOptions } from '../core/index.ts';
import { guardRoute, type WriteGuardParts } from './guard-writes.ts';

/** Which records a bulk write names. */
export interface GuardBulkWritesOptions extends Omit<CheckWritesOptions, 'exempt'> {
  /** A registered entity type: that of all rows. */
  readonly type: string;
  /**
   * Which records a request writes, as it says so: `(request) => request.body.ids`. Uids, or `{ entityUid, fence? }`;
   * anything else is a `bad-request`. Parse the body before.
   */
  readonly rows: (request: Request) => unknown;
  /** The word for each row's change. Default: `Deleted` for DELETE, otherwise `Updated`. */
  readonly operation?: string;
  /** Requests that no lock stops; changes may still be published. Default: none. */
  readonly exempt?: (request: Request) => boolean;
}

/** The middleware for bulk writes, and what its handler asks. */
export interface BulkGuard {
  /** Makes the middleware for one route. Throws for a type that is not registered. */
  readonly guardBulkWrites: (options: GuardBulkWritesOptions) => RequestHandler;
  /** In the handler behind that middleware: the rows that are free, and the answer per row. Throws elsewhere. */
  readonly bulkOf: (request: Request) => Omit<BulkWrite, 'allowed' | 'finish'>;
}

/**
 * Enforcement in front of a route that writes many records: nobody's lock stops the whole; locked and stale rows are
 * listed, and the handler writes the free ones.
 */
export function bulkGuard({ guarded, ...parts }: WriteGuardParts): BulkGuard {
  const { service } = parts;
  const writes = new WeakMap<Request, BulkWrite>();
  return {
    guardBulkWrites({ type, rows, exempt, ...options }) {
      service.registry.get(type);
      const guard = guardRoute(parts, async (request, principal) => {
        const checked = await checkWrites(service, principal, type, rows(request), {
          operation: request.method === 'DELETE' ? 'Deleted' : 'Updated',
          ...options,
          exempt: exempt?.(request) === true,
        });
        if (checked.allowed) writes.set(request, checked);
        return checked;
      });
      guarded?.add(guard, type);
      return guard;
    },
    bulkOf(request) {
      const write = writes.get(request);
      if (write !== undefined) return write;
      throw new Error('bulkOf(): this request did not pass guardBulkWrites().');
    },
  };
}
