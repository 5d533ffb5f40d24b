import { isLockChange, type EntityChange } from '../../core/entity-change.ts';
import type { EntityRef } from '../../core/entity-ref.ts';
import { countdown } from './countdown.ts';
import { entitySpelling } from './entity-spelling.ts';
import { httpSignalRTransport } from './http-signalr-transport.ts';

import type { Lease } from './lease.ts';
import { LeaseBook } from './lease-book.ts';
import type { LeaseContext } from './lease-context.ts';
import { LeaseMachine } from './lease-machine.ts';
import type { LeaseOptions } from './lease-options.ts';
import { LockMap } from './lock-map.ts';
import { LockWatches } from './lock-watches.ts';
import type { LockTransport, TransportSubscription } from './lock-transport.ts';
import type { LockView } from './lock-view.ts';
import { browserPage, type PageEnvironment, type PageMoment } from './page-environment.ts';
import type { RowlockConfig } from './rowlock-config.ts';

/** The connection outlives its last user by so much: a page that swaps its parts does not reconnect. */
const LINGER_MS = 1_000;
/** For so long after a gap, lists of it may still come in. */
const SETTLED_MS = 2_000;

/** One opening of a lease: as many `close()` as `openLease()`. */
export interface LeaseHandle {
  readonly lease: Lease;
  /** Idempotent. The last one on a record releases and stops, a moment later. */
  close(): void;
}

/**
 * Locks for one page, one backend and one user: leases for forms, watches for grids and banners, and one hub connection
 * for all of them. Does nothing until something is opened or watched, and nothing any more a second after the last.
 */
export class LockClient {
  readonly #page: PageEnvironment;
  readonly #locks: LockMap;
  readonly #watches: LockWatches;
  readonly #book: LeaseBook;
  /** What every lease sees of this client; it changes under them. */
  readonly #now: { -readonly [Key in keyof LeaseContext]: LeaseContext[Key] };
  readonly #complaints = new Set<string>();
  #link: TransportSubscription | null = null;
  #unhear = () => {};
  #hasConnected = false;
  #isUpdating = false;
  #lingering: unknown;

  constructor(config: RowlockConfig = {}, page = browserPage) {
    this.#page = page;
    const locks = (this.#locks = new LockMap(page));
    const complain = (message: string) => {
      if (this.#complaints.has(message)) return;
      this.#complaints.add(message);
      // eslint-disable-next-line no-console -- a lock that silently locks nothing helps nobody
      console.error(`rowlock: ${message}`);
    };
    const transport = transportOf(config, page);
    this.#now = { page, locks, complain, transport, isConnected: false, settling: () => 0 };
    this.#watches = new LockWatches({
      page,
      complain,
      locks,
      list: (entityType, signal) => this.#now.transport.list(entityType, signal),
      changed: () => this.#update(),
    });
    this.#book = new LeaseBook(
      page,
      (ref) => new LeaseMachine(ref, this.#now),
      () => this.#update(),
    );
  }

  /** Whether the hub's news arrive. Without them, locks still end and renew by time. */
  get connected(): boolean {
    return this.#now.isConnected;
  }

  /** The page's own user, null before the first answer. */
  get holderOid(): string | null {
    return this.#locks.holderOid;
  }

  /**
   * Opens a record's lease, shared by everybody in this page who opens the same; claims nothing yet. Throws
   * a RangeError for an empty type or uid.
   */
  openLease(ref: EntityRef, options: LeaseOptions = {}): LeaseHandle {
    const handle = this.#book.open(entitySpelling(ref));
    handle.lease.adopt(options);
    this.#update();
    return handle;
  }

  /**
   * Hears a record's lock: in a microtask what is known, then every change; null = free, or not known yet. Everything
   * watched in the same turn costs one list call per type. Throws as `openLease`. Returns its own unsubscribe.
   */
  watch(ref: EntityRef, listener: (view: LockView | null) => void): () => void {
    return this.#watches.add(ref, listener);
  }

