import type { PageEnvironment } from './page-environment.ts';

/** Answers the milliseconds that are left; 0 or less = over. */
export type Countdown = () => number;

/**
 * Counts `ms` down from now. Time passes by whichever clock moved more: the wall clock goes on while a laptop sleeps,
 * the monotonic one is right when somebody sets the wall clock back. A clock that is wrong by a day changes nothing.
 */
export function countdown(page: PageEnvironment, ms: number): Countdown {
  const wall = page.now();
  const monotonic = page.monotonic();
  return () => ms - Math.max(page.now() - wall, page.monotonic() - monotonic);
}
