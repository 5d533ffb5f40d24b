/** What one client may use up. */
export interface HubLimits {
  /** The largest message a client may send, in bytes, framing included (ASP.NET's MaximumReceiveMessageSize). */
  readonly maxMessageBytes: number;
  /** A client that leaves more than this unread, in bytes, is closed: it may come back and fetch its lists again. */
  readonly maxBufferedBytes: number;
  /**
   * Calls of one client that are under way or wait their turn; streams only until they begin. At that many it is not read
   * any further. Ten times as many, with the streams that run, end the connection.
   */
  readonly maxOpenCalls: number;
  /** Messages of one client in a second, in the mean of two, items of upload streams aside. One that sends more is closed. */
  readonly maxMessagesPerSecond: number;
  /** Items of an upload stream that are kept until its method reads them; then the client is not read any further. */
  readonly maxUploadItems: number;
}

/** What holds where an application says nothing else. */
export const DEFAULT_HUB_LIMITS: HubLimits = {
  maxMessageBytes: 32_768,
  maxBufferedBytes: 1_048_576,
  maxOpenCalls: 100,
  maxMessagesPerSecond: 2_000,
  maxUploadItems: 10,
};

/** Fills in the defaults. Throws a RangeError that names the option for anything but a positive integer. */
export function hubLimits(given: Partial<HubLimits> = {}): HubLimits {
  const limits = { ...DEFAULT_HUB_LIMITS, ...given };
  for (const [option, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value > 0)) {
      throw new RangeError(`${option}: expected a positive integer, got ${String(value)}.`);
    }
  }
  return limits;
}
