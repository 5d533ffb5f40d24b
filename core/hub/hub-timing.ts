/** ASP.NET Core's defaults, in milliseconds. */
export interface HubTiming {
  /** The client must have sent its handshake by then. */
  readonly handshakeTimeoutMs: number;
  /** A ping goes out so often. Clients ping only when they hear something, so the server must. */
  readonly pingEveryMs: number;
  /** A client that said nothing for so long is gone. */
  readonly clientTimeoutMs: number;
}

export const DEFAULT_HUB_TIMING: HubTiming = {
  handshakeTimeoutMs: 15_000,
  pingEveryMs: 15_000,
  clientTimeoutMs: 30_000,
};

/** Fills in the defaults; refuses a client timeout that a client pinging as often as the server cannot meet. */
export function hubTiming(given: Partial<HubTiming> = {}): HubTiming {
  const timing = { ...DEFAULT_HUB_TIMING, ...given };
  if (timing.clientTimeoutMs < 2 * timing.pingEveryMs) {
    throw new RangeError(
      `clientTimeoutMs (${timing.clientTimeoutMs}) must be at least 2 × pingEveryMs (${timing.pingEveryMs}).`,
    );
  }
  return timing;
}

/** The largest message a client may send, framing included (ASP.NET's MaximumReceiveMessageSize); counted in UTF-16 units. */
export const MAX_HUB_MESSAGE_BYTES = 32_768;
