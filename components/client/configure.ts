import { createLockClient, type LockClient } from './lock-client.ts';
import type { RowlockConfig } from './rowlock-config.ts';

// One client per page, however many copies of this script it loads.
const KEY = Symbol.for('rowlock.default-client');
const shared = globalThis as { [KEY]?: LockClient | undefined };

/** The page's own client, made at the first call. Two copies of this script share it. */
export function defaultClient(): LockClient {
  return (shared[KEY] ??= createLockClient());
}

/**
 * Configures the page's own client, before or after its first use: what is open moves over. Each call replaces the
 * earlier configuration as a whole.
 */
export function configure(config: RowlockConfig): void {
  defaultClient().configure(config);
}
