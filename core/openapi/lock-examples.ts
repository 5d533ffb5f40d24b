import type { LiveLock } from '../entity-lock.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../lock-answers.ts';

export const EXAMPLE_LOCK: LiveLock = {
  entityType: 'ApprovalRequest',
  entityUid: 'REQ-1042',
  holderOid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  holderName: 'Anna Berg',
  acquiredAtUtc: '2026-03-02T09:14:07.312Z',
  expiresAtUtc: '2026-03-02T09:19:07.312Z',
  expiresInMs: 300_000,
  fence: 1_772_442_847_312,
  at: 1_772_442_847_312_000,
};

const anna = { holderOid: EXAMPLE_LOCK.holderOid };
const ben = { holderOid: '16fd2706-8baf-433b-82eb-8c7fada847da' };
const lease = { changed: false, otherSessions: 0, renewAfterMs: 120_000, canTakeOver: false };

export const LEASE_EXAMPLES: Readonly<Record<LeaseAnswer['outcome'], LeaseAnswer>> = {
  acquired: { outcome: 'acquired', lock: EXAMPLE_LOCK, ...lease, me: anna },
  held: { outcome: 'held', lock: EXAMPLE_LOCK, ...lease, changed: true, canTakeOver: true, me: ben },
  lost: { outcome: 'lost', lock: null, ...lease, changed: true, me: anna },
  unknown: { outcome: 'unknown', lock: null, ...lease, changed: null, renewAfterMs: 10_000, me: anna },
};

export const RELEASE_EXAMPLES: Readonly<Record<ReleaseAnswer['outcome'], ReleaseAnswer>> = {
  released: { outcome: 'released' },
  kept: { outcome: 'kept' },
  gone: { outcome: 'gone' },
  held: { outcome: 'held' },
  unknown: { outcome: 'unknown' },
};

export const LIST_EXAMPLES: Readonly<Record<string, ListAnswer>> = {
  locks: { locks: [EXAMPLE_LOCK], asOf: EXAMPLE_LOCK.at, me: ben, store: 'ok' },
  unavailable: { locks: [], asOf: 0, me: ben, store: 'unavailable' },
};
