/** How long locks live. All in milliseconds. */
export interface LockTiming {
  /** The time a lock lives unless renewed. */
  readonly leaseMs: number;
  /** How often a page renews. */
  readonly renewEveryMs: number;
}

/** What holds where a type says nothing else. */
export const DEFAULT_TIMING: LockTiming = { leaseMs: 300_000, renewEveryMs: 120_000 };

/** How long an entity's fence outlives its lock: one day, so that a laptop that slept overnight is told the truth. */
export const FENCE_LIFETIME_MS = 86_400_000;

/** The longest grace of a release. A session with less than this left is on its way out and counts as closed. */
export const MAX_GRACE_MS = 30_000;

/** Hidden tabs run timers once a minute (measured: intensive throttling), so a renewal can be this late. */
export const HIDDEN_TAB_DELAY_MS = 60_000;

/**
 * Fills in the defaults and checks the relation that keeps a hidden tab's lock alive through one failed renewal:
 * `leaseMs ≥ 2 × renewEveryMs + 60,000`. Throws a RangeError naming both values.
 */
export function lockTiming(given: Partial<LockTiming> = {}): LockTiming {
  const timing = { ...DEFAULT_TIMING, ...given };
  for (const name of ['leaseMs', 'renewEveryMs'] as const) {
    if (!Number.isInteger(timing[name]) || timing[name] < 1) {
      throw new RangeError(`${name}: expected a whole number of milliseconds above 0, got ${timing[name]}.`);
    }
  }
  const least = 2 * timing.renewEveryMs + HIDDEN_TAB_DELAY_MS;
  if (timing.leaseMs < least) {
    throw new RangeError(
      `leaseMs (${timing.leaseMs}) must be at least 2 × renewEveryMs (${timing.renewEveryMs}) + ${HIDDEN_TAB_DELAY_MS} ` +
        `= ${least}: a hidden tab's timers run once a minute, and one renewal may fail.`,
    );
  }
  if (timing.leaseMs >= FENCE_LIFETIME_MS) {
    throw new RangeError(
      `leaseMs (${timing.leaseMs}) must be below the fence's lifetime of ${FENCE_LIFETIME_MS}.`,
    );
  }
  return timing;
}
