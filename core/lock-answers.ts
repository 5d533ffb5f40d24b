import type { LiveLock } from './entity-lock.ts';

/** Who asked, so that a page knows which locks are its own. */
export interface Me {
  /** The caller's object id. */
  readonly holderOid: string;
}

/** The answer to claim, renew and take-over. */
export interface LeaseAnswer {
  /** `acquired` – yours; `held` – somebody else's; `lost` – no longer yours; `unknown` – the store cannot say. */
  readonly outcome: 'acquired' | 'held' | 'lost' | 'unknown';
  /** The lock as it stands now; null where the record is free or the store cannot say. */
  readonly lock: LiveLock | null;
  /** Another holder had the entity since the caller's fence; null = cannot say. It speaks of holders, not of versions. */
  readonly changed: boolean | null;
  /** The caller's other open forms on this entity. */
  readonly otherSessions: number;
  /** Ask again after so many milliseconds. */
  readonly renewAfterMs: number;
  /** Whether a take-over by the caller would be allowed now. */
  readonly canTakeOver: boolean;
  /** Who asked. */
  readonly me: Me;
}

/** The answer to a release. */
export interface ReleaseAnswer {
  /**
   * `released` – free, or free when the grace ends; `kept` – other sessions of the caller hold it; `gone` – there
   * was none; `held` – somebody else's; `unknown` – the store cannot say.
   */
  readonly outcome: 'released' | 'kept' | 'gone' | 'held' | 'unknown';
}

/** The answer to every read. */
export interface ListAnswer {
  /** The live locks; those that the caller may not see are left out. */
  readonly locks: readonly LiveLock[];
  /** Microseconds of the store's clock. 0 where the store is unavailable. */
  readonly asOf: number;
  /** Who asked. */
  readonly me: Me;
  /** `unavailable` = nobody knows; the empty list says nothing. */
  readonly store: 'ok' | 'unavailable';
  /** Pass as `cursor` for the next page. */
  readonly next?: string;
}
