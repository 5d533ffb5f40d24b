import type { LockTransport } from '../components/client/index.ts';
import { isLockChange, type EntityChange } from '../core/index.ts';
import type { WireLog, WireParty } from './wire-log.ts';

/** Listens in on one user's calls and hub messages. Nothing of a token or of a body gets into the log. */
export interface WireTap {
  readonly fetch: typeof fetch;
  /** The same transport, with its hub connection heard. Its calls are heard by {@link fetch}. */
  transport(transport: LockTransport): LockTransport;
}

export function wireTap(party: WireParty, log: WireLog): WireTap {
  const message = (target: string, text: string) => log.add({ kind: 'message', party, target, text });
  return {
    async fetch(input, init) {
      const { method, path } = callOf(input, init);
      const begunMs = performance.now();
      const id = log.add({ kind: 'call', party, method, path, status: null, tookMs: 0 });
      const ended = (status: number) => log.ended(id, { status, tookMs: performance.now() - begunMs });
      try {
        const response = await fetch(input, init);
        ended(response.status);
        return response;
      } catch (error) {
        ended(0);
        throw error;
      }
    },
    // What a page elsewhere hears, the page in front of the reader hears as well.
    transport: (transport) => (party.elsewhere ? transport : heardTransport(transport, message)),
  };
}

function heardTransport(
  transport: LockTransport,
  message: (target: string, text: string) => void,
): LockTransport {
  return {
    ...transport,
    subscribe(listener) {
      /** The link's own call for the first list, which no message of the hub is behind. */
      let isFirst = false;
      return transport.subscribe({
        connected(isConnected) {
          isFirst = isConnected;
          message('', isConnected ? 'connected' : 'connection lost');
          listener.connected(isConnected);
        },
        changed(change) {
          message('EntityChanged', changeText(change));
          listener.changed(change);
        },
        resync(entityTypes) {
          if (!isFirst && entityTypes === undefined) message('Resync', 'changes may have been missed');
          isFirst = false;
          listener.resync(entityTypes);
        },
      });
    },
  };
}

function callOf(input: RequestInfo | URL, init: RequestInit | undefined): { method: string; path: string } {
  const request = input instanceof Request ? input : null;
  const url = input instanceof Request ? input.url : input;
  const { pathname, search } = new URL(url, 'http://page.invalid');
  const query = search.replace(/(?<=sessionId=)[^&]+/, '…');
  return { method: init?.method ?? request?.method ?? 'GET', path: pathname + query };
}

/** `Acquired REQ-2041 · Anna Berger` */
function changeText(change: EntityChange): string {
  const who = isLockChange(change) ? change.lock.holderName : change.by?.name;
  return [`${change.operation} ${change.entityUid}`, who].filter((part) => part !== undefined).join(' · ');
}
