import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../../core/lock-answers.ts';
import { DEFAULT_HUB_PATH, lockPaths } from '../../core/lock-paths.ts';
import type { LeaseRequest } from '../../core/lock-service.ts';
import { apiCaller, refusal } from './api-caller.ts';
import { BackendLocks, type BackendChange, type BackendLock } from './backend-locks.ts';
import { HubLink, type HubConnectionLike } from './hub-link.ts';
import { TransportError, type LockTransport, type TransportCapabilities } from './lock-transport.ts';
import { browserPage } from './page-environment.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import { TokenCache } from './token-cache.ts';

/** The hub's negotiation is given up after so long (the library's own default is 100 s). */
const NEGOTIATE_WITHIN_MS = 15_000;

/** Method and path of each call below `api`, such as `PUT /requests/42/lock`. Absent = Rowlock's own. */
export interface LockRoutes {
  readonly claim?: (ref: EntityRef) => string;
  readonly renew?: (ref: EntityRef) => string;
  readonly takeOver?: (ref: EntityRef) => string;
  readonly release?: (ref: EntityRef) => string;
  readonly list?: (entityType: string) => string;
}

/** How to speak with a backend over HTTP and SignalR. Without the mappings: Rowlock's own API and hub. */
export interface HttpSignalRTransportOptions extends Omit<RowlockConfig, 'transport'> {
  readonly routes?: LockRoutes;
  /** What the backend can do. Default: everything. */
  readonly capabilities?: Partial<TransportCapabilities>;
  /** The hub's event. Default `EntityChanged`. */
  readonly hubEvent?: string;
  /** The hub method that takes the list of types to hear of; null = there is none. Default `Subscribe`. */
  readonly subscribe?: string | null;
  /** The page's own user, where the backend's answers do not say (`me`). Default: the holder of what it acquired. */
  readonly holderOid?: () => string;
  /** Reads a lock from an entry of a list, and from a successful claim or renewal that has no `outcome`; null = none. */
  readonly mapLock?: (body: unknown) => BackendLock | null;
  /** Reads the lock in the way from the body of a 409; null = the 409 means something else. */
  readonly mapConflict?: (body: unknown) => BackendLock | null;
  /** Reads the hub event's arguments; null = not of interest. */
  readonly mapChange?: (...args: unknown[]) => BackendChange | null;
  /** For answers that do not say: ask again after so many milliseconds. Default 120,000, a renewal that may fail once. */
  readonly renewAfterMs?: number;
  /** Builds an unstarted hub connection. Default: SignalR's own builder. */
  readonly buildConnection?: () => HubConnectionLike;
}

/** A list as any backend may answer it. */
type ListPage = Partial<ListAnswer> & Pick<ListAnswer, 'locks'>;

/**
 * The default transport: Rowlock's HTTP API and SignalR hub, or by its options alone an existing ASP.NET Core API and
 * hub. Opens nothing before the first call or subscription.
 */
