import type { ChangeFeed, LockStore } from '../../core/index.ts';

/** An implementation of the store, started and empty, with what the suite must see of its inside. */
export interface StoreUnderTest {
  readonly store: LockStore;
  readonly feed: ChangeFeed;
  /** For everything that is stored of locks: the milliseconds until it goes by itself. */
  lifetimesMs(): Promise<readonly number[]>;
  stop(): Promise<void>;
}
