import { ApiUser } from './api-user.ts';
import { claimChecks } from './claim-checks.ts';
import type { CheckKit, ConformanceCheck } from './conformance-check.ts';
import {
  CAPABILITIES,
  type Capability,
  type CheckNeed,
  type CheckResult,
  type ConformanceOptions,
  type ConformanceReport,
} from './conformance-options.ts';
import { findLacks } from './find-lacks.ts';
import { hubChecks } from './hub-checks.ts';
import { HubEar } from './hub-ear.ts';
import { readingChecks } from './reading-checks.ts';
import { releaseChecks } from './release-checks.ts';
import { writeChecks } from './write-checks.ts';

/** Every check, in the order in which they run. */
export const CONFORMANCE_CHECKS: readonly ConformanceCheck[] = [
  ...claimChecks,
  ...releaseChecks,
  ...readingChecks,
  ...writeChecks,
  ...hubChecks,
];

/**
 * Checks a backend against what Rowlock's elements expect of one, from outside: by its API, its hub and one guarded
 * route. Each check uses records of its own and leaves no lock behind. Rejects only where the backend cannot be
 * reached, or does not let a person claim at all.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const lacks = await withKit(options, findLacks);
  const results: CheckResult[] = [];
  for (const check of CONFORMANCE_CHECKS) {
    if (!check.id.includes(options.only ?? '')) continue;
    const result = await runCheck(check, options, lacks);
    results.push(result);
    options.onResult?.(result);
  }
  return { results, lacks };
}

async function runCheck(
  { id, needs = [], run }: ConformanceCheck,
  options: ConformanceOptions,
  lacks: Partial<Record<Capability, string>>,
): Promise<CheckResult> {
  const missing = needs.find((need) => isMissing(need, options, lacks));
  if (missing !== undefined) {
    const isLack = isCapability(missing);
    const reason = isLack ? `lacks ${missing}: ${lacks[missing] ?? ''}` : `not asked for: ${missing}`;
    return { id, outcome: isLack && options.isStrict === true ? 'failed' : 'skipped', reason };
  }
  try {
    await withKit(options, run);
    return { id, outcome: 'passed' };
  } catch (error) {
    return { id, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function isMissing(
  need: CheckNeed,
  { tokens, hub, otherType, write }: ConformanceOptions,
  lacks: Partial<Record<Capability, string>>,
): boolean {
  if (isCapability(need)) return lacks[need] !== undefined;
  const given = {
    hub,
    otherType,
    write,
    otherTenant: tokens.otherTenant,
    automation: tokens.automation,
  };
  return given[need] === undefined;
}

function isCapability(need: CheckNeed): need is Capability {
  return (CAPABILITIES as readonly string[]).includes(need);
}

/** Gives a check what it works with, and tidies up after it. */
async function withKit<Result>(
  options: ConformanceOptions,
  use: (kit: CheckKit) => Promise<Result>,
): Promise<Result> {
  const { api, hub = '', tokens, transport, heardWithinMs, entityType } = options;
  const ears: HubEar[] = [];
  const user = (token = '') => new ApiUser(api, token);
  const [anna, ben, carla, robot] = [
    user(tokens.user),
    user(tokens.other),
    user(tokens.otherTenant),
    user(tokens.automation),
  ] as const;
  try {
    return await use({
      options,
      anna,
      ben,
      carla,
      robot,
      write: options.write ?? { url: '' },
      newRef: (type = entityType) => ({ entityType: type, entityUid: `conformance-${newName()}` }),
      listen: async (listener) => {
        const ear = await HubEar.open({ hub, token: listener?.token ?? null, transport, heardWithinMs });
        ears.push(ear);
        return ear;
      },
    });
  } finally {
    await Promise.allSettled(ears.map((ear) => ear.stop()));
    await Promise.all([anna, ben, carla].map((person) => person.letGo()));
  }
}

function newName(): string {
  return Array.from({ length: 3 }, () => Math.random().toString(36).slice(2, 8)).join('');
}
