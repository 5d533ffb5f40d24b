/** The two timer calls that whatever owns a timer needs: narrow, so that tests bring their own clock. */
export interface Timers {
  /** Runs it once after so long; answers what `clear` takes. */
  set(run: () => void, delayMs: number): unknown;
  /** Undoes a `set` that has not run. */
  clear(timer: unknown): void;
}

// Every host of this code has these two; `core/` names neither the DOM's types nor Node's.
const host = globalThis as unknown as {
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

/** The host's own timers. */
export const systemTimers: Timers = {
  set: (run, delayMs) => host.setTimeout(run, delayMs),
  clear: (timer) => host.clearTimeout(timer),
};
