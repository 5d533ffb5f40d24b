import type { HubProtocol } from './hub-protocol.ts';
import type { MessageBatch } from './message-batch.ts';

/**
 * What a hub connection needs of its transport: a WebSocket of any make, an event stream, polls, or a mock of one.
 * No call throws or waits, also where the client is gone: a broadcast goes to all, and runs inside the memory store's
 * own steps.
 */
export interface HubWire {
  /** What it carries. Server-sent events are text. */
  readonly formats: readonly HubProtocol['format'][];
  /** True for polls: they show by themselves that the client is there, so neither side pings. */
  readonly keepsAlive: boolean;
  /** Bytes that are written and that the client's end has not taken yet. */
  readonly bufferedBytes: number;
  /** Bytes that the client's end has taken so far: whoever takes none for long while some are buffered has stalled. */
  readonly takenBytes: number;
  /** Writes a batch, whole: a client must never get a part of a message. */
  write(batch: MessageBatch, protocol: HubProtocol): void;
  /** Resolves when there is little buffered, also when the wire is gone. */
  drained(): Promise<void>;
  /** Takes no more from the client until `resume`. */
  pause(): void;
  /** Takes from the client again. */
  resume(): void;
  /** Ends it when everything is written. 1000 = normal end, 1001 = going away, 1011 = fault (RFC 6455 section 7.4.1). */
  close(code: number): void;
  /** Cuts it off. */
  abort(): void;
}
