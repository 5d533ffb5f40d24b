import type { LockChange } from '../../../core/index.ts';

export const BENCH_TENANT = 'acme';

/** The first message of a server carries this fence, and each further one the next: so a gap shows. */
export const FIRST_FENCE = 1_790_000_000_000;

/** The change that every server sends, but for its `fence` (which counts) and `at` (which the server stamps). */
const LOCK = {
  entityType: 'ApprovalRequest',
  entityUid: 'REQ-2041',
  holderOid: '8f14e45f-ceea-4c1a-9e3f-0d2b7f5a6c11',
  holderName: 'Anna Berg',
  acquiredAtUtc: '2026-03-02T08:15:30.000Z',
  expiresAtUtc: '2026-03-02T08:20:30.000Z',
  expiresInMs: 300_000,
  fence: FIRST_FENCE,
  at: 1_790_000_000_000_000,
} as const;

/** The `index`-th change of a server, without the moment. */
export function sampleChange(index: number): Omit<LockChange, 'at'> {
  const { entityType, entityUid } = LOCK;
  return { entityType, entityUid, operation: 'Acquired', lock: LOCK, fence: FIRST_FENCE + index };
}

/** The same with the moment, for the servers that do not stamp it by themselves: microseconds, as ours. */
export function stampedSampleChange(index: number): LockChange {
  return { ...sampleChange(index), at: Date.now() * 1_000 };
}
