import { refKey, type EntityRef } from '../../core/entity-ref.ts';
import type { PageEnvironment } from './page-environment.ts';
import type { LeaseMachine } from './lease-machine.ts';

interface Entry {
  readonly lease: LeaseMachine;
  count: number;
  timer: unknown;
}

/**
 * One lease per record and page, counted. Closing takes effect a moment later, so that an element that is moved, or
 * swapped for another one (htmx connects the new before it disconnects the old), never frees the lock in between.
 */
export class LeaseBook {
  readonly #page: PageEnvironment;
  readonly #make: (ref: EntityRef) => LeaseMachine;
  readonly #closed: () => void;
  readonly #entries = new Map<string, Entry>();

  /** `closed` hears when a lease is gone. */
  constructor(page: PageEnvironment, make: (ref: EntityRef) => LeaseMachine, closed: () => void) {
    this.#page = page;
    this.#make = make;
    this.#closed = closed;
  }

  get leases(): readonly LeaseMachine[] {
    return [...this.#entries.values()].map(({ lease }) => lease);
  }

  find(ref: EntityRef): LeaseMachine | undefined {
    return this.#entries.get(refKey(ref))?.lease;
  }

  /** Opens a record, for the first time or once more. `close` is idempotent; the last one releases and stops. */
  open(ref: EntityRef): { readonly lease: LeaseMachine; readonly close: () => void } {
    const key = refKey(ref);
    let entry = this.#entries.get(key);
    if (entry === undefined)
      this.#entries.set(key, (entry = { lease: this.#make(ref), count: 0, timer: null }));
    const own = entry;
    own.count += 1;
    this.#page.timers.clear(own.timer);
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      own.count -= 1;
      if (own.count > 0) return;
      own.timer = this.#page.timers.set(() => {
        this.#entries.delete(key);
        void own.lease.release();
        own.lease.stop();
        this.#closed();
      }, 0);
    };
    return { lease: own.lease, close };
  }
}
