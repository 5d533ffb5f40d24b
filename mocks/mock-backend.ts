import type { AnyHandler } from 'msw';
import {
  DEFAULT_API_PATH,
  DEFAULT_HUB_PATH,
  EntityChangeHub,
  LockRegistry,
  LockService,
  MAX_PAGE_SIZE,
  MemoryChangeFeed,
  MemoryLockStore,
  microClock,
  systemTimers,
  type LockableType,
  type Log,
  type Principal,
  type Timers,
  type UnstampedChange,
} from '../core/index.ts';
import { apiHandler } from './api-handler.ts';
import { InterruptibleLockStore } from './interruptible-lock-store.ts';
import { breaksHub, type MockFailure } from './mock-failure.ts';
import { MockHub } from './mock-hub.ts';
import { MockNetwork } from './mock-network.ts';
import { MockPerson } from './mock-person.ts';
import { MockUsers, type MockUser } from './mock-users.ts';

/** Types, people, and how the network is. */
export interface MockBackendOptions {
  /** The lockable types, made with core's `lockable()`. */
  readonly types: readonly LockableType[];
  /** The people who may call, by their tokens. */
  readonly users: readonly MockUser[];
  /** How long the answers to HTTP calls travel. Default 0. Hub messages arrive at once. */
  readonly latencyMs?: number | (() => number);
  /** What goes wrong. A function is asked at every call. */
  readonly fail?: MockFailure | (() => MockFailure | null);
  /** Default `/api`. Matches at any origin and below any sub-path. */
  readonly apiPath?: string;
  /** Default `/hubs/entity-changes`. Matches at any origin and below any sub-path. */
  readonly hubPath?: string;
  /** Default: silence. */
  readonly log?: Log;
  /** The store's clock, in milliseconds. Default: `Date.now`, looked up at every call so that fake clocks work. */
  readonly now?: () => number;
  /** For the latency and the hub's pings. */
  readonly timers?: Timers;
}

const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * The lock API and the hub of a whole tenant in one page or test, over core's memory store, service and hub: the same
 * code decides as on the server. Holds nothing beyond its own lifetime and shares nothing with other pages.
 */
export class MockBackend {
  /** Where changes are published and heard. */
  readonly feed: MemoryChangeFeed;
  /** For tests that look behind the API. Goes on answering during the failure `unavailable`. */
  readonly store: MemoryLockStore;
  /** The policy, as on the server. */
  readonly service: LockService;
  /** The hub, as on the server. */
  readonly hub: EntityChangeHub;
  /** The people who may call. */
  readonly users: readonly MockUser[];
  /** For msw's `setupWorker`, `setupServer` or `use`. */
  readonly handlers: readonly AnyHandler[];
  readonly #users: MockUsers;
  readonly #network: MockNetwork;
  readonly #mockHub: MockHub;
  #failure: () => MockFailure | null;
  /** What `fail` said. */
  #failureAtFirst: () => MockFailure | null;

