import { withDeadline } from './answer-deadline.ts';
import type { PageEnvironment } from './page-environment.ts';
import { TransportError } from './lock-transport.ts';
import { retryDelayMs } from './retry-delays.ts';

interface ListLoaderOptions {
  readonly page: PageEnvironment;
  /** Fetches one type's list and takes it in. */
  readonly load: (entityType: string, signal: AbortSignal) => Promise<void>;
  /** Hears what the server refuses for good; everything else is tried again, without end. */
  readonly complain: (message: string) => void;
}

/** Fetches the lists of entity types: one call per type however many ask, repeated with growing delays until it succeeds. */
export class ListLoader {
  readonly #options: ListLoaderOptions;
  readonly #timers = new Map<string, unknown>();

  constructor(options: ListLoaderOptions) {
    this.#options = options;
  }

  /** Fetches a type's list in `delayMs`; takes the place of an earlier request that has not begun. */
  request(entityType: string, delayMs: number, attempt = 0): void {
    const { timers } = this.#options.page;
    timers.clear(this.#timers.get(entityType));
    this.#timers.set(
      entityType,
      timers.set(() => void this.#run(entityType, attempt), delayMs),
    );
  }

  /** Forgets every request; a call on its way is not tried again. */
  stop(): void {
    for (const timer of this.#timers.values()) this.#options.page.timers.clear(timer);
    this.#timers.clear();
  }

  async #run(entityType: string, attempt: number): Promise<void> {
    const { page, load, complain } = this.#options;
    const timer = this.#timers.get(entityType);
    try {
      await withDeadline(page, (signal) => load(entityType, signal));
    } catch (error) {
      if (!(error instanceof TransportError && error.isTransient)) complain(String(error));
      else if (this.#timers.get(entityType) === timer) {
        this.request(entityType, retryDelayMs(attempt, page.random()), attempt + 1);
      }
    }
  }
}
