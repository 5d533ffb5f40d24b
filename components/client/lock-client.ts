import type { EntityChange } from '../../core/entity-change.ts';
import { refKey, type EntityRef } from '../../core/entity-ref.ts';
import type { ClientContext } from './client-context.ts';
import { entitySpelling } from './entity-spelling.ts';
import type { Lease } from './lease.ts';
import { leaseMachine } from './lease-machine.ts';
import type { LeaseOptions } from './lease-options.ts';
import { lockApiTransport } from './lock-api-transport.ts';
import { lockLists } from './lock-lists.ts';
import { lockMap } from './lock-map.ts';
import type { LockTransport, TransportError, TransportSubscription } from './lock-transport.ts';
import type { LockView } from './lock-view.ts';
import type { OwnedLease } from './owned-lease.ts';
import { pageClock } from './page-clock.ts';
import { browserPage, type PageMoment } from './page-environment.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import { wantedTypes } from './wanted-types.ts';

/** The connection outlives its last user by so much: a page that swaps its parts does not reconnect. */
const LINGER_MS = 1_000;
/** For so long after a gap, lists of it may still come in. */
const SETTLED_MS = 2_000;
/** A list waits so long for the hub's word that news of its type arrive: asked for then, it need not be asked for again. */
const FIRST_LIST_MS = 300;
/** After a gap, the lists of all pages are fetched within so many milliseconds of each other. */
const REFETCH_SPREAD_MS = 500;
/** The hub may take so long, in milliseconds, to connect before the news of a waiting page count as incomplete. */
const CONNECT_WITHIN_MS = 5_000;

/** One opening of a lease: as many `close()` as `openLease()`. */
export interface LeaseHandle {
  /** The record's lease, shared by all who opened it. */
  readonly lease: Lease;
  /** Idempotent. The last one on a record releases and stops, a moment later. */
  close(): void;
}

/**
 * Locks for one page, one backend and one user: leases for forms, watches for grids and banners, and one hub connection
 * for all of them. Does nothing until something is opened or watched, and nothing any more a second after the last.
 */
export interface LockClient {
  /** Whether the hub's news arrive. Without them, locks still end and renew by time. */
  readonly connected: boolean;
  /** The page's own user, null before the first answer. */
  readonly holderOid: string | null;
  /**
   * Opens a record's lease, shared by everybody in this page who opens the same; claims nothing yet. Throws
   * a RangeError for an empty type or uid.
   */
  openLease(ref: EntityRef, options?: LeaseOptions): LeaseHandle;
  /**
   * Hears a record's lock: in a microtask what is known, then every change; null = free, or not known yet. Everything
   * watched in the same turn costs one list call per type. Throws as `openLease`. Returns its own unsubscribe.
   */
  watch(ref: EntityRef, listener: (view: LockView | null) => void): () => void;
  /**
   * Hears whenever this page learns something of a lock, as it does of these types and of all that is open or watched.
   * What, {@link known} says. Returns its own unsubscribe.
   */
  observe(entityTypes: readonly string[], listener: () => void): () => void;
  /** All live locks of a type, as this page has heard; null = it cannot say. Costs no request. */
  known(entityType: string): readonly LockView[] | null;
  /** The backend, for whoever asks on one's own. */
  readonly transport: LockTransport;
  /** The fence of this page's last acquisition of a record, for the `Lock-Fence` header of its writes; 0 = none. */
  fence(ref: EntityRef): number;
  /** Lets go of everything, forgets the token and closes the connection. Resolves when the server has answered. */
  signOut(): Promise<void>;
  /** Closes the connection and ends every timer, releasing nothing. The next opening or watch starts again. Idempotent. */
  stop(): void;
  /** Moves to another backend or identity: open leases claim anew there, watches fetch again. */
  configure(config: RowlockConfig): void;
}

