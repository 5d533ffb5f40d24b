import { BLOCKED_STATES, type LeaseState } from './client/lease-state.ts';

/** Whether the application loads the record anew: the form stays blocked while that is `pending` or has `failed`. */
export type LoadState = 'none' | 'pending' | 'failed';

/**
 * Decides when a form may be typed into. Having the lock is not enough: what it shows must not be old. And whoever is
 * typing is not interrupted by a question that has no answer yet.
 */
export class FormGate {
  #wasOpen = false;
  #load: Promise<unknown> | null = null;
  #hasFailed = false;
  #isUnobtrusive = false;

  /** Something may have been typed since this record's form appeared. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  get load(): LoadState {
    return this.#load !== null ? 'pending' : this.#hasFailed ? 'failed' : 'none';
  }

  /** Another record's form. */
  reset(): void {
    this.#wasOpen = this.#isUnobtrusive = false;
    this.loaded();
  }

  /** A state was entered. What was being loaded before was loaded for nothing. */
  enter(state: LeaseState, previous: LeaseState): void {
    this.loaded();
    if (state !== 'claiming') this.#isUnobtrusive = false;
    else if (previous === 'unknown' || previous === 'error') this.#isUnobtrusive = true;
  }

  /** The next claim comes from an open form, where somebody is typing: it does not block until it is answered. */
  beginUnobtrusive(): void {
    this.#isUnobtrusive = true;
  }

  /** The record is shown as it is. */
  loaded(): void {
    this.#load = null;
    this.#hasFailed = false;
  }

  /** Stays shut until `load` settles. `done` hears of it, unless the load was overtaken by other events. */
  waitFor(load: Promise<unknown>, done: (isLoaded: boolean) => void): void {
    const settle = (isLoaded: boolean): void => {
      if (this.#load !== load) return;
      this.#load = null;
      this.#hasFailed = !isLoaded;
      done(isLoaded);
    };
    this.#load = load;
    this.#hasFailed = false;
    load.then(
      () => settle(true),
      (error: unknown) => {
        // eslint-disable-next-line no-console -- the application's own failure, which would vanish here
        console.error('Rowlock: the loading that lock-acquired or lock-reload waited for has failed.', error);
        settle(false);
      },
    );
  }

  /** The form is open, so from now on something may have been typed. */
  noteOpen(): void {
    this.#wasOpen = true;
  }

  /** Whether nothing may be typed now. */
  isShut(state: LeaseState, isStale: boolean): boolean {
    if (state === 'claiming') return !this.#isUnobtrusive;
    if (state === 'mine') return isStale || this.load !== 'none';
    return BLOCKED_STATES.has(state);
  }
}