  constructor(options: MockBackendOptions) {
    const { types, users, latencyMs = 0, fail, log = SILENT, timers = systemTimers } = options;
    const now = options.now ?? (() => Date.now());
    const failure = () => this.#failure();
    this.#failureAtFirst = typeof fail === 'function' ? fail : () => fail ?? null;
    this.#failure = this.#failureAtFirst;
    this.users = users;
    this.#users = new MockUsers(users);
    this.feed = new MemoryChangeFeed(microClock(now));
    this.store = new MemoryLockStore(this.feed);
    this.service = new LockService({
      store: new InterruptibleLockStore(this.store, () => failure() === 'unavailable'),
      feed: this.feed,
      registry: new LockRegistry(types),
      log,
      now,
    });
    this.hub = new EntityChangeHub({ feed: this.feed, timers, views: this.service.views, log });
    const network = new MockNetwork({ failure, latencyMs, timers });
    const apiPath = basePath('apiPath', options.apiPath ?? DEFAULT_API_PATH);
    const hubPath = basePath('hubPath', options.hubPath ?? DEFAULT_HUB_PATH);
    this.#network = network;
    this.#mockHub = new MockHub({
      hubPath,
      hub: this.hub,
      users: this.#users,
      network,
      isDown: () => breaksHub(failure()),
      now,
    });
    this.handlers = [
      apiHandler({ apiPath, service: this.service, users: this.#users, network, log }),
      ...this.#mockHub.handlers,
    ];
  }

  /** The user whose bearer token a request carries; null = nobody's. */
  principalFor(request: Request): Principal | null {
    return this.#users.byRequest(request);
  }

  /** One of the `users` at another desk: holds records, takes them over, changes them. Throws for anybody else. */
  as({ token, name }: MockUser): MockPerson {
    const principal = this.#users.byToken(token);
    if (principal === null) throw new Error(`as: expected one of the backend's users, got ${name}.`);
    return new MockPerson(principal, this.service);
  }

  /** The application's own news of an entity (`Created`, `Updated`, …), heard by the tenant's connections. */
  async publish(tenant: string, change: UnstampedChange): Promise<void> {
    await this.service.publish(tenant, change);
  }

  /** Closes every hub connection with a Close message. Without `allowReconnect` the client does not come back. */
  dropConnections({ allowReconnect = true }: { readonly allowReconnect?: boolean } = {}): void {
    this.#mockHub.close({ allowReconnect });
  }

  /** Replaces whatever `fail` said; null = all is well again. Requests that hang already go on hanging. */
  setFailure(failure: MockFailure | null): void {
    this.#failure = () => failure;
    if (breaksHub(failure)) this.#mockHub.cut();
  }

  /**
   * Between two tests: nothing goes wrong (or again what `fail` says), what hangs fails, and every lock of the users'
   * tenants is released, which open pages hear. Fences go on growing. Take the last test's elements out of the page
   * first: a form that waits would claim what becomes free.
   */
  async reset(): Promise<void> {
    this.#failure = this.#failureAtFirst;
    this.#network.flush();
    // Forms that were just taken out of the page let go by a timer.
    await new Promise<void>((resolve) => systemTimers.set(resolve, 0));
    for (const tenant of this.#users.tenants) {
      for (const entityType of this.service.registry.entityTypes) await this.#releaseAll(tenant, entityType);
    }
  }

  /** Ends every connection for good and answers what is still under way. Idempotent. Later hub connections fail. */
  stop(): void {
    this.#failure = this.#failureAtFirst = () => 'hub-down';
    this.#mockHub.close({ allowReconnect: false });
    this.hub.stop();
    this.#network.flush();
  }

  async #releaseAll(tenant: string, entityType: string): Promise<void> {
    const { locks, next } = await this.store.list(tenant, entityType, { limit: MAX_PAGE_SIZE });
    for (const { holderOid, entityUid } of locks) {
      const ref = { entityType, entityUid };
      await this.store.release({ tenant, ref, holderOid, sessionId: null, graceMs: 0 });
    }
    if (next !== undefined) await this.#releaseAll(tenant, entityType);
  }
}

/**
 * Makes a {@link MockBackend}. Give its `handlers` to `startMockWorker` (browser) or msw's `setupServer` (Node).
 *
 * In Node the hub needs a word more: `@microsoft/signalr` takes its own `ws` package there, which msw never sees, and
 * `start()` hangs. Pass it the global one, which msw replaces: `withUrl(url, { WebSocket: globalThis.WebSocket })`
 * (Node 22; Node 20 only with `--experimental-websocket`). Everywhere: build the connection after msw has started.
 */
export function createMockBackend(options: MockBackendOptions): MockBackend {
  return new MockBackend(options);
}

function basePath(option: string, path: string): string {
  if (!path.startsWith('/')) {
    throw new RangeError(`${option}: expected a path that starts with "/", got "${path}".`);
  }
  return path.replace(/\/+$/, '');
}
