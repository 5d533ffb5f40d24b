import type { LockHolder } from '../../../core/index.ts';
import { lockKeys } from '../../../server/redis/lock-keys.ts';
import { SCRIPT_ARGUMENTS, type ScriptName } from '../../../server/redis/lua-scripts.ts';
import { writeRecord } from '../../../server/redis/stored-record.ts';
import { ANNA, BENCH_SESSION, BOB, LEASE_MS, sampleTarget } from './sample-lock.ts';

/** Whose channel a node listens to; nobody listens to the other tenant's. */
export const HEARD_TENANT = 'heard';
const TENANT = 'unheard';

/** One step of ours, as a single script. */
export interface ScriptStep {
  readonly label: string;
  readonly script: ScriptName;
  readonly tenant: string;
  /** Who asks. */
  readonly holder: LockHolder;
  /** Anna holds the lock before. */
  readonly isHeld: boolean;
  readonly status: string;
}

const step = (
  label: string,
  script: ScriptName,
  status: string,
  more: Partial<ScriptStep> = {},
): ScriptStep => ({
  label,
  script,
  status,
  tenant: TENANT,
  holder: ANNA,
  isHeld: true,
  ...more,
});

export const FREE_CLAIM = step('claim, free', 'claim', 'acquired', { isHeld: false });

export const SCRIPT_STEPS: readonly ScriptStep[] = [
  FREE_CLAIM,
  step('claim, free, one node listens', 'claim', 'acquired', { isHeld: false, tenant: HEARD_TENANT }),
  step('claim, own', 'claim', 'own'),
  step('claim, held by another', 'claim', 'held', { holder: BOB }),
  step('renew', 'renew', 'acquired'),
  step('release', 'release', 'released'),
  step('take over', 'take-over', 'acquired', { holder: BOB }),
];

/** The keys and arguments of a step on entity number `index`, as the store sends them. */
export function callOf({ script, tenant, holder }: ScriptStep, index: number, nowMs: number): string[] {
  const target = sampleTarget(tenant, index);
  const { lock, index: list, fence, sessions, channel } = lockKeys(target);
  const stored = recordOf(tenant, index, ANNA, nowMs);
  const isRelease = script === 'release';
  const values: Readonly<Record<string, string | number>> = {
    holderOid: holder.oid,
    sessionId: BENCH_SESSION,
    deadlineMs: nowMs + 60_000,
    publish: 'plain',
    channel,
    leaseMs: LEASE_MS,
    record: isRelease
      ? ''
      : script === 'renew'
        ? recordOf(tenant, index, holder, nowMs + 1)
        : recordOf(tenant, index, holder, nowMs),
    expectedRecord: isRelease ? '' : stored,
    callerFence: 0,
    which: 'one',
    graceMs: 0,
    fromHolderOid: ANNA.oid,
  };
  return [lock, list, fence, sessions, ...SCRIPT_ARGUMENTS[script].map((name) => String(values[name]))];
}

/** The call that makes Anna the holder before the step. */
export function preparation({ tenant }: ScriptStep, index: number, nowMs: number): string[] {
  return callOf({ ...FREE_CLAIM, tenant }, index, nowMs);
}

export function recordOf(tenant: string, index: number, holder: LockHolder, nowMs: number): string {
  return writeRecord(sampleTarget(tenant, index).ref, holder, nowMs, LEASE_MS);
}
