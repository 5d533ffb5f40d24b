import { FENCE_LIFETIME_MS } from './lock-timing.ts';

/**
 * The fence of a new holder: `max(last + 1, now)`. Time-based, so that neither a restart nor a lossy failover of the
 * store hands two holders the same number (a plain counter does).
 */
export function nextFence(lastFence: number, nowMs: number): number {
  return Math.max(lastFence + 1, nowMs);
}

/**
 * Whether another holder had the entity since the caller's fence.
 * `storedFence` is the one before the caller's step, 0 where the store has none. `null` = cannot say: the caller gave
 * no fence, or a store that restarted empty (or failed over) lost a fence that it must once have had.
 */
export function changedSince(
  callerFence: number | undefined,
  storedFence: number,
  nowMs: number,
): boolean | null {
  if (callerFence === undefined) return null;
  if (storedFence === 0) return storeLostFence(callerFence, nowMs) ? null : true;
  if (storedFence === callerFence) return false;
  return storedFence > callerFence ? true : null;
}

/**
 * Where the store has no fence for an entity: true when the caller's is younger than a fence lives, so that the store
 * must have lost it; false when it simply ran out. A fence from the future was never given out.
 */
export function storeLostFence(callerFence: number, nowMs: number): boolean {
  return callerFence <= nowMs && callerFence > nowMs - FENCE_LIFETIME_MS;
}