/** A client of its own, for pages with several backends or users. Does nothing until it is used. */
export function createLockClient(config: RowlockConfig = {}, page = browserPage): LockClient {
  const leases = new Map<string, OwnedLease>();
  const wanted = wantedTypes(update);
  const complaints = new Set<string>();
  let link: TransportSubscription | null = null;
  let unhear = () => {};
  let isUpdating = false;
  let lingerUntil = Infinity;
  /** A connection until then is the first, in good time; a later one follows a gap. */
  let connectBy = Infinity;

  const transportOf = (of: RowlockConfig) => of.transport ?? lockApiTransport(of, page);
  const clock = pageClock(page, (slept) => {
    context.slept = slept;
    if (slept) context.gaps += 1;
    locks.sweep();
    lists.look();
    lists.poll(awaitedTypes());
    leases.forEach((lease) => lease.check());
    if (clock.isOver(lingerUntil)) sleep();
  });
  const locks = lockMap(page, clock);
  const context: ClientContext = {
    page,
    clock,
    locks,
    complain(error) {
      const { message = String(error), code = '', isTransient } = error as Partial<TransportError>;
      if (isTransient) return null;
      // eslint-disable-next-line no-console -- a lock that silently locks nothing helps nobody
      if (!complaints.has(message)) console.error(`rowlock: ${message}`);
      complaints.add(message);
      return { code, message };
    },
    transport: transportOf(config),
    update,
    isConnected: false,
    slept: false,
    gaps: 1,
    settledAt: 0,
  };
  const lists = lockLists(context);
  const typesOf = (opened: Iterable<{ readonly ref: EntityRef }>) =>
    new Set([...wanted.all(), ...[...opened].map(({ ref }) => ref.entityType)]);
  /** Of what is watched, and of forms that wait. */
  const awaitedTypes = () => typesOf([...leases.values()].filter(({ view }) => /held|lost/.test(view.state)));

  /** Brings the connection and the lists in line with what is open, once per turn. */
  function update() {
    if (isUpdating) return;
    isUpdating = true;
    queueMicrotask(() => {
      isUpdating = false;
      const types = typesOf(leases.values());
      lingerUntil = Infinity;
      if (types.size > 0) awake([...types]);
      else if (link) lingerUntil = clock.after(LINGER_MS);
    });
  }
  const awake = (types: readonly string[]) => {
    if (!link) {
      unhear = page.onMoment(onMoment);
      connectBy = clock.after(CONNECT_WITHIN_MS);
      const ifCurrent =
        <Args extends readonly unknown[]>(hear: (...args: Args) => void) =>
        (...args: Args) => {
          if (link === own) hear(...args);
        };
      const own = context.transport.subscribe({
        changed: ifCurrent(changed),
        resync: ifCurrent(resync),
        connected: ifCurrent((isConnected: boolean) => {
          context.isConnected = isConnected;
          lists.poll(awaitedTypes());
        }),
      });
      link = own;
      leases.forEach((lease) => lease.wake());
    }
    link.setTypes(types);
    for (const entityType of wanted.all()) lists.want(entityType, FIRST_LIST_MS);
  };
  const sleep = () => {
    const last = link;
    link = null;
    context.isConnected = false;
    lingerUntil = Infinity;
    unhear();
    last?.stop();
    lists.clear();
    locks.clear();
    clock.stop();
  };
  const stop = () => {
    leases.forEach((lease) => lease.rest());
    sleep();
  };

  const onMoment = (moment: PageMoment) => {
    if (moment !== 'leave') clock.look();
    if (moment === 'wake') link?.nudge();
    if (moment !== 'input') leases.forEach((lease) => lease[moment]());
  };
  const changed = (change: EntityChange) => {
    if ('lock' in change) locks.apply(change.lock, change.operation === 'Released');
    else if (change.by?.oid !== locks.holderOid) leases.get(refKey(change))?.dataChanged(change);
  };
  const resync = (entityTypes?: readonly string[]) => {
    // The first connection follows no gap, and neither do types that are new: what is free then was free before.
    if (!entityTypes && clock.isOver(connectBy)) {
      context.gaps += 1;
      context.settledAt = clock.after(SETTLED_MS);
    }
    if (!entityTypes) connectBy = 0;
    const isMeant = (entityType: string) => !entityTypes || entityTypes.includes(entityType);
    for (const lease of leases.values()) if (isMeant(lease.ref.entityType)) lease.resync();
    for (const entityType of awaitedTypes()) {
      const delayMs = lists.isWanted(entityType) ? 1 : page.random() * REFETCH_SPREAD_MS;
      if (isMeant(entityType)) lists.fetch(entityType, delayMs);
    }
  };

  return {
    get connected() {
      return context.isConnected;
    },
    get holderOid() {
      return locks.holderOid;
    },
    openLease(named, options = {}) {
      const ref = entitySpelling(named);
      const key = refKey(ref);
      const lease = leases.get(key) ?? leaseMachine(ref, context);
      let isOpen = true;
      leases.set(key, lease);
      lease.openings += 1;
      lease.adopt(options);
      update();
      return {
        lease,
        close() {
          if (!isOpen) return;
          isOpen = false;
          lease.openings -= 1;
          // An element that is moved, or swapped for another one (htmx connects the new before it disconnects the old),
          // never frees the lock in between.
          page.timers.set(() => {
            if (lease.openings > 0 || leases.get(key) !== lease) return;
            leases.delete(key);
            lease.close();
            update();
          }, 0);
        },
      };
    },
    watch(named, listener) {
      const ref = entitySpelling(named);
      const key = refKey(ref);
      let isOver = false;
      const unsubscribe = locks.subscribe(key, listener);
      const leave = wanted.want([ref.entityType]);
      queueMicrotask(() => {
        if (!isOver) listener(locks.get(key));
      });
      return () => {
        isOver = true;
        unsubscribe();
        leave();
      };
    },
    observe(entityTypes, listener) {
      const unsubscribe = locks.subscribe('', listener);
      const leave = wanted.want(entityTypes);
      return () => {
        unsubscribe();
        leave();
      };
    },
    known: (entityType) =>
      context.isConnected && lists.isFresh(entityType) ? locks.ofType(entityType) : null,
    get transport() {
      return context.transport;
    },
    fence: (named) => leases.get(refKey(entitySpelling(named)))?.fence ?? 0,
    async signOut() {
      await Promise.all([...leases.values()].map((lease) => lease.release()));
      context.transport.forget?.();
      stop();
    },
    stop,
    configure(next) {
      leases.forEach((lease) => lease.rest(0));
      sleep();
      context.transport = transportOf(next);
      update();
    },
  };
}
