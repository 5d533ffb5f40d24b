import type { LiveLock } from './entity-lock.ts';
import { storeLostFence } from './fence.ts';
import { LockError } from './lock-error.ts';
import type { LockSnapshot } from './lock-store.ts';

/** Why a write does not go ahead. */
export type WriteRefusal = 'entity-locked' | 'stale-fence' | 'write-in-progress';

/** The error that answers a refused write, in the words of the lock as its caller may see it. */
export function writeRefused(refusal: WriteRefusal, lock: LiveLock | null): LockError {
  switch (refusal) {
    case 'entity-locked':
      return new LockError(refusal, `${lock?.holderName || 'Somebody else'} is editing this record.`, {
        lock,
      });
    case 'stale-fence':
      return new LockError(refusal, 'Somebody else held this record since it was opened: load it again.', {
        lock,
      });
    case 'write-in-progress':
      return new LockError(refusal, 'You are writing this record already: wait for that answer.', { lock });
  }
}

/**
 * The write rule. Another user's live lock ⇒ `entity-locked`; a `Lock-Fence` that is not the entity's present one ⇒
 * `stale-fence` (where the store has none: only if the writer's is older than a fence lives); everything else
 * proceeds. Answers null where the write proceeds. `lua/hold-write.lua` says the same.
 */
export function refuseWrite(
  oid: string,
  { lock, fence: present, asOf }: LockSnapshot,
  fence: number | undefined,
): WriteRefusal | null {
  if (lock !== null && lock.holderOid !== oid) return 'entity-locked';
  if (fence === undefined || fence === present) return null;
  if (present === 0 && storeLostFence(fence, Math.floor(asOf / 1_000))) return null;
  return 'stale-fence';
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
