import type { LiveLock } from '../../core/entity-lock.ts';
import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../../core/lock-answers.ts';
import { lockPaths } from '../../core/lock-paths.ts';
import type { LeaseRequest } from '../../core/lock-service.ts';
import { apiCaller, expected, type ApiRequest } from './api-caller.ts';
import { BackendLocks, type BackendChange, type BackendLock } from './backend-locks.ts';
import { hubLink, type HubConnectionLike } from './hub-link.ts';
import { EVERYTHING, allPages, hubConnection, refusedBy } from './lock-api-transport.ts';
import {
  type TransportError,
  type LockTransport,
  type TransportCapabilities,
  type TransportListener,
} from './lock-transport.ts';
import { browserPage } from './page-environment.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import { soonToEnd } from './soon-to-end.ts';
import { tokenCache } from './token-cache.ts';

/** Method and path of each call below `api`, such as `PUT /requests/42/lock`. Absent = Rowlock's own. */
export interface LockRoutes {
  /** Claims the record. */
  readonly claim?: (ref: EntityRef) => string;
  /** Extends the lease. */
  readonly renew?: (ref: EntityRef) => string;
  /** Takes the lock from its holder. */
  readonly takeOver?: (ref: EntityRef) => string;
  /** Lets go. */
  readonly release?: (ref: EntityRef) => string;
  /** The live locks of a type. */
  readonly list?: (entityType: string) => string;
  /** The user's own locks of all types. Absent beside routes of one's own: the backend cannot say. */
  readonly mine?: () => string;
}

/** How to speak with a backend over HTTP and SignalR. Without the mappings: Rowlock's own API and hub. */
export interface HttpSignalRTransportOptions extends Omit<RowlockConfig, 'transport'> {
  /** The backend's routes, where they are not Rowlock's own. */
  readonly routes?: LockRoutes;
  /** What the backend can do. Default: everything. */
  readonly capabilities?: Partial<TransportCapabilities>;
  /** The hub's event. Default `EntityChanged`. */
  readonly hubEvent?: string;
  /** The hub method that takes the list of types to hear of; null = there is none. Default `Subscribe`. */
  readonly subscribe?: string | null;
  /**
   * The page's own user, where the backend's answers do not say (`me`). Default: the holder of what it acquired, which a
   * page that waits does not know yet, and which is wrong where a claim that failed is answered with 2xx.
   */
  readonly holderOid?: () => string;
  /** Reads the entries of a list from its body. Default: the body itself where it is an array, else its `locks`. */
  readonly mapList?: (body: unknown) => readonly unknown[];
  /** Reads a lock from an entry of a list, and from a successful claim or renewal that has no `outcome`; null = none. */
  readonly mapLock?: (body: unknown) => BackendLock | null;
  /** Reads the lock in the way from the body of a 409 or 423; null = that means something else. */
  readonly mapConflict?: (body: unknown) => BackendLock | null;
  /** Reads the hub event's arguments; null = not of interest. */
  readonly mapChange?: (...args: unknown[]) => BackendChange | null;
  /** For answers that do not say: ask again after so many milliseconds. Default 120,000, a renewal that may fail once. */
  readonly renewAfterMs?: number;
  /** False where the hub is silent about renewals: then lists are fetched again when a lock is about to end. Default true. */
  readonly announcesRenewals?: boolean;
  /** Builds an unstarted hub connection. Default: SignalR's own builder. */
  readonly buildConnection?: () => HubConnectionLike;
}

/** A list as any backend may answer it. */
type ListPage = Partial<ListAnswer> & { readonly locks: readonly unknown[] };

/**
 * The default transport, and by its options alone one that fits an existing ASP.NET Core API and hub: foreign routes,
 * answers and events are turned into Rowlock's own. Opens nothing before the first call or subscription.
 */
