import type { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import type { EntityRef, LockHolder, LockStore } from '../../core/index.ts';

/** What a step came to, in words that all versions share. `fence` is the one after it, 0 where there is none. */
export interface WrittenStep {
  readonly outcome: string;
  readonly fence: number;
}

/** Who is at work, and in which of their open forms. */
export interface LockUser {
  readonly holder: LockHolder;
  readonly sessionId: string;
}

/** One that keeps locks in Redis: a node of some version, or another service that runs the scripts. */
export interface LockWriter {
  readonly name: string;
  claim(user: LockUser, ref: EntityRef, leaseMs?: number): Promise<WrittenStep>;
  renew(user: LockUser, ref: EntityRef, fence: number): Promise<WrittenStep>;
  release(user: LockUser, ref: EntityRef, graceMs?: number): Promise<WrittenStep>;
  takeOver(user: LockUser, ref: EntityRef, fromHolderOid: string): Promise<WrittenStep>;
}

const LEASE_MS = 300_000;
/** Long enough to last for a test, short enough not to count as an open form. */
export const GRACE_MS = 20_000;

/**
 * Runs scripts by EVAL with the arguments of version 0.1, spelled out here and never to be changed: other services call
 * them so. `folder` has the flattened scripts.
 */
export function scriptWriter(name: string, redis: Redis, tenant: string, folder: URL): LockWriter {
  const scripts = new Map<string, string>();
  const run = async (verb: string, user: LockUser, ref: EntityRef, ...args: readonly string[]) => {
    const script = scripts.get(verb) ?? readFileSync(new URL(`${verb}.lua`, folder), 'utf8');
    scripts.set(verb, script);
    const entity = `{${tenant}}:${ref.entityType}:${ref.entityUid}`;
    const keys = [
      `lock:${entity}`,
      `lockidx:{${tenant}}:${ref.entityType}`,
      `lockfence:${entity}`,
      `locksess:${entity}`,
    ];
    const common = [user.holder.oid, user.sessionId, '0', 'plain', `lockchange:{${tenant}}`];
    const reply = (await redis.eval(script, keys.length, ...keys, ...common, ...args)) as unknown[];
    return { outcome: reply[0] === 'own' ? 'acquired' : String(reply[0]), fence: Number(reply[4]) };
  };
  const record = ({ holder }: LockUser, { entityType, entityUid }: EntityRef, leaseMs: number) => {
    const [acquiredAtUtc, expiresAtUtc] = [0, leaseMs].map((ms) => new Date(Date.now() + ms).toISOString());
    const [holderOid, holderName] = [holder.oid, holder.name];
    return JSON.stringify({ entityType, entityUid, holderOid, holderName, acquiredAtUtc, expiresAtUtc });
  };
  return {
    name,
    claim: (user, ref, leaseMs = LEASE_MS) =>
      run('claim', user, ref, String(leaseMs), record(user, ref, leaseMs)),
    async renew(user, ref, fence) {
      const stored = await redis.get(`lock:{${tenant}}:${ref.entityType}:${ref.entityUid}`);
      const next = record(user, ref, LEASE_MS);
      return run('renew', user, ref, String(LEASE_MS), next, stored ?? '', String(fence));
    },
    release: (user, ref, graceMs = 0) => run('release', user, ref, 'one', String(graceMs), '', ''),
    takeOver: (user, ref, fromHolderOid) =>
      run('take-over', user, ref, String(LEASE_MS), record(user, ref, LEASE_MS), fromHolderOid),
  };
}

/** The present node. */
export function storeWriter(name: string, store: LockStore, tenant: string): LockWriter {
  const fenceAfter = async (ref: EntityRef, outcome: string) => {
    return { outcome, fence: (await store.read({ tenant, ref })).fence };
  };
  return {
    name,
    claim: async (user, ref, leaseMs = LEASE_MS) =>
      fenceAfter(ref, (await store.claim({ tenant, ref, leaseMs, ...user })).outcome),
    renew: async (user, ref, fence) =>
      fenceAfter(ref, (await store.renew({ tenant, ref, leaseMs: LEASE_MS, fence, ...user })).outcome),
    release: async ({ holder, sessionId }, ref, graceMs = 0) => {
      const step = { tenant, ref, holderOid: holder.oid, sessionId, graceMs };
      return fenceAfter(ref, (await store.release(step)).outcome);
    },
    takeOver: async (user, ref, fromHolderOid) =>
      fenceAfter(
        ref,
        (await store.takeOver({ tenant, ref, leaseMs: LEASE_MS, fromHolderOid, ...user })).outcome,
      ),
  };
}
