import type { PageEnvironment, PageMoment } from '../../../components/client/index.ts';

interface Timer {
  readonly run: () => void;
  readonly dueMs: number;
}

/** A page with its own time: timers run when `advance` comes by them, and nothing else makes time pass. */
export class FakePage implements PageEnvironment {
  readonly #timers = new Map<number, Timer>();
  readonly #listeners = new Set<(moment: PageMoment, event?: Event) => void>();
  #nextId = 1;
  #elapsedMs = 0;
  /** What timers go by: it stands still while the machine sleeps. */
  #runningMs = 0;
  wallOffsetMs = 1_700_000_000_000;
  visible = true;
  randoms: number[] = [];
  /** A hidden tab's timers run once in so many milliseconds. */
  throttleMs = 0;

  readonly timers = {
    set: (run: () => void, delayMs: number): unknown => {
      const id = this.#nextId++;
      const dueMs = this.#runningMs + Math.max(0, delayMs);
      this.#timers.set(id, { run, dueMs: this.throttleMs > 0 ? ceil(dueMs, this.throttleMs) : dueMs });
      return id;
    },
    clear: (timer: unknown): void => {
      this.#timers.delete(timer as number);
    },
  };

  now(): number {
    return this.wallOffsetMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#runningMs;
  }

  random(): number {
    return this.randoms.shift() ?? 0.5;
  }

  isVisible(): boolean {
    return this.visible;
  }

  onMoment(listener: (moment: PageMoment, event?: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Lets something happen to the page. Listeners run before this returns. */
  fire(moment: PageMoment, event?: Event): void {
    for (const listener of [...this.#listeners]) listener(moment, event);
  }

  /** The machine sleeps: the wall clock goes on, timers and the monotonic clock do not. */
  sleep(ms: number): void {
    this.#elapsedMs += ms;
  }

  /** Lets time pass, running what falls due in its order, with every promise settled in between. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#runningMs + ms;
    await settle();
    for (;;) {
      const next = [...this.#timers]
        .filter(([, { dueMs }]) => dueMs <= endMs)
        .sort((a, b) => a[1].dueMs - b[1].dueMs)[0];
      if (next === undefined) break;
      const [id, { run, dueMs }] = next;
      this.#timers.delete(id);
      this.#pass(Math.max(0, dueMs - this.#runningMs));
      run();
      await settle();
    }
    this.#pass(endMs - this.#runningMs);
    await settle();
  }

  #pass(ms: number): void {
    this.#runningMs += ms;
    this.#elapsedMs += ms;
  }
}

/** Runs every promise that is ready. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function ceil(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
