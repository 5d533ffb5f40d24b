import cluster from 'node:cluster';
import { MemoryLockStore, type Log } from '../core/index.ts';
import { jsonLog } from './json-log.ts';
import type { LockBackend } from './lock-backend.ts';

/** What tells that this process is one of several. */
export interface ProcessPlace {
  /** True in a worker of `node:cluster`. */
  readonly isWorker: boolean;
  /** The number that process managers (pm2) give their instances; undefined without one. */
  readonly instance: string | undefined;
}

/** Where the process runs. */
export interface MemoryBackendOptions {
  /** Default: JSON lines. */
  readonly log?: Log;
  /** Default: what this process says of itself. */
  readonly place?: ProcessPlace;
}

/**
 * Locks kept in this process alone. Throws where it is one of several: each worker would keep locks of its own, and two
 * people could hold one record without anybody noticing.
 */
export function memoryBackend({
  log = jsonLog(),
  place = presentPlace(),
}: MemoryBackendOptions = {}): LockBackend {
  const { isWorker, instance = '0' } = place;
  if (isWorker || Number(instance) > 0) {
    throw new Error(
      'Locks kept in memory work in one process, and this is one of several workers ' +
        `(${isWorker ? 'cluster.isWorker' : `NODE_APP_INSTANCE=${instance}`}). ` +
        'Give the server a Redis (REDIS_URL), or start one process.',
    );
  }
  const store = new MemoryLockStore();
  return {
    store,
    feed: store.feed,
    async start() {
      log.info(
        'Locks are kept in the memory of this process: no other process sees them, and a restart forgets them.',
      );
    },
    async stop() {},
  };
}

function presentPlace(): ProcessPlace {
  return { isWorker: cluster.isWorker, instance: process.env['NODE_APP_INSTANCE'] };
}
