/**
 * What a hub session needs of a connection: a WebSocket of any make, or a mock of one. Neither call throws, also where
 * the connection is gone: a broadcast goes to all, and runs inside the memory store's own steps.
 */
export interface TextSocket {
  send(text: string): void;
  /** 1000 = normal end, 1011 = the server failed (RFC 6455 section 7.4.1). */
  close(code: number): void;
}
