/** How one record's lease behaves. Whoever opens the same record later may change what it names. */
export interface LeaseOptions {
  /** A claim not answered by then lets the form open as `unknown`; a later answer still counts. Milliseconds. */
  readonly claimTimeoutMs?: number;
  /** `auto`: when the lock becomes free, a visible page claims by itself, a hidden one when it becomes visible. */
  readonly wait?: 'auto' | 'off';
  /** Whether leaving the page releases. Needs a backend that knows sessions. */
  readonly releaseOnLeave?: boolean;
  /** The lock outlives a page that is left by so much, so that a reload gets it back. Milliseconds, at most 30,000. */
  readonly graceMs?: number;
  /** Of an earlier lease on the record, whose data is still shown: the next answer says whether it is old. */
  readonly fence?: number | undefined;
}

/** 3 s: longer than any healthy answer, shorter than a person's patience. 5 s: a reload, with a slow network. */
export const DEFAULT_LEASE_OPTIONS: Required<Omit<LeaseOptions, 'fence'>> = {
  claimTimeoutMs: 3_000,
  wait: 'auto',
  releaseOnLeave: true,
  graceMs: 5_000,
};
