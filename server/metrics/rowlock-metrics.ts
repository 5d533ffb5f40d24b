import type { HubCounts, LockStore, WriteCheck } from '../../core/index.ts';

/** What metrics are read from when somebody asks for them. */
export interface MetricsSources {
  /** Whether the last call to the store was answered. */
  readonly storeState: () => 'ok' | 'unavailable';
  /** Open hub connections of this node. */
  readonly connectionCount: () => number;
  /** What happened on this node's hub so far. */
  readonly hubCounts: () => Readonly<HubCounts>;
}

/** Where a server's metrics go: `prometheusMetrics()`, or something of your own. Nothing here may throw. */
export interface RowlockMetrics {
  /** Wraps the store, so that every call to it is counted and timed. */
  observeStore(store: LockStore): LockStore;
  /** Counts a guarded write, by what became of it. */
  writeChecked(check: WriteCheck, entityType: string): void;
  /** Once, when the server is put together. */
  watch(sources: MetricsSources): void;
}
