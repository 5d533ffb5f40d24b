/** A hub's counters since its start, for metrics. */
export interface HubCounts {
  /** Connections that completed their handshake. */
  opened: number;
  /** Those of them that are over. */
  closed: number;
  /** Messages handed to connections: a broadcast to 100 counts 100, and so do pings. */
  delivered: number;
  /** Connections that were ended because the client left too much unread, or took nothing for too long. */
  slow: number;
  /** Connections that were ended because the client broke the protocol or a limit. */
  broken: number;
  /** Connections that were ended because the client said nothing. */
  silent: number;
}

export function newHubCounts(): HubCounts {
  return { opened: 0, closed: 0, delivered: 0, slow: 0, broken: 0, silent: 0 };
}
