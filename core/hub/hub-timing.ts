/** ASP.NET Core's timers and defaults, in milliseconds. They are looked at once per heartbeat, so they end up to that late. */
export interface HubTiming {
  /** The client must have sent its handshake by then. */
  readonly handshakeTimeoutMs: number;
  /** A ping goes out so often. Clients ping only when they hear something, so the server must. */
  readonly pingEveryMs: number;
  /** A client that said nothing for so long is gone. */
  readonly clientTimeoutMs: number;
  /** A client that takes nothing of what is buffered for so long is cut off. */
  readonly sendTimeoutMs: number;
  /** A connection that nobody polls is over after this. */
  readonly disconnectTimeoutMs: number;
  /** A poll is answered after this, with nothing. SignalR's JavaScript client gives up at 100 s. */
  readonly pollTimeoutMs: number;
  /** How long a close waits for the client, before the transport is cut off. */
  readonly closeTimeoutMs: number;
  /** A client that was asked for a result has so long to answer. */
  readonly clientResultTimeoutMs: number;
  /** How often all connections are looked at: once a second at least, by which messages are counted. */
  readonly heartbeatMs: number;
}

/** What holds where an application says nothing else: ASP.NET Core's defaults, and ours for what it has not. */
export const DEFAULT_HUB_TIMING: HubTiming = {
  handshakeTimeoutMs: 15_000,
  pingEveryMs: 15_000,
  clientTimeoutMs: 30_000,
  sendTimeoutMs: 10_000,
  disconnectTimeoutMs: 15_000,
  pollTimeoutMs: 90_000,
  closeTimeoutMs: 5_000,
  clientResultTimeoutMs: 30_000,
  heartbeatMs: 1_000,
};

/** Hosts keep a timer's delay in 31 bits, and run a longer one at once. */
const MAX_MS = 2_147_483_647;

/**
 * Fills in the defaults. Throws a RangeError that names the option for anything but a positive number, for a client
 * timeout that a client pinging as often as the server cannot meet, and for a heartbeat that is slower than a timer.
 */
export function hubTiming(given: Partial<HubTiming> = {}): HubTiming {
  const timing = { ...DEFAULT_HUB_TIMING, ...given };
  for (const [option, ms] of Object.entries(timing) as [keyof HubTiming, number][]) {
    if (!(ms > 0 && ms <= MAX_MS)) {
      const expected = `expected a positive number of milliseconds, ${MAX_MS} at most`;
      throw new RangeError(`${option}: ${expected}, got ${ms}.`);
    }
    if (timing.heartbeatMs > ms) {
      throw new RangeError(`heartbeatMs (${timing.heartbeatMs}) must not be greater than ${option} (${ms}).`);
    }
  }
  if (timing.heartbeatMs > 1_000) {
    throw new RangeError(
      `heartbeatMs (${timing.heartbeatMs}) must not be greater than 1000: rates count by the second.`,
    );
  }
  if (timing.clientTimeoutMs < 2 * timing.pingEveryMs) {
    throw new RangeError(
      `clientTimeoutMs (${timing.clientTimeoutMs}) must be at least 2 × pingEveryMs (${timing.pingEveryMs}).`,
    );
  }
  return timing;
}
