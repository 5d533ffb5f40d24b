import { refKey, type EntityRef } from '../core/entity-ref.ts';
import { withDeadline } from './client/answer-deadline.ts';
import type { LockClient, LockView } from './client/index.ts';
import { browserPage } from './client/page-environment.ts';

/** Where the hub does not tell, the list is fetched anew so often while the page is visible. */
const REFRESH_EVERY_MS = 30_000;

/** The user's own locks of all types: fetched once, then kept by the hub's news for every type that is known of. */
export class MyLocks {
  readonly #changed: () => void;
  #client: LockClient | null = null;
  #named: readonly string[] = [];
  /** Every type of which there was a lock, and those that were named. */
  #types = new Set<string>();
  #fetched: readonly LockView[] = [];
  /** Of what was let go here, when that lock began: news of its end may come later than the answer. */
  readonly #released = new Map<string, string>();
  /** Answers of a time that is over are dropped. */
  #asked = 0;
  #leave = (): void => {};
  /** `loading`: nothing is known yet. `failed`: the last try was, and nothing newer is known. */
  state: 'loading' | 'ready' | 'failed' = 'loading';

  /** `changed` hears that there is something new to show. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What to show, the oldest first. */
  get views(): readonly LockView[] {
    const client = this.#client;
    const now = Date.now();
    return [...this.#types]
      .flatMap((type) => {
        const known = client?.known(type)?.filter(({ mine }) => mine);
        return known ?? this.#fetched.filter(({ lock }) => lock.entityType === type);
      })
      .filter(
        ({ lock, endsAtMs }) => endsAtMs > now && this.#released.get(refKey(lock)) !== lock.acquiredAtUtc,
      )
      .sort((one, other) => Date.parse(one.lock.acquiredAtUtc) - Date.parse(other.lock.acquiredAtUtc));
  }

  /** Shows the locks of this client's user; null = nobody's. `types` are heard of from the beginning. */
  use(client: LockClient | null, types: readonly string[]): void {
    if (client === this.#client && types.join() === this.#named.join()) return;
    if (client !== this.#client) {
      this.#fetched = [];
      this.#types.clear();
      this.#released.clear();
      this.state = 'loading';
    }
    this.#client = client;
    this.#named = types;
    this.#hear(types);
    if (client === null) this.#asked += 1;
    else void this.refresh();
  }

  /** Asks the server. Never rejects. */
  async refresh(): Promise<void> {
    const asked = (this.#asked += 1);
    const { transport } = this.#client ?? {};
    try {
      const asking = transport?.mine?.();
      if (asking === undefined) throw new Error('This backend has no list of own locks.');
      const answer = await withDeadline(browserPage, () => asking);
      if (asked !== this.#asked) return;
      if (answer.store === 'unavailable') throw new Error('No answer');
      const now = Date.now();
      this.#fetched = answer.locks.map((lock) => ({ lock, mine: true, endsAtMs: now + lock.expiresInMs }));
      this.state = 'ready';
      this.#hear(answer.locks.map(({ entityType }) => entityType));
    } catch {
      if (asked !== this.#asked) return;
      this.state = 'failed';
    }
    this.#changed();
  }

  /**
   * Lets go of a record in all of the user's windows. A form that has it open keeps what was typed, and claims again when
   * somebody types there. Answers whether the lock is gone; never rejects.
   */
  async release({ lock }: LockView): Promise<boolean> {
    const client = this.#client;
    if (client === null) return false;
    const ref: EntityRef = { entityType: lock.entityType, entityUid: lock.entityUid };
    // A form of this very page lets go by itself: it would claim again what it believes to have.
    const handle = client.openLease(ref);
    await handle.lease.release();
    handle.close();
    const how = { sessionId: '', graceMs: 0, keepalive: false, all: true };
    const outcome = await withDeadline(browserPage, () => client.transport.release(ref, how)).then(
      (answer) => answer.outcome,
      () => 'unknown',
    );
    const isGone = /released|gone|held/.test(outcome);
    if (isGone) this.#released.set(refKey(lock), lock.acquiredAtUtc);
    this.#changed();
    return isGone;
  }

  /** Hears of these types, too, from now on. */
  #hear(types: readonly string[]): void {
    const client = this.#client;
    const before = this.#types.size;
    for (const type of types) this.#types.add(type);
    if (client !== null && before > 0 && before === this.#types.size) return;
    this.#leave();
    this.#leave = () => {};
    if (client === null) return;
    const unobserve = client.observe([...this.#types], this.#changed);
    const unhear = browserPage.onMoment((moment) => {
      if (moment === 'wake') void this.refresh();
    });
    const timer = setInterval(() => {
      const isDeaf = this.state === 'failed' || [...this.#types].some((type) => client.known(type) === null);
      if (isDeaf && browserPage.isVisible()) void this.refresh();
      // Ends what has run out.
      else this.#changed();
    }, REFRESH_EVERY_MS);
    this.#leave = () => {
      unobserve();
      unhear();
      clearInterval(timer);
    };
  }
}
