import {
  TransportError,
  type LockTransport,
  type RowlockConfig,
  type TransportListener,
} from '../../components/client/index.ts';
import type { EntityChange, EntityRef, LeaseAnswer, LiveLock } from '../../core/index.ts';
import { DEMO_USERS } from '../demo-users.ts';

/** What a backend of one record says, whatever is asked. */
export interface ScriptedBackend {
  /** The answer to claim and renew; null = none ever. */
  readonly answer: (ref: EntityRef) => Partial<LeaseAnswer> | null;
  /** Told once the page has its first answer. */
  readonly then?: (ref: EntityRef) => readonly EntityChange[];
  /** Why a take-over is refused; absent = it is granted. */
  readonly refusal?: string;
}

const LEASE_MS = 300_000;
const { anna, ben } = DEMO_USERS;
/** Grows with every lock, as a store's does with every other holder: pages take what is older for old news. */
let lastFence = 0;

/**
 * A backend without a server, for states that would need a bad day or five minutes of patience. An application uses the
 * same interface to speak with a backend of its own.
 */
export function scriptedBackend({ answer, then, refusal }: ScriptedBackend): RowlockConfig {
  let listener: TransportListener | null = null;
  let isTold = false;
  const ask = async (ref: EntityRef): Promise<LeaseAnswer> => {
    const said = answer(ref);
    if (said === null) return new Promise(() => {});
    if (!isTold) setTimeout(() => then?.(ref).forEach((change) => listener?.changed(change)), 0);
    isTold = true;
    return leaseAnswer(ref, said);
  };
  const transport: LockTransport = {
    capabilities: { sessions: true, fence: true, takeOver: true, grace: true, remainingMs: true },
    claim: ask,
    renew: ask,
    takeOver: async (ref) => {
      if (refusal !== undefined) {
        throw new TransportError(refusal, { status: 403, code: 'take-over-denied' });
      }
      return leaseAnswer(ref, { outcome: 'acquired', changed: true });
    },
    release: async () => ({ outcome: 'released' }),
    list: async () => ({ locks: [], asOf: 0, me: { holderOid: anna.principal.oid }, store: 'unavailable' }),
    subscribe(heard) {
      listener = heard;
      queueMicrotask(() => heard.connected(true));
      return {
        setTypes: () => {},
        nudge: () => {},
        stop: () => {
          listener = null;
        },
      };
    },
  };
  return { transport };
}

function leaseAnswer(ref: EntityRef, said: Partial<LeaseAnswer>): LeaseAnswer {
  const { outcome = 'acquired' } = said;
  const holder = outcome === 'acquired' ? anna : ben;
  return {
    outcome,
    lock: outcome === 'unknown' ? null : lockOf(ref, holder.key === 'anna' ? 'anna' : 'ben'),
    changed: false,
    otherSessions: 0,
    renewAfterMs: 120_000,
    canTakeOver: false,
    me: { holderOid: anna.principal.oid },
    ...said,
  };
}

/** A lock of one of them, begun four minutes ago. */
export function lockOf(ref: EntityRef, user: 'anna' | 'ben', expiresInMs = LEASE_MS): LiveLock {
  const { oid, name } = DEMO_USERS[user].principal;
  const now = Date.now();
  return {
    ...ref,
    holderOid: oid,
    holderName: name,
    acquiredAtUtc: new Date(now - 240_000).toISOString(),
    expiresAtUtc: new Date(now + expiresInMs).toISOString(),
    expiresInMs,
    fence: ++lastFence,
    at: now * 1_000,
  };
}
