import type { Timers } from '../../../../core/index.ts';

/** Timers whose time passes only when a test says so. */
export class FakeTimers implements Timers {
  #nowMs = 0;
  #next = 1;
  readonly #due = new Map<number, { readonly atMs: number; readonly run: () => void }>();

  /** How many are set. 0 after an end that leaves nothing behind. */
  get pending(): number {
    return this.#due.size;
  }

  set(run: () => void, delayMs: number): number {
    const id = this.#next;
    this.#next += 1;
    this.#due.set(id, { atMs: this.#nowMs + delayMs, run });
    return id;
  }

  clear(timer: unknown): void {
    this.#due.delete(timer as number);
  }

  /** Lets time pass, and runs what falls due in its order. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    while (true) {
      const [first] = [...this.#due]
        .filter(([, { atMs }]) => atMs <= endMs)
        .sort(([, a], [, b]) => a.atMs - b.atMs);
      if (first === undefined) break;
      const [id, { atMs, run }] = first;
      this.#due.delete(id);
      this.#nowMs = atMs;
      run();
    }
    this.#nowMs = endMs;
  }
}
