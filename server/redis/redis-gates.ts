import type { RedisGate } from './redis-gate.ts';

/** Finds the gate in front of the Redis that keeps a tenant's locks: one for all, or on a cluster one for each node. */
export interface RedisGates {
  of(tenant: string): RedisGate;
}
