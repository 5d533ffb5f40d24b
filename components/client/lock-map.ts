import type { LiveLock } from '../../core/entity-lock.ts';
import { refKey } from '../../core/entity-ref.ts';
import type { ListAnswer } from '../../core/lock-answers.ts';
import { countdown, type Countdown } from './countdown.ts';
import { Listeners } from './listeners.ts';
import type { LockView } from './lock-view.ts';
import type { PageEnvironment } from './page-environment.ts';

/** Why a view changed: hub or answer, a list, or the end of the lease by this page's own timer. */
export type LockCause = 'news' | 'list' | 'lapse';

/** Timers are late after a sleep, so the map looks at least this often. */
const LOOK_EVERY_MS = 10_000;
/** How long the end of a lock is remembered, so that older news that comes late does not bring it back. */
const REMEMBER_MS = 600_000;

interface Entry {
  readonly entityType: string;
  readonly fence: number;
  readonly at: number;
  /** null = it ended. */
  readonly view: LockView | null;
  /** Until the end of the lease, then negative. */
  readonly left: Countdown;
}

/**
 * Every lock this page knows of, in the order in which the store made them so: by (fence, at), older news dropped.
 * A lock ends by news, by a list that is not older, or by this page's own timer; server dates are never compared with
 * the page's clock.
 */
export class LockMap {
  readonly #page: PageEnvironment;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Map<string, Listeners<[LockView | null, LockCause]>>();
  #timer: unknown;
  #holderOid: string | null = null;

  constructor(page: PageEnvironment) {
    this.#page = page;
  }

  /** The page's own user, as the last answer said; null before the first one. Views follow. */
  get holderOid(): string | null {
    return this.#holderOid;
  }

  set holderOid(oid: string | null) {
    if (oid === this.#holderOid || oid === '') return;
    this.#holderOid = oid;
    for (const [key, entry] of this.#entries) {
      const { view } = entry;
      if (view === null || view.mine === this.#isMine(view.lock)) continue;
      this.#put(key, { ...entry, view: { ...view, mine: !view.mine } }, 'news');
    }
  }

  /** The live lock under a `refKey`, as far as is known. */
  get(key: string): LockView | null {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.left() > 0 ? entry.view : null;
  }

  /** Hears every change under one `refKey`. Returns its own unsubscribe. */
  subscribe(key: string, listener: (view: LockView | null, cause: LockCause) => void): () => void {
    let listeners = this.#listeners.get(key);
    if (listeners === undefined) this.#listeners.set(key, (listeners = new Listeners()));
    const own = listeners;
    const stop = own.add(listener);
    return () => {
      stop();
      if (own.size === 0 && this.#listeners.get(key) === own) this.#listeners.delete(key);
    };
  }

  /** Takes in one lock, or its end. Answers whether that is the last word on the entity; older news changes nothing. */
  apply(lock: LiveLock, hasEnded = false): boolean {
    const isLastWord = this.#apply(lock, hasEnded, 'news');
    this.#arm();
    return isLastWord;
  }

  /** Takes in the live locks of a type: changes or removes only what is not newer than the list. */
  applyList(entityType: string, { locks, asOf }: ListAnswer): void {
    const listed = new Set(locks.map(refKey));
    for (const lock of locks) this.#apply(lock, false, 'list');
    for (const [key, entry] of this.#entries) {
      if (entry.entityType !== entityType || entry.view === null || listed.has(key) || entry.at > asOf)
        continue;
      this.#put(key, { ...entry, at: asOf, view: null }, 'list');
    }
    this.#arm();
  }

  /** Ends what has run out. Comes by itself; called after a sleep, it does not wait for late timers. */
  sweep(): void {
    for (const [key, entry] of this.#entries) {
      const left = entry.left();
      if (entry.view !== null && left <= 0) this.#put(key, { ...entry, view: null }, 'lapse');
      else if (entry.view === null && left < -REMEMBER_MS) this.#entries.delete(key);
    }
    this.#arm();
  }

  /** Forgets everything, the page's user too: another backend, or nobody listens any more. */
  clear(): void {
    const known = [...this.#entries];
    this.#entries.clear();
    this.#holderOid = null;
    this.#arm();
    for (const [key, { view }] of known) if (view !== null) this.#listeners.get(key)?.call(null, 'list');
  }

  #apply(lock: LiveLock, hasEnded: boolean, cause: LockCause): boolean {
    const key = refKey(lock);
    const { entityType, fence, at, expiresInMs } = lock;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      const hasFences = fence !== 0 && known.fence !== 0;
      if (hasFences && fence !== known.fence ? fence < known.fence : at <= known.at) {
        return fence === known.fence && at === known.at;
      }
    }
    const view = { lock, mine: this.#isMine(lock), endsAtMs: this.#page.now() + expiresInMs };
    const left = countdown(this.#page, hasEnded ? 0 : expiresInMs);
    this.#put(key, { entityType, fence, at, left, view: hasEnded ? null : view }, cause);
    return true;
  }

  #put(key: string, entry: Entry, cause: LockCause): void {
    this.#entries.set(key, entry);
    this.#listeners.get(key)?.call(entry.view, cause);
  }

  #isMine(lock: LiveLock): boolean {
    return lock.holderOid === this.#holderOid;
  }

  /** One timer for all of them. */
  #arm(): void {
    this.#page.timers.clear(this.#timer);
    let next = Infinity;
    for (const { view, left } of this.#entries.values()) if (view !== null) next = Math.min(next, left());
    if (next === Infinity) return;
    this.#timer = this.#page.timers.set(() => this.sweep(), Math.max(0, Math.min(next, LOOK_EVERY_MS)));
  }
}
