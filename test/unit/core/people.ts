import type { Principal } from '../../../core/index.ts';

export const ANNA: Principal = { tenant: 'acme', oid: 'anna', name: 'Anna', kind: 'user' };
export const BEN: Principal = { tenant: 'acme', oid: 'ben', name: 'Ben', kind: 'user' };
export const ROBOT: Principal = { tenant: 'acme', oid: 'robot', name: 'Nightly job', kind: 'automation' };
/** A user of another tenant. */
export const EVE: Principal = { tenant: 'umbrella', oid: 'eve', name: 'Eve', kind: 'user' };