  /** Lets go of everything, forgets the token and closes the connection. Resolves when the server has answered. */
  async signOut(): Promise<void> {
    await Promise.all(this.#book.leases.map((lease) => lease.release()));
    this.#now.transport.forget?.();
    this.stop();
  }

  /** Closes the connection and ends every timer, releasing nothing. The next opening or watch starts again. Idempotent. */
  stop(): void {
    for (const lease of this.#book.leases) lease.rest();
    this.#sleep();
  }

  /** Moves to another backend or identity: open leases claim anew there, watches fetch again. */
  configure(config: RowlockConfig): void {
    const { leases } = this.#book;
    for (const lease of leases) void lease.rest()(0);
    this.#sleep();
    this.#now.transport = transportOf(config, this.#page);
    for (const lease of leases) lease.forget();
    this.#update();
  }

  /** Brings the connection and the lists in line with what is open, once per turn. */
  #update(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    queueMicrotask(() => {
      this.#isUpdating = false;
      const types = new Set([
        ...this.#watches.entityTypes,
        ...this.#book.leases.map(({ ref }) => ref.entityType),
      ]);
      this.#page.timers.clear(this.#lingering);
      if (types.size > 0) this.#awake([...types]);
      else if (this.#link !== null) this.#lingering = this.#page.timers.set(() => this.#sleep(), LINGER_MS);
    });
  }

  #awake(types: readonly string[]): void {
    if (this.#link === null) {
      this.#unhear = this.#page.onMoment((moment) => this.#onMoment(moment));
      const isCurrent = () => this.#link === link;
      const link: TransportSubscription = this.#now.transport.subscribe({
        changed: (change) => {
          if (isCurrent()) this.#changed(change);
        },
        resync: (entityTypes) => {
          if (isCurrent()) this.#resync(entityTypes);
        },
        connected: (isConnected) => {
          if (!isCurrent()) return;
          this.#now.isConnected = isConnected;
          for (const lease of this.#book.leases) lease.hubChanged(isConnected);
        },
      });
      this.#link = link;
      for (const lease of this.#book.leases) lease.wake();
    }
    this.#link.setTypes(types);
    this.#watches.fetch();
  }

  #sleep(): void {
    this.#page.timers.clear(this.#lingering);
    const link = this.#link;
    this.#link = null;
    this.#now.isConnected = this.#hasConnected = false;
    this.#unhear();
    link?.stop();
    this.#watches.stop();
    this.#locks.clear();
  }

  #onMoment(moment: PageMoment): void {
    const { leases } = this.#book;
    if (moment === 'leave') {
      for (const lease of leases) lease.leave();
      return;
    }
    this.#locks.sweep();
    if (moment === 'wake') this.#link?.nudge();
    for (const lease of leases) {
      if (moment === 'wake') lease.wake();
      else lease.check();
    }
  }

  #changed(change: EntityChange): void {
    if (isLockChange(change)) this.#locks.apply(change.lock, change.operation === 'Released');
    else if (change.by?.oid !== (this.holderOid ?? '')) this.#book.find(change)?.dataChanged(change);
  }

  #resync(entityTypes: readonly string[] | undefined): void {
    // The first connection follows no gap: what is free then was free before.
    if (this.#hasConnected) this.#now.settling = countdown(this.#page, SETTLED_MS);
    this.#hasConnected = true;
    const isMeant = (entityType: string) => entityTypes === undefined || entityTypes.includes(entityType);
    const stale = new Set(this.#watches.entityTypes.filter(isMeant));
    for (const lease of this.#book.leases) {
      const { entityType } = lease.ref;
      if (!isMeant(entityType)) continue;
      lease.resync();
      if (lease.view.state === 'held' || lease.view.state === 'lost') stale.add(entityType);
    }
    this.#watches.refetch(stale);
  }
}

function transportOf(config: RowlockConfig, page: PageEnvironment): LockTransport {
  return config.transport ?? httpSignalRTransport(config, page);
}
