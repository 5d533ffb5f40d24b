/** Visible pages that wait for one lock claim it within so many milliseconds of each other. */
const CLAIM_SPREAD_MS = 300;
/** After a gap, forms that wait hold back this long, so that the holder, who renews at once, comes first. */
const HOLD_BACK_MS = 600;
/** No retry comes sooner: a server that just came back is not to be met by everybody in the same instant. */
const LEAST_MS = 300;
/** And none later, so that no page is dead for longer once the server is back. */
const MOST_MS = 30_000;

/**
 * The delay before a retry, without end: drawn evenly ("full jitter") from 0.3 s up to 1, 2, 4 … 30 s, so that a
 * thousand pages that lost the server together do not come back together. `attempt` counts from 0.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const most = Math.min(MOST_MS, 1_000 * 2 ** Math.min(attempt, 5));
  return LEAST_MS + random * (most - LEAST_MS);
}

/** The delay before a form that waited claims a record that has become free. `isSettled`: there was no gap lately. */
export function claimDelayMs(random: number, isSettled: boolean): number {
  return 1 + random * (CLAIM_SPREAD_MS - 1) + (isSettled ? 0 : HOLD_BACK_MS);
}
