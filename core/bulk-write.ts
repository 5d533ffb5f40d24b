import * as v from 'valibot';
import {
  finishWrite,
  refusedWrite,
  usablePrincipal,
  type AfterWrite,
  type RefusedWrite,
} from './checked-write.ts';
import type { LiveLock } from './entity-lock.ts';
import { entityRef, refKey, type EntityRef } from './entity-ref.ts';
import { LockError } from './lock-error.ts';
import type { LockService } from './lock-service.ts';
import type { Principal } from './principal.ts';
import type { FencedRef } from './write-checks.ts';

/** Rows of one bulk write where the application says nothing else, and the most that it may say. */
export const DEFAULT_BULK_ROWS = 200;
/** The most rows that an application may allow one bulk write. */
export const MAX_BULK_ROWS = 500;

/** What became of one row. `failed`: the handler could not write it. */
export interface BulkResult extends EntityRef {
  /** `written`, `locked` by somebody else, `stale` (somebody else had it since the row's fence), or `failed`. */
  readonly status: 'written' | 'locked' | 'stale' | 'failed';
  /** The lock in the way of a `locked` or `stale` row; null where there is none, or none to be seen. */
  readonly lock?: LiveLock | null;
}

/** A bulk write that goes ahead with the rows that are free. */
export interface BulkWrite {
  /** Tells it from a refusal. */
  readonly allowed: true;
  /** What may be written. Empty where everything is locked. */
  readonly free: readonly EntityRef[];
  /** The handler could not write this one: nobody is told of a change. */
  failed(entityUid: string): void;
  /** One per row, in the order of the request: `response.json({ results })`. */
  readonly results: readonly BulkResult[];
  /** Publishes a change for each row that was written. The first call counts; never rejects. */
  finish(result: { readonly ok: boolean }): Promise<void>;
}

/** How a bulk write is checked. */
export interface CheckWritesOptions extends AfterWrite {
  /** From 1 to 500. Default 200. */
  readonly maxRows?: number;
  /** These writes are not stopped by locks; they may still publish. Default false. */
  readonly exempt?: boolean;
}

const Rows = v.array(
  v.union([
    v.pipe(
      v.string(),
      v.transform((entityUid) => ({ entityUid, fence: undefined })),
    ),
    v.object({
      entityUid: v.string(),
      fence: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    }),
  ]),
);

/**
 * The write rule for many entities of one type in one trip to the store. `rows` is what the request says: a list of uids,
 * or of `{ entityUid, fence? }`; anything else, an empty or a longer list is a `bad-request`. One named twice counts once.
 */
export async function checkWrites(
  service: LockService,
  principal: Principal | null,
  entityType: string,
  rows: unknown,
  { maxRows = DEFAULT_BULK_ROWS, exempt = false, ...after }: CheckWritesOptions = {},
): Promise<BulkWrite | RefusedWrite> {
  try {
    if (!Number.isInteger(maxRows) || maxRows < 1 || maxRows > MAX_BULK_ROWS) {
      throw new RangeError(`maxRows: expected a whole number from 1 to ${MAX_BULK_ROWS}, got ${maxRows}.`);
    }
    const writer = usablePrincipal(principal);
    service.registry.get(entityType);
    const wanted = readRows(entityType, rows, maxRows);
    const refusals = exempt ? [] : await service.checkWrites(writer, wanted);
    return bulkWrite(service, writer, wanted, refusals, after);
  } catch (error) {
    return refusedWrite(error);
  }
}

function bulkWrite(
  service: LockService,
  writer: Principal,
  rows: readonly FencedRef[],
  refusals: readonly (LockError | null)[],
  after: AfterWrite,
): BulkWrite {
  const failed = new Set<string>();
  let isFinished = false;
  const free = rows.flatMap(({ ref }, at) => (refusals[at] ? [] : [ref]));
  const isWritten = (ref: EntityRef) => !failed.has(refKey(ref));
  return {
    allowed: true,
    free,
    failed(entityUid) {
      const [first] = rows;
      if (first !== undefined) failed.add(refKey(entityRef(first.ref.entityType, entityUid)));
    },
    get results() {
      return rows.map(({ ref }, at): BulkResult => {
        const refusal = refusals[at] ?? null;
        if (refusal === null) return { ...ref, status: isWritten(ref) ? 'written' : 'failed' };
        const status = refusal.code === 'stale-fence' ? 'stale' : 'locked';
        return { ...ref, status, lock: refusal.details.lock ?? null };
      });
    },
    async finish({ ok }) {
      if (isFinished) return;
      isFinished = true;
      const written = ok ? free.filter(isWritten) : [];
      const done = { ...after, ok, sessionId: null };
      await Promise.all(written.map((ref) => finishWrite(service, writer, ref, done)));
    },
  };
}

function readRows(entityType: string, input: unknown, maxRows: number): readonly FencedRef[] {
  const refuse = (expected: string) =>
    new LockError('bad-request', `rows: expected ${expected}.`, { field: 'rows' });
  // The length first, so that nothing works on megabytes.
  if (!Array.isArray(input) || input.length === 0 || input.length > maxRows) {
    throw refuse(`a list of 1 to ${maxRows} uids`);
  }
  const read = v.safeParse(Rows, input, { abortEarly: true });
  if (!read.success) throw refuse('uids, or objects with "entityUid" and the "fence" of its lock');
  const rows = read.output.map(({ entityUid, fence }) => ({ ref: entityRef(entityType, entityUid), fence }));
  return [...new Map(rows.reverse().map((row) => [refKey(row.ref), row])).values()].reverse();
}
