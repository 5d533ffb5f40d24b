import { existsSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { LockPeer, LockPeers } from './lock-peers.ts';
import { LEASE_MS } from './sample-lock.ts';

/** What the bench uses of each library; none of them has types that a NodeNext project finds. */
interface Redlock {
  acquire(resources: string[], durationMs: number): Promise<{ release(): Promise<unknown> }>;
}
interface RedlockModule {
  readonly default: new (clients: readonly Redis[], settings: { readonly retryCount: number }) => Redlock;
}
interface SemaphoreModule {
  readonly Mutex: new (
    redis: Redis,
    key: string,
    options: {
      readonly lockTimeout: number;
      readonly refreshInterval: number;
      readonly acquireAttemptsLimit: number;
    },
  ) => { acquire(): Promise<void>; release(): Promise<void> };
}
interface UniversalLock<Handle> {
  acquire(): Promise<Handle>;
  release(handle: Handle): Promise<boolean>;
}
interface UniversalModule {
  readonly IoredisAdapter: new (redis: Redis) => object;
  createLock(options: {
    readonly adapter: object;
    readonly key: string;
    readonly ttl: number;
    readonly retryAttempts: number;
  }): UniversalLock<object>;
}

type Pair = (index: number) => Promise<void>;

/** How each library locks. It gets an ioredis client of its own; nobody tries twice, and nobody renews. */
const LIBRARIES: Readonly<Record<string, (module: unknown, redis: Redis) => Pair>> = {
  redlock(module, redis) {
    const redlock = new (module as RedlockModule).default([redis], { retryCount: 0 });
    return async (index) => {
      const lock = await redlock.acquire([`redlock:${index}`], LEASE_MS);
      await lock.release();
    };
  },
  'redis-semaphore'(module, redis) {
    const { Mutex } = module as SemaphoreModule;
    const options = { lockTimeout: LEASE_MS, refreshInterval: 0, acquireAttemptsLimit: 1 };
    return async (index) => {
      const mutex = new Mutex(redis, `semaphore:${index}`, options);
      await mutex.acquire();
      await mutex.release();
    };
  },
  'redlock-universal'(module, redis) {
    const { IoredisAdapter, createLock } = module as UniversalModule;
    const adapter = new IoredisAdapter(redis);
    return async (index) => {
      const lock = createLock({ adapter, key: `universal:${index}`, ttl: LEASE_MS, retryAttempts: 0 });
      if (!(await lock.release(await lock.acquire())))
        throw new Error('redlock-universal: nothing was released.');
    };
  },
};

/** The libraries that are installed here and made for this Node. */
export async function findLockLibraries(url: string): Promise<LockPeers> {
  const peers: LockPeer[] = [];
  const missing: string[] = [];
  for (const [name, pairsOf] of Object.entries(LIBRARIES)) {
    const manifest = `node_modules/${name}/package.json`;
    if (!existsSync(manifest)) {
      missing.push(`${name}: not installed`);
      continue;
    }
    const { version, engines } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    const release = version.replace(/^v/, '');
    if (!isFor(engines?.node, process.versions.node)) {
      missing.push(
        `${name} ${release}: made for Node ${engines?.node ?? ''}, and this is ${process.version}`,
      );
      continue;
    }
    const module: unknown = await import(name);
    const redis = new Redis(url);
    const pair = pairsOf(module, redis);
    peers.push({ name, label: `${name} ${release}`, pair, close: async () => redis.disconnect() });
  }
  return { peers, missing };
}

interface Manifest {
  readonly version: string;
  readonly engines?: { readonly node?: string };
}

/** Reads the one form that these libraries use: `>=22.0.0`, `>= 14.17.0`, `>=12`. */
function isFor(range: string | undefined, version: string): boolean {
  const least = /^>=\s*(\d+)/.exec(range ?? '')?.[1];
  return least === undefined || Number.parseInt(version, 10) >= Number(least);
}
