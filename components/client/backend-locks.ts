import { LOCK_OPERATIONS, type ChangeAuthor, type EntityChange } from '../../core/entity-change.ts';
import type { EntityLock, LiveLock } from '../../core/entity-lock.ts';
import type { EntityRef } from '../../core/entity-ref.ts';
import { microClock } from '../../core/micro-clock.ts';
import { entitySpelling } from './entity-spelling.ts';
import type { PageEnvironment } from './page-environment.ts';

/** What a backend's lock must say at least: the record. Where it knows no order and no remaining time, they are made up for. */
export type BackendLock = EntityLock & Partial<Pick<LiveLock, 'expiresInMs' | 'fence' | 'at'>>;

/** What a backend's hub event must say at least. `Released` needs no lock; other lock operations without one mean "fetch again". */
export interface BackendChange extends EntityRef {
  /** One of Rowlock's four for a lock (`Acquired` …), anything else for a change of the record's data. */
  readonly operation: string;
  /** The lock that came, was renewed or ended; absent for a change of data. */
  readonly lock?: BackendLock | null;
  /**
   * When, in microseconds of the store's clock. Absent = the client takes changes in the order in which they come.
   */
  readonly at?: number;
  /** Who changed the data, where the backend says. */
  readonly by?: ChangeAuthor;
}

const NOBODY = { holderOid: '', holderName: '', acquiredAtUtc: '', expiresAtUtc: '' };

/**
 * Completes what a backend leaves out, so that the rest of the client sees one kind of lock: the remaining time by the
 * server's own clock as its `Date` headers show it (to the second), the order of events by when they were asked for or
 * came in (microseconds of this page).
 */
export class BackendLocks {
  readonly #page: PageEnvironment;
  /** The present moment in the page's own order. */
  readonly stamp: () => number;
  /** Server's clock minus the page's. */
  #offsetMs = 0;

  constructor(page: PageEnvironment) {
    this.#page = page;
    this.stamp = microClock(() => page.now());
  }

  /** An answer showed the server's clock. NaN = it did not. */
  heardClock(serverNowMs: number): void {
    if (serverNowMs) this.#offsetMs = serverNowMs - this.#page.now();
  }

  /** `at`: the moment the answer was asked for, or the event came in. */
  lock(lock: BackendLock, at: number): LiveLock {
    const expiresInMs = Date.parse(lock.expiresAtUtc) - this.#page.now() - this.#offsetMs;
    return { at, fence: 0, expiresInMs: Math.max(0, expiresInMs || 0), ...lock, ...entitySpelling(lock) };
  }

  /** null: a lock came or went, and the event does not say which. */
  change({ operation, lock, by, at = this.stamp(), ...named }: BackendChange): EntityChange | null {
    const ref = entitySpelling(named);
    if (!LOCK_OPERATIONS.some((known) => known === operation))
      return { ...ref, operation, at, ...(by && { by }) };
    if (!lock && operation !== 'Released') return null;
    const live = this.lock(lock ?? { ...NOBODY, ...ref }, at);
    return { ...ref, operation, at, lock: live, fence: live.fence } as EntityChange;
  }
}
