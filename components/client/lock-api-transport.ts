import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../../core/lock-answers.ts';
import type { EntityRef } from '../../core/entity-ref.ts';
import { DEFAULT_HUB_PATH, lockPaths } from '../../core/lock-paths.ts';
import { ANSWER_WITHIN_MS } from './answer-deadline.ts';
import { apiCaller, expected } from './api-caller.ts';
import { hubLink, type HubConnectionLike } from './hub-link.ts';
import type { LockTransport, TransportCapabilities } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';
import type { RowlockConfig } from './rowlock-config.ts';
import { tokenCache, type TokenCache } from './token-cache.ts';

/** What Rowlock's own server can do. */
export const EVERYTHING: TransportCapabilities = {
  sessions: true,
  fence: true,
  takeOver: true,
  grace: true,
  remainingMs: true,
};

/** The default transport: Rowlock's own HTTP API and SignalR hub. Opens nothing before the first call or subscription. */
export function lockApiTransport(config: RowlockConfig, page: PageEnvironment): LockTransport {
  const tokens = tokenCache(config.getToken);
  const call = apiCaller(config, tokens);
  const lease =
    (verb: 'claim' | 'renew' | 'takeOver') =>
    async (ref: EntityRef, body: unknown): Promise<LeaseAnswer> =>
      expected<LeaseAnswer>(await call('POST', lockPaths[verb](ref), { body }), 'outcome');
  return {
    capabilities: EVERYTHING,
    claim: lease('claim'),
    renew: lease('renew'),
    takeOver: lease('takeOver'),
    async release(ref, { sessionId, graceMs, keepalive, all }) {
      const which = all ? 'sessions=all' : `sessionId=${sessionId}`;
      const path = `${lockPaths.entity(ref)}?${which}&graceMs=${graceMs}`;
      return expected<ReleaseAnswer>(await call('DELETE', path, { keepalive }), 'outcome');
    },
    list: (entityType) =>
      allPages(lockPaths.type(entityType), async (path) =>
        expected<ListAnswer>(await call('GET', path), 'locks'),
      ),
    mine: async () => expected<ListAnswer>(await call('GET', lockPaths.mine), 'locks'),
    subscribe: (listener) =>
      hubLink({ page, listener, build: () => hubConnection(config, tokens), failed: refusedBy(tokens) }),
    forget: () => tokens.refuse(),
  };
}

/** All pages of a list, as old as the first: what changed while the others came in is newer. */
export async function allPages<Page extends { readonly locks: readonly unknown[]; readonly next?: string }>(
  route: string,
  load: (route: string) => Promise<Page>,
): Promise<Page> {
  const first = await load(route);
  const locks = [...first.locks];
  for (let { next } = first; next;) {
    const more = await load(`${route}?cursor=${encodeURIComponent(next)}`);
    locks.push(...more.locks);
    next = more.next;
  }
  return { ...first, locks };
}

/** An unstarted connection by SignalR's own builder. */
export function hubConnection(
  { hub = DEFAULT_HUB_PATH, headers, credentials }: RowlockConfig,
  tokens: TokenCache,
): HubConnectionLike {
  return new HubConnectionBuilder()
    .withUrl(hub, {
      accessTokenFactory: () => tokens.get(),
      // The library's own default is 100 s.
      timeout: ANSWER_WITHIN_MS,
      withCredentials: credentials === 'include',
      headers: { ...(typeof headers === 'function' ? headers() : headers) },
    })
    .configureLogging(LogLevel.None)
    .build();
}

/** Hears why the hub failed; the library tells the status in the text alone. */
export function refusedBy(tokens: TokenCache): (reason: string) => void {
  let isTold = false;
  return (reason) => {
    if (/\b401\b/.test(reason)) tokens.refuse();
    // Perhaps page and hub have no transport in common: then trying again does not help, and somebody must know.
    else if (!isTold && (isTold = /transports/.test(reason))) {
      // eslint-disable-next-line no-console -- there is no caller to tell
      console.error(`rowlock: ${reason}`);
    }
  };
}
