import { Listeners } from './listeners.ts';
import type { LockMap } from './lock-map.ts';
import type { LockView } from './lock-view.ts';
import type { LeaseState } from './lease-state.ts';
import { IDLE_VIEW, type LeaseView } from './lease-view.ts';

/** What one lease shows: the only place where its view changes, and whence every listener hears of it. */
export class LeaseDisplay {
  readonly #locks: LockMap;
  readonly #key: string;
  readonly #listeners = new Listeners<[LeaseView, LeaseView]>();
  #view = IDLE_VIEW;

  constructor(locks: LockMap, key: string) {
    this.#locks = locks;
    this.#key = key;
  }

  get view(): LeaseView {
    return this.#view;
  }

  /** What the map knows of the lock by now; the view may be a moment older. */
  get known(): LockView | null {
    return this.#locks.get(this.#key);
  }

  /** Blocked by another holder, or by one who was there a moment ago. */
  get isWaiting(): boolean {
    return this.is('held', 'lost');
  }

  /** Blocked with nobody in the way: an answer that does not come must not keep it so. */
  get isBlockedByNobody(): boolean {
    return this.is('claiming') || (this.isWaiting && this.#view.lock === null);
  }

  /** Whatever is heard of the lock decides how to go on. */
  get isOpenToNews(): boolean {
    return this.isWaiting || this.is('unknown');
  }

  is(...states: readonly LeaseState[]): boolean {
    return states.includes(this.#view.state);
  }

  /** Hears every change. Returns its own unsubscribe. */
  subscribe(listener: (view: LeaseView, previous: LeaseView) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Changes what is named, and the lock to what the map knows. Tells nobody where that changes nothing. */
  show(change: Partial<LeaseView> = {}): void {
    const previous = this.#view;
    const { state } = { ...previous, ...change };
    // One's own lock never shows as somebody else's: news of it may come before the answer, or after the release.
    const isForeignOnly = state === 'held' || state === 'lost' || state === 'released';
    const known = isForeignOnly && this.known?.mine === true ? null : this.known;
    const view = { ...previous, ...change, lock: known?.lock ?? null, endsAtMs: known?.endsAtMs ?? null };
    if ((Object.keys(view) as (keyof LeaseView)[]).every((name) => view[name] === previous[name])) return;
    this.#view = view;
    this.#listeners.call(view, previous);
  }
}
