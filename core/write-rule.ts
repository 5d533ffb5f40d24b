import { storeLostFence } from './fence.ts';
import { LockError } from './lock-error.ts';
import type { LockSnapshot } from './lock-store.ts';

/**
 * The write rule. Another user's live lock ⇒ `entity-locked`; a `Lock-Fence` that is not the entity's present one ⇒
 * `stale-fence` (where the store has none: only if the writer's is older than a fence lives); everything else
 * proceeds. Answers the error, or null where the write proceeds.
 */
export function refuseWrite(
  oid: string,
  snapshot: LockSnapshot,
  fence: number | undefined,
): LockError | null {
  const { lock } = snapshot;
  if (lock !== null && lock.holderOid !== oid) {
    return new LockError('entity-locked', `${lock.holderName} is editing this record.`, { lock });
  }
  if (fence === undefined || fence === snapshot.fence) return null;
  if (snapshot.fence === 0 && storeLostFence(fence, Math.floor(snapshot.asOf / 1_000))) return null;
  return new LockError('stale-fence', 'Somebody else held this record since it was opened: load it again.', {
    lock,
  });
}

/** The request header by which a write says on which fence its data rests. */
export const FENCE_HEADER = 'Lock-Fence';

/** Reads the header. Absent ⇒ undefined; anything but a whole number above 0 ⇒ `LockError("bad-request")`. */
export function readFenceHeader(value: string | null | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  const fence = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(fence)) return fence;
  throw new LockError(
    'bad-request',
    `${FENCE_HEADER}: expected one whole number, as given in "lock.fence".`,
    {
      field: FENCE_HEADER,
    },
  );
}
