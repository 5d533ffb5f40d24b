import type { LiveLock } from '../../core/entity-lock.ts';
import { refKey } from '../../core/entity-ref.ts';
import type { ListAnswer } from '../../core/lock-answers.ts';
import { listenersByKey } from './listeners.ts';
import type { LockView } from './lock-view.ts';
import type { PageClock } from './page-clock.ts';
import type { PageEnvironment } from './page-environment.ts';

/** Why a view changed: hub or answer, a list, or the end of the lease by this page's own timer. */
export type LockCause = 'news' | 'list' | 'lapse';

/** How long the end of a lock is remembered, so that older news that comes late does not bring it back. */
const REMEMBER_MS = 600_000;

interface Entry {
  readonly lock: LiveLock;
  /** By the page's wall clock, for people. */
  readonly endsAtMs: number;
  /** By the page's own time. */
  readonly endsAt: number;
  /** Nobody has heard yet that it ended. */
  readonly isLive: boolean;
}

/**
 * Every lock this page knows of, in the order in which the store made them so: by (fence, at), older news dropped.
 * A lock ends by news, by a list that is not older, or by this page's own timer; server dates are never compared with
 * the page's clock.
 */
export type LockMap = ReturnType<typeof lockMap>;

/** Makes a {@link LockMap}. Whoever owns the clock calls `sweep()` at every look. */
export function lockMap(page: PageEnvironment, clock: PageClock) {
  const entries = new Map<string, Entry>();
  const listeners = listenersByKey<[LockView | null, LockCause]>();
  let holderOid: string | null = null;

  const get = (key: string): LockView | null => {
    const entry = entries.get(key);
    if (!entry?.isLive || clock.isOver(entry.endsAt)) return null;
    const { lock, endsAtMs } = entry;
    return { lock, mine: lock.holderOid === holderOid, endsAtMs };
  };
  const put = (key: string, entry: Entry, cause: LockCause) => {
    entries.set(key, entry);
    listeners.call(key, get(key), cause);
    listeners.call('', null, cause);
  };
  const apply = (lock: LiveLock, hasEnded = false, cause: LockCause = 'news') => {
    const key = refKey(lock);
    const { fence, at, expiresInMs } = lock;
    const known = entries.get(key)?.lock;
    if (known) {
      const isSameFence = !fence || !known.fence || fence === known.fence;
      if (isSameFence ? at <= known.at : fence < known.fence) {
        return fence === known.fence && at === known.at;
      }
    }
    const endsAt = clock.after(expiresInMs);
    put(key, { lock, endsAtMs: page.now() + expiresInMs, endsAt, isLive: !hasEnded }, cause);
    return true;
  };

  return {
    /** The page's own user, as the last answer said; null before the first one. Views follow. */
    get holderOid() {
      return holderOid;
    },
    set holderOid(oid: string | null) {
      if (!oid || oid === holderOid) return;
      holderOid = oid;
      for (const key of entries.keys()) {
        const view = get(key);
        if (view) listeners.call(key, view, 'news');
      }
    },
    /** The live lock under a `refKey`, as far as is known. */
    get,
    /** All live locks of a type that are known. */
    ofType: (entityType: string): readonly LockView[] =>
      [...entries].flatMap(([key, { lock }]) => (lock.entityType === entityType && get(key)) || []),
    /** Hears every change under one `refKey`; under `""`, that there was one somewhere. Returns its own unsubscribe. */
    subscribe: listeners.add,
    /** Takes in one lock, or its end. Answers whether that is the last word on the entity; older news changes nothing. */
    apply,
    /** Takes in the live locks of a type: changes or removes only what is not newer than the list. */
    applyList(entityType: string, { locks, asOf }: ListAnswer): void {
      const listed = new Set(locks.map(refKey));
      for (const lock of locks) apply(lock, false, 'list');
      for (const [key, entry] of entries) {
        const { lock, isLive } = entry;
        if (lock.entityType === entityType && isLive && !listed.has(key) && lock.at <= asOf) {
          put(key, { ...entry, lock: { ...lock, at: asOf }, isLive: false }, 'list');
        }
      }
    },
    /** Ends what has run out. */
    sweep(): void {
      for (const [key, entry] of entries) {
        if (!clock.isOver(entry.endsAt)) continue;
        if (entry.isLive) put(key, { ...entry, isLive: false }, 'lapse');
        else if (clock.isOver(entry.endsAt + REMEMBER_MS)) entries.delete(key);
      }
    },
    /** Forgets everything, the page's user too: another backend, or nobody listens any more. */
    clear(): void {
      const keys = [...entries.keys()];
      entries.clear();
      holderOid = null;
      for (const key of [...keys, '']) listeners.call(key, null, 'list');
    },
  };
}