export function httpSignalRTransport(
  options: HttpSignalRTransportOptions = {},
  page = browserPage,
): LockTransport {
  const everything = { sessions: true, fence: true, takeOver: true, grace: true, remainingMs: true };
  const capabilities: TransportCapabilities = { ...everything, ...options.capabilities };
  const { hub = DEFAULT_HUB_PATH, hubEvent = 'EntityChanged', subscribe = 'Subscribe' } = options;
  const { mapLock, mapConflict, mapChange, renewAfterMs = 120_000 } = options;
  const routes = {
    claim: (ref: EntityRef) => `POST ${lockPaths.claim(ref)}`,
    renew: (ref: EntityRef) => `POST ${lockPaths.renew(ref)}`,
    takeOver: (ref: EntityRef) => `POST ${lockPaths.takeOver(ref)}`,
    release: (ref: EntityRef) => `DELETE ${lockPaths.entity(ref)}`,
    list: (entityType: string) => `GET ${lockPaths.type(entityType)}`,
    ...options.routes,
  };
  const tokens = new TokenCache(options.getToken);
  const send = apiCaller(options, tokens);
  const backend = new BackendLocks(page);
  let learnedOid = '';
  const me = () => ({ holderOid: options.holderOid?.() ?? learnedOid });

  const call: typeof send = async (route, request) => {
    const reply = await send(route, request);
    backend.heardClock(reply.serverNowMs);
    return reply;
  };

  const lease = async (route: string, request: LeaseRequest, signal?: AbortSignal): Promise<LeaseAnswer> => {
    const at = backend.stamp();
    const reply = await call(route, { body: request, signal });
    const { ok, status, body } = reply;
    if (ok && mapLock === undefined) return expected<LeaseAnswer>(body, 'outcome');
    const isGone = mapLock !== undefined && (status === 404 || status === 410);
    const found = ok ? mapLock?.(body) : status === 409 ? mapConflict?.(body) : null;
    if (!ok && !isGone && !found) throw refusal(reply);
    if (ok && found) learnedOid = found.holderOid;
    const outcome = found
      ? found.holderOid === me().holderOid
        ? 'acquired'
        : 'held'
      : isGone
        ? 'lost'
        : 'unknown';
    return {
      outcome,
      lock: found ? backend.lock(found, at) : null,
      changed: null,
      otherSessions: 0,
      renewAfterMs,
      canTakeOver: outcome === 'held' && capabilities.takeOver,
      me: me(),
    };
  };

  return {
    capabilities,
    claim: (ref, request, signal) => lease(routes.claim(ref), request, signal),
    renew: (ref, request, signal) => lease(routes.renew(ref), request, signal),
    ...(capabilities.takeOver && {
      takeOver: (ref, request, signal) => lease(routes.takeOver(ref), request, signal),
    }),
    async release(ref, { sessionId, graceMs, keepalive }) {
      const reply = await call(`${routes.release(ref)}?sessionId=${sessionId}&graceMs=${graceMs}`, {
        keepalive,
      });
      if (!reply.ok) throw refusal(reply);
      return { outcome: 'released', ...(reply.body as Partial<ReleaseAnswer>) };
    },
    async list(entityType, signal) {
      const at = backend.stamp();
      let route = routes.list(entityType);
      let first: ListPage | undefined;
      const locks: BackendLock[] = [];
      do {
        const reply = await call(route, { signal });
        if (!reply.ok) throw refusal(reply);
        const page = expected<ListPage>(
          Array.isArray(reply.body) ? { locks: reply.body } : reply.body,
          'locks',
        );
        for (const lock of page.locks) {
          const found = mapLock ? mapLock(lock) : lock;
          if (found) locks.push(found);
        }
        // The first page's moment: what changed while the others came in is newer.
        first ??= page;
        route = page.next ? `${routes.list(entityType)}?cursor=${encodeURIComponent(page.next)}` : '';
      } while (route);
      return {
        asOf: at,
        store: 'ok',
        me: me(),
        ...first,
        locks: locks.map((lock) => backend.lock(lock, at)),
      };
    },
    subscribe: (listener) =>
      new HubLink({
        page,
        event: hubEvent,
        subscribe,
        resync: (entityTypes) => listener.resync(entityTypes),
        connected: (isConnected) => listener.connected(isConnected),
        build: options.buildConnection ?? (() => hubConnection(hub, options, tokens)),
        changed(...args) {
          const heard = mapChange ? mapChange(...args) : (args[0] as BackendChange);
          const change = heard && backend.change(heard);
          if (change) listener.changed(change);
          else if (heard) listener.resync([heard.entityType]);
        },
        // The library tells the status in the text alone.
        failed: (reason) => {
          if (/\b401\b/.test(reason)) tokens.refuse(tokens.current);
        },
      }),
    forget: () => tokens.refuse(tokens.current),
  };
}

function hubConnection(
  hub: string,
  { headers, credentials }: RowlockConfig,
  tokens: TokenCache,
): HubConnectionLike {
  return new HubConnectionBuilder()
    .withUrl(hub, {
      accessTokenFactory: () => tokens.get(),
      timeout: NEGOTIATE_WITHIN_MS,
      withCredentials: credentials === 'include',
      headers: { ...(typeof headers === 'function' ? headers() : headers) },
    })
    .configureLogging(LogLevel.None)
    .build();
}

/** The one look at what a 2xx brought: an answer of this API has that field. */
function expected<Answer>(body: unknown, field: keyof Answer & string): Answer {
  if (field in (body as object)) return body as Answer;
  throw new TransportError(`The answer has no "${field}": this is not a lock API.`, { status: 502 });
}
