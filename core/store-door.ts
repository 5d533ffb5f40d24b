import { LockError } from './lock-error.ts';
import { StoreUnavailable } from './lock-store.ts';
import type { Log } from './log.ts';

/** One warning per outage and five seconds, whatever the load. */
const WARN_EVERY_MS = 5_000;

/** The one door to the lock store: it fails open, remembers what the last call came to, and warns now and then. */
export class StoreDoor {
  readonly #log: Log;
  readonly #now: () => number;
  #state: 'ok' | 'unavailable' = 'ok';
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** What the last call to the store came to. */
  get state(): 'ok' | 'unavailable' {
    return this.#state;
  }

  /** null = the store could not say, for whatever reason. Rejects with `LockError`s alone: those are the caller's. */
  async ask<Result>(call: () => Promise<Result>): Promise<Result | null> {
    try {
      const result = await call();
      this.#state = 'ok';
      return result;
    } catch (error) {
      if (error instanceof LockError) throw error;
      this.#state = 'unavailable';
      this.warn('Locks are open: the lock store cannot be used.', error);
      return null;
    }
  }

  /** Tells the operator, unless something was told a moment ago. A fault in the set-up is an error: waiting does not help. */
  warn(message: string, error: unknown): void {
    const nowMs = this.#now();
    if (nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    const level = error instanceof StoreUnavailable && error.setupFault ? 'error' : 'warn';
    this.#log[level](message, {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}
