import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EntityRef, LeaseAnswer } from '../../core/index.ts';
import type { RowlockNode } from './rowlock-node.ts';
import { tokenFor, type TestUser } from './test-tokens.ts';

/** One claim of a new entity, as it was answered. */
export interface TimedClaim {
  readonly ref: EntityRef;
  readonly answer: LeaseAnswer;
  /** From the start of the load, in milliseconds. */
  readonly askedAtMs: number;
  readonly tookMs: number;
  /** By this machine's clock, which is also the clock of every Redis on it. */
  readonly answeredAtMs: number;
}

/** Claims and writes of one user that go on until they are stopped: each new one whatever became of the last. */
export interface ClaimLoad {
  readonly claims: readonly TimedClaim[];
  /** Status codes of the writes, and how long the longest took in milliseconds. */
  readonly writes: { readonly statuses: readonly number[]; readonly worstMs: number };
  /** The longest that this very process kept its timers waiting, in milliseconds: no fault of the store's. */
  readonly ownDelayMs: number;
  /** Resolves when everything that was asked has its answer. */
  stop(): Promise<void>;
}

export interface ClaimLoadOptions {
  readonly node: RowlockNode;
  readonly user: TestUser;
  readonly everyMs?: number;
  /** A path that a guarded PUT answers. */
  readonly writePath: string;
}

/** Starts at once. */
export async function startClaimLoad({
  node,
  user,
  everyMs = 40,
  writePath,
}: ClaimLoadOptions): Promise<ClaimLoad> {
  const token = await tokenFor(user);
  const claims: TimedClaim[] = [];
  const statuses: number[] = [];
  let worstMs = 0;
  const calls: Promise<void>[] = [];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const startedMs = performance.now();
  const prefix = `load-${Math.random().toString(36).slice(2)}`;
  const ask = () => {
    const ref = { entityType: 'ApprovalRequest', entityUid: `${prefix}-${String(calls.length)}` };
    const askedAtMs = performance.now() - startedMs;
    const path = `/api/locks/${ref.entityType}/${ref.entityUid}/claim`;
    calls.push(
      node.call('POST', path, { as: token, body: { sessionId: 's1' } }).then(({ json }) => {
        const tookMs = performance.now() - startedMs - askedAtMs;
        const answer = json as unknown as LeaseAnswer;
        claims.push({ ref, answer, askedAtMs, tookMs, answeredAtMs: Date.now() });
      }),
      node.call('PUT', writePath, { as: token }).then(({ status }) => {
        statuses.push(status);
        worstMs = Math.max(worstMs, performance.now() - startedMs - askedAtMs);
      }),
    );
  };
  ask();
  const timer = setInterval(ask, everyMs);
  return {
    claims,
    writes: {
      statuses,
      get worstMs() {
        return worstMs;
      },
    },
    get ownDelayMs() {
      return delay.max / 1e6;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      delay.disable();
    },
  };
}
