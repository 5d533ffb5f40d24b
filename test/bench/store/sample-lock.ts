import type { EntityRef, LockHolder, LockTarget } from '../../../core/index.ts';

export const BENCH_TYPE = 'ApprovalRequest';
export const LEASE_MS = 300_000;

/** Ids as long as the real ones: everything about a lock travels. */
export const ANNA: LockHolder = { oid: '7d3f1c52-9a1e-4a34-8b5e-0d6f3b1a2c44', name: 'Anna Example' };
export const BOB: LockHolder = { oid: 'aa3f1c52-9a1e-4a34-8b5e-0d6f3b1a2c55', name: 'Bob Example' };
export const BENCH_SESSION = '9b2f1c52-9a1e-4a34-8b5e-0d6f3b1a2c99';

/** The entity number `index`, with a GUID as its uid. */
export function sampleRef(index: number, entityType = BENCH_TYPE): EntityRef {
  return { entityType, entityUid: `0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, '0')}` };
}

export function sampleTarget(tenant: string, index: number): LockTarget {
  return { tenant, ref: sampleRef(index) };
}
