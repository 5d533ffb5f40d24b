import { HubConnectionBuilder, LogLevel, type HttpTransportType } from '@microsoft/signalr';
import {
  createLockClient,
  httpSignalRTransport,
  type LockClient,
  type LockTransport,
} from '../../components/client/index.ts';
import {
  DEFAULT_HUB_PATH,
  refKey,
  type EntityChange,
  type EntityRef,
  type LiveLock,
} from '../../core/index.ts';
import { tokenFor } from '../support/test-tokens.ts';

export interface WatchingPageOptions {
  readonly name: string;
  /** The node's own address: this page never moves to another one. */
  readonly url: string;
  readonly transport: HttpTransportType;
  readonly refs: readonly EntityRef[];
}

/** A page with a grid: the browser side's own client, watching records over one transport, and what it came to know. */
export class WatchingPage {
  readonly name: string;
  readonly #client: LockClient;
  readonly #locks = new Map<string, LiveLock | null>();
  readonly #newest = new Map<string, LiveLock>();
  readonly #unwatch: readonly (() => void)[];
  /** Every change that the hub told, as it came. */
  heard: EntityChange[] = [];
  /** Views that were older than one before, by the fence and the moment. */
  readonly steppedBack: string[] = [];
  connects = 0;
  disconnects = 0;
  /** By the steady clock. */
  connectedAtMs = 0;

  constructor({ name, url, transport, refs }: WatchingPageOptions) {
    this.name = name;
    const getToken = () => tokenFor({ oid: name });
    const over = httpSignalRTransport({
      api: `${url}/api`,
      getToken,
      buildConnection: () =>
        new HubConnectionBuilder()
          .withUrl(url + DEFAULT_HUB_PATH, { transport, accessTokenFactory: getToken })
          .configureLogging(LogLevel.None)
          .build(),
    });
    this.#client = createLockClient({ transport: this.#recorded(over) });
    this.#unwatch = refs.map((ref) =>
      this.#client.watch(ref, (view) => this.#learn(refKey(ref), view?.lock ?? null)),
    );
  }

  get isConnected(): boolean {
    return this.#client.connected;
  }

  /** Who holds the record, as this page shows it; null = free. */
  lock(ref: EntityRef): LiveLock | null {
    return this.#locks.get(refKey(ref)) ?? null;
  }

  stop(): void {
    for (const unwatch of this.#unwatch) unwatch();
    this.#client.stop();
  }

  #learn(key: string, lock: LiveLock | null): void {
    this.#locks.set(key, lock);
    if (lock === null) return;
    const newest = this.#newest.get(key);
    if (
      newest !== undefined &&
      (lock.fence < newest.fence || (lock.fence === newest.fence && lock.at < newest.at))
    ) {
      this.steppedBack.push(`${key}: from ${newest.fence}/${newest.at} to ${lock.fence}/${lock.at}`);
    }
    this.#newest.set(key, lock);
  }

  #recorded(transport: LockTransport): LockTransport {
    return {
      ...transport,
      subscribe: (listener) =>
        transport.subscribe({
          ...listener,
          changed: (change) => {
            this.heard.push(change);
            listener.changed(change);
          },
          connected: (isConnected) => {
            if (isConnected) this.connects += 1;
            else this.disconnects += 1;
            this.connectedAtMs = performance.now();
            listener.connected(isConnected);
          },
        }),
    };
  }
}
