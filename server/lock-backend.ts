import type { ChangeFeed, LockStore } from '../core/index.ts';

/** Where a server keeps its locks, and how it hears of changes: one thing with one lifetime. */
export interface LockBackend {
  /** Where locks live. */
  readonly store: LockStore;
  /** How changes reach every node. */
  readonly feed: ChangeFeed;
  /** Resolves after a second at the latest, whether the store can be used or not: the server starts in any case. */
  start(): Promise<void>;
  /** Ends every connection. Harmless when called again. */
  stop(): Promise<void>;
}
