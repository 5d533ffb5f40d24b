import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { redisBackend } from '../../../server/index.ts';
import { lockKeys } from '../../../server/redis/lock-keys.ts';
import { loadScript } from '../../../server/redis/lua-scripts.ts';
import { writeRecord } from '../../../server/redis/stored-record.ts';
import { silentLog } from '../../support/silent-log.ts';
import { bundle } from './bundle.ts';
import { findLockLibraries } from './lock-libraries.ts';
import { ANNA, LEASE_MS, sampleTarget } from './sample-lock.ts';

export const OURS = 'Rowlock';
export const REDLOCK = 'redlock';

/** One way to lock, over one ioredis client of its own. */
export interface LockPeer {
  readonly name: string;
  readonly label: string;
  /** Gets the lock of an entity that is free, and lets go of it. Rejects when either did not happen. */
  pair(index: number): Promise<void>;
  close(): Promise<void>;
}

export interface LockPeers {
  readonly peers: readonly LockPeer[];
  /** What could not be measured, and why. */
  readonly missing: readonly string[];
}

/** Connects everybody. `before` is another working copy of ours. */
export async function findLockPeers({ url, before }: { url: string; before?: string }): Promise<LockPeers> {
  const { peers: libraries, missing } = await findLockLibraries(url);
  const peers = [await storePeer(OURS, OURS, url, redisBackend)];
  if (before !== undefined) {
    const built = `${before}/.cache/bench/store-before.mjs`;
    await bundle(`${before}/server/index.ts`, built);
    const server = (await import(built)) as { readonly redisBackend: typeof redisBackend };
    peers.push(await storePeer('before', 'Rowlock before', url, server.redisBackend));
  }
  return { peers: [...peers, ...libraries, barePeer(url), scriptPeer(url), idleScriptPeer(url)], missing };
}

/** The whole store: gate, deadlines, record, reply. */
async function storePeer(
  name: string,
  label: string,
  url: string,
  backendOf: typeof redisBackend,
): Promise<LockPeer> {
  const backend = backendOf({ url, log: silentLog });
  await backend.start();
  const { store } = backend;
  return {
    name,
    label,
    async pair(index) {
      const { tenant, ref } = sampleTarget(name, index);
      const sessionId = randomUUID();
      const { outcome } = await store.claim({ tenant, ref, holder: ANNA, sessionId, leaseMs: LEASE_MS });
      expect(outcome, 'acquired');
      const ended = await store.release({ tenant, ref, holderOid: ANNA.oid, sessionId, graceMs: 0 });
      expect(ended.outcome, 'released');
    },
    close: () => backend.stop(),
  };
}

/** The least that is a lock. */
function barePeer(url: string): LockPeer {
  const redis = new Redis(url);
  redis.defineCommand('deleteOwn', {
    numberOfKeys: 1,
    lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0",
  });
  const scripts = commandsOf(redis);
  return {
    name: 'bare',
    label: 'bare `SET NX PX` + compare-and-delete',
    async pair(index) {
      const key = `bare:${index}`;
      const token = randomUUID();
      expect(await redis.set(key, token, 'PX', LEASE_MS, 'NX'), 'OK');
      expect(await scripts['deleteOwn']?.(key, token), 1);
    },
    close: async () => redis.disconnect(),
  };
}

/** Our scripts without our store: what is left when a bare client calls them. */
function scriptPeer(url: string): LockPeer {
  return callingPeer(
    url,
    'scripts',
    'our two scripts, called by bare ioredis',
    loadScript('claim').lua,
    loadScript('release').lua,
  );
}

/** The same calls without our scripts: their keys, arguments and replies alone. */
function idleScriptPeer(url: string): LockPeer {
  const claim = "return { 'acquired', ARGV[7], 300000, 1796054770000000, 1796054770000, 0, 0 }";
  const release = "return { 'released', false, 0, 1796054770000000, 1796054770000, 0, 0 }";
  return callingPeer(url, 'idle-scripts', 'the same two calls of scripts that do nothing', claim, release);
}

function callingPeer(
  url: string,
  name: string,
  label: string,
  claimLua: string,
  releaseLua: string,
): LockPeer {
  const redis = new Redis(url);
  redis.defineCommand('benchClaim', { numberOfKeys: 4, lua: claimLua });
  redis.defineCommand('benchRelease', { numberOfKeys: 4, lua: releaseLua });
  const scripts = commandsOf(redis);
  return {
    name,
    label,
    async pair(index) {
      const target = sampleTarget(name, index);
      const { lock, index: list, fence, sessions, channel } = lockKeys(target);
      const common = [lock, list, fence, sessions, ANNA.oid, randomUUID(), 0, 'plain', channel];
      const record = writeRecord(target.ref, ANNA, Date.now(), LEASE_MS);
      expect(await scripts['benchClaim']?.(...common, LEASE_MS, record), 'acquired');
      expect(await scripts['benchRelease']?.(...common, 'one', 0, '', ''), 'released');
    },
    close: async () => redis.disconnect(),
  };
}

/** defineCommand adds methods that no type can know of. */
function commandsOf(redis: Redis): Record<string, (...args: (string | number)[]) => Promise<unknown>> {
  return redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>;
}

/** A peer that does not lock is no peer. */
function expect(reply: unknown, wanted: string | number): void {
  const got: unknown = Array.isArray(reply) ? (reply as unknown[])[0] : reply;
  if (got !== wanted) throw new Error(`Expected ${wanted}, got ${String(got)}.`);
}
