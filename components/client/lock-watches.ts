import { refKey, type EntityRef } from '../../core/entity-ref.ts';
import type { ListAnswer } from '../../core/lock-answers.ts';
import { entitySpelling } from './entity-spelling.ts';
import { ListLoader } from './list-loader.ts';
import type { LockMap } from './lock-map.ts';
import { TransportError } from './lock-transport.ts';
import type { LockView } from './lock-view.ts';
import type { PageEnvironment } from './page-environment.ts';

/** After a gap, the lists of all pages are fetched within so many milliseconds of each other. */
const REFETCH_SPREAD_MS = 500;

interface LockWatchesOptions {
  readonly page: PageEnvironment;
  readonly locks: LockMap;
  readonly list: (entityType: string, signal: AbortSignal) => Promise<ListAnswer>;
  readonly complain: (message: string) => void;
  /** Hears that there is a watch more, or less. */
  readonly changed: () => void;
}

/** Who watches which record, and the lists that they need: one call per type, repeated after every gap. */
export class LockWatches {
  readonly #options: LockWatchesOptions;
  readonly #lists: ListLoader;
  /** Entity type → watches. */
  readonly #watched = new Map<string, number>();
  /** The types whose lists were asked for, and are kept up to date since. */
  readonly #listed = new Set<string>();

  constructor(options: LockWatchesOptions) {
    const { page, complain } = options;
    this.#options = options;
    this.#lists = new ListLoader({ page, complain, load: (type, signal) => this.#load(type, signal) });
  }

  get entityTypes(): readonly string[] {
    return [...this.#watched.keys()];
  }

  /** Tells `listener` in a microtask what is known, then every change. Returns its own unsubscribe. */
  add(ref: EntityRef, listener: (view: LockView | null) => void): () => void {
    const { locks, changed } = this.#options;
    const spelled = entitySpelling(ref);
    const key = refKey(spelled);
    const { entityType } = spelled;
    const count = (by: number) => {
      const watches = (this.#watched.get(entityType) ?? 0) + by;
      if (watches > 0) this.#watched.set(entityType, watches);
      else this.#watched.delete(entityType);
      changed();
    };
    let isWatching = true;
    const unsubscribe = locks.subscribe(key, (view) => listener(view));
    count(1);
    queueMicrotask(() => {
      if (isWatching) listener(locks.get(key));
    });
    return () => {
      if (!isWatching) return;
      isWatching = false;
      unsubscribe();
      count(-1);
    };
  }

  /** Fetches the lists that were never fetched. */
  fetch(): void {
    for (const entityType of this.#watched.keys()) {
      if (!this.#listed.has(entityType)) this.#request(entityType, 0);
    }
  }

  /** Fetches these types again, each page at a moment of its own. */
  refetch(entityTypes: Iterable<string>): void {
    const { page } = this.#options;
    for (const entityType of entityTypes) this.#request(entityType, page.random() * REFETCH_SPREAD_MS);
  }

  /** Forgets what was fetched, and fetches nothing more until it is told to. */
  stop(): void {
    this.#lists.stop();
    this.#listed.clear();
  }

  #request(entityType: string, delayMs: number): void {
    this.#listed.add(entityType);
    this.#lists.request(entityType, delayMs);
  }

  async #load(entityType: string, signal: AbortSignal): Promise<void> {
    const { locks, list } = this.#options;
    const answer = await list(entityType, signal);
    // Answers of a time that is over: too late, or of the backend before.
    if (signal.aborted || !this.#listed.has(entityType)) return;
    if (answer.store === 'unavailable')
      throw new TransportError('The lock store is unavailable.', { status: 503 });
    locks.holderOid = answer.me.holderOid;
    locks.applyList(entityType, answer);
  }
}
