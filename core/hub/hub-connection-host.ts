import type { Timers } from '../timers.ts';
import type { HubConnection } from './hub-connection.ts';
import type { HubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import type { CallableMethod } from './hub-method.ts';
import type { HubProtocol } from './hub-protocol.ts';
import type { HubTiming } from './hub-timing.ts';
import type { MessageBatch } from './message-batch.ts';

/** What a connection needs of its hub. */
export interface HubConnectionHost {
  readonly methods: ReadonlyMap<string, CallableMethod>;
  readonly protocols: readonly HubProtocol[];
  readonly timing: HubTiming;
  readonly limits: HubLimits;
  readonly timers: Timers;
  readonly counts: HubCounts;
  /** Milliseconds of the heartbeat: passes only while the process runs, so a pause of its own ends no connection. */
  readonly nowMs: number;
  /** Where this turn's batches begin. */
  readonly turn: MessageBatch;
  /** Runs at the end of this turn of the event loop. */
  defer(run: () => void): void;
  /** Has the connection flushed at the end of this turn. */
  schedule(connection: HubConnection): void;
  join(connection: HubConnection, group: string): void;
  leave(connection: HubConnection, group: string): void;
  /** The handshake's reply is queued. Rejects where the application refuses the connection. */
  opened(connection: HubConnection): Promise<void>;
  /** Once, whoever ended it. */
  closed(connection: HubConnection): void;
  failed(target: string, error: unknown): void;
}