export function httpSignalRTransport(
  options: HttpSignalRTransportOptions = {},
  page = browserPage,
): LockTransport {
  const { hubEvent = 'EntityChanged', subscribe = 'Subscribe', renewAfterMs = 120_000 } = options;
  const { announcesRenewals = true } = options;
  const { mapLock, mapConflict, mapChange, mapList } = options;
  const routes = {
    claim: (ref: EntityRef) => `POST ${lockPaths.claim(ref)}`,
    renew: (ref: EntityRef) => `POST ${lockPaths.renew(ref)}`,
    takeOver: (ref: EntityRef) => `POST ${lockPaths.takeOver(ref)}`,
    release: (ref: EntityRef) => `DELETE ${lockPaths.entity(ref)}`,
    list: (entityType: string) => `GET ${lockPaths.type(entityType)}`,
    ...(!options.routes && { mine: () => `GET ${lockPaths.mine}` }),
    ...options.routes,
  };
  const backend = new BackendLocks(page);
  const tokens = tokenCache(options.getToken);
  const capabilities: TransportCapabilities = { ...EVERYTHING, ...options.capabilities };
  let learnedOid = '';
  /** Somebody wants to know of the locks that are listed or told of. */
  let noticed: (lock: LiveLock) => void = () => {};
  const me = () => ({ holderOid: options.holderOid?.() ?? learnedOid });

  const callApi = apiCaller(
    {
      ...options,
      async fetch(input, init) {
        const response = await (options.fetch ?? fetch)(input, init);
        backend.heardClock(Date.parse(response.headers.get('date') ?? ''));
        return response;
      },
    },
    tokens,
  );
  const call = (route: string, request?: ApiRequest) => {
    const [method = '', path = ''] = route.split(/ (.*)/s);
    return callApi(method, path, request);
  };

  const lease = async (route: string, body: LeaseRequest): Promise<LeaseAnswer> => {
    const at = backend.stamp();
    let found: BackendLock | null;
    let outcome: LeaseAnswer['outcome'] = 'unknown';
    try {
      const { sessionId: _, ...others } = body;
      const answer = await call(route, { body: capabilities.sessions ? body : others });
      if (!mapLock) return expected<LeaseAnswer>(answer, 'outcome');
      found = mapLock(answer);
      if (found) learnedOid = found.holderOid;
    } catch (error) {
      const { status, cause } = error as TransportError;
      found = ((status === 409 || status === 423) && mapConflict?.(cause)) || null;
      if (mapLock && (status === 404 || status === 410)) outcome = 'lost';
      else if (!found) throw error;
    }
    if (found) outcome = found.holderOid === me().holderOid ? 'acquired' : 'held';
    return {
      outcome,
      lock: found && backend.lock(found, at),
      changed: null,
      otherSessions: 0,
      renewAfterMs,
      canTakeOver: outcome === 'held' && capabilities.takeOver,
      me: me(),
    };
  };

  const listed = async (route: string): Promise<ListAnswer> => {
    const at = backend.stamp();
    const { locks, ...first } = await allPages(route, async (page) => {
      const answer = await call(page);
      if (mapList) return { locks: mapList(answer) };
      return expected<ListPage>(Array.isArray(answer) ? { locks: answer } : answer, 'locks');
    });
    const found = locks.map((lock) => (mapLock ? mapLock(lock) : (lock as BackendLock)));
    const live = found.filter((lock) => lock !== null).map((lock) => backend.lock(lock, at));
    live.forEach(noticed);
    return { asOf: at, store: 'ok', me: me(), ...first, locks: live };
  };
  const { mine }: LockRoutes = routes;

  return {
    capabilities,
    claim: (ref, request) => lease(routes.claim(ref), request),
    renew: (ref, request) => lease(routes.renew(ref), request),
    ...(capabilities.takeOver && {
      takeOver: (ref, request) => lease(routes.takeOver(ref), request),
    }),
    async release(ref, { sessionId, graceMs, keepalive, all }) {
      const { sessions, grace } = capabilities;
      let route = routes.release(ref);
      const say = (parameter: string) => (route += (route.includes('?') ? '&' : '?') + parameter);
      if (sessions) say(all ? 'sessions=all' : `sessionId=${sessionId}`);
      if (grace) say(`graceMs=${graceMs}`);
      try {
        return { outcome: 'released', ...((await call(route, { keepalive })) as Partial<ReleaseAnswer>) };
      } catch (error) {
        const { status } = error as TransportError;
        // There is nothing of this user's to let go: not a fault, but what the release is for.
        if (mapLock && (status === 404 || status === 410)) return { outcome: 'gone' };
        if (mapLock && (status === 409 || status === 423)) return { outcome: 'held' };
        throw error;
      }
    },
    list: (entityType) => listed(routes.list(entityType)),
    ...(mine && { mine: () => listed(mine()) }),
    subscribe(listener) {
      const link = hubLink({ page, listener, build: () => translated(listener), failed: refusedBy(tokens) });
      if (announcesRenewals) return link;
      const ends = soonToEnd(page, (entityType) => listener.resync([entityType]));
      noticed = ends.heard;
      return {
        ...link,
        stop() {
          ends.stop();
          link.stop();
        },
      };
    },
    forget: () => tokens.refuse(),
  };

  /** A connection that speaks as Rowlock's own hub would. */
  function translated(listener: TransportListener): HubConnectionLike {
    const connection = options.buildConnection?.() ?? hubConnection(options, tokens);
    return {
      on(event, listen) {
        if (event !== 'EntityChanged') connection.on(event, listen);
        else
          connection.on(hubEvent, (...args) => {
            const heard = mapChange ? mapChange(...args) : (args[0] as BackendChange);
            const change = heard && backend.change(heard);
            if (change && 'lock' in change && change.operation !== 'Released') noticed(change.lock);
            if (change) listen(change);
            else if (heard) listener.resync([heard.entityType]);
          });
      },
      onclose: (listen) => connection.onclose(listen),
      start: () => connection.start(),
      stop: () => connection.stop(),
      invoke: async (_, types) => (subscribe === null ? undefined : connection.invoke(subscribe, types)),
    };
  }
}
