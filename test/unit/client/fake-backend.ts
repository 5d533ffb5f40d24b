import {
  LockRegistry,
  LockService,
  MemoryChangeFeed,
  MemoryLockStore,
  isLockChange,
  lockable,
  microClock,
  type EntityChange,
  type UnstampedChange,
  type EntityRef,
  type LeaseAnswer,
  type LeaseRequest,
  type ListAnswer,
  type LockableOptions,
  type Principal,
} from '../../../core/index.ts';
import {
  TransportError,
  type LockTransport,
  type TransportCapabilities,
  type TransportListener,
} from '../../../components/client/index.ts';
import type { FakePage } from './fake-page.ts';

export const TYPE = 'ApprovalRequest';
export const REF: EntityRef = { entityType: TYPE, entityUid: '42' };

export function person(oid: string): Principal {
  return { tenant: 't1', oid, name: `${oid[0]?.toUpperCase()}${oid.slice(1)}`, kind: 'user' };
}

/** One real lock service for several pages, on the time of a fake page. */
export class FakeBackend {
  readonly #page: FakePage;
  readonly #options: LockableOptions;
  /** The server's clock minus the page's, milliseconds. */
  clockOffsetMs = 0;
  feed: MemoryChangeFeed;
  service: LockService;

  constructor(page: FakePage, options: LockableOptions = {}) {
    this.#page = page;
    this.#options = options;
    this.feed = this.#newFeed();
    this.service = this.#newService();
  }

  /** The store comes back without anything it knew. */
  restartEmpty(): void {
    this.feed = this.#newFeed();
    this.service = this.#newService();
  }

  async publish(change: UnstampedChange): Promise<void> {
    await this.service.publish('t1', change);
  }

  #newFeed(): MemoryChangeFeed {
    return new MemoryChangeFeed(microClock(() => this.#page.now() + this.clockOffsetMs));
  }

  #newService(): LockService {
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const registry = new LockRegistry([lockable(TYPE, this.#options)]);
    return new LockService({ store: new MemoryLockStore(this.feed), feed: this.feed, registry, log });
  }
}

/** One page's way to the backend: every call is noted, and every kind of trouble can be made. */
export class FakeTransport implements LockTransport {
  readonly capabilities: TransportCapabilities;
  readonly calls: string[] = [];
  readonly requests: LeaseRequest[] = [];
  readonly types: (readonly string[])[] = [];
  readonly #backend: FakeBackend;
  readonly #who: Principal;
  readonly takeOver?: NonNullable<LockTransport['takeOver']>;
  #listener: TransportListener | null = null;
  #unsubscribe = () => {};
  /** Makes the next calls of a verb fail, or wait. */
  trouble: ((verb: string) => Promise<void> | undefined) | null = null;
  nudges = 0;
  subscriptions = 0;
  connectsAtOnce = true;
  isForgotten = false;

  constructor(backend: FakeBackend, who: Principal, capabilities: Partial<TransportCapabilities> = {}) {
    this.#backend = backend;
    this.#who = who;
    const all = { sessions: true, fence: true, takeOver: true, grace: true, remainingMs: true };
    this.capabilities = { ...all, ...capabilities };
    if (this.capabilities.takeOver) {
      this.takeOver = (ref, request) =>
        this.#call('takeOver', ref.entityUid, request, () => backend.service.takeOver(who, ref, request));
    }
  }

  claim(ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer> {
    return this.#call('claim', ref.entityUid, request, async () =>
      this.#plain(await this.#backend.service.claim(this.#who, ref, this.#spoken(request))),
    );
  }

  renew(ref: EntityRef, request: LeaseRequest): Promise<LeaseAnswer> {
    return this.#call('renew', ref.entityUid, request, async () =>
      this.#plain(await this.#backend.service.renew(this.#who, ref, this.#spoken(request))),
    );
  }

  release(ref: EntityRef, { keepalive, ...request }: Parameters<LockTransport['release']>[1]) {
    const { sessionId } = this.#spoken(request);
    const note = `${ref.entityUid} ${request.graceMs}${keepalive ? ' keepalive' : ''}`;
    return this.#call('release', note, request, () =>
      this.#backend.service.release(this.#who, ref, { sessionId, graceMs: request.graceMs }),
    );
  }

  list(entityType: string): Promise<ListAnswer> {
    return this.#call('list', entityType, null, () =>
      this.#backend.service.list(this.#who, entityType, { limit: 1_000 }),
    );
  }

  subscribe(listener: TransportListener) {
    this.subscriptions += 1;
    if (this.connectsAtOnce) queueMicrotask(() => this.#connect(listener));
    else this.#listener = listener;
    return {
      setTypes: (types: readonly string[]) => void this.types.push(types),
      nudge: () => void (this.nudges += 1),
      stop: () => {
        this.#listener = null;
        this.#unsubscribe();
      },
    };
  }

  forget(): void {
    this.isForgotten = true;
  }

  /** The hub's connection is made, for the first time or again. */
  connect(): void {
    if (this.#listener !== null) this.#connect(this.#listener);
  }

  /** The hub's connection breaks: nothing is delivered any more. */
  disconnect(): void {
    this.#unsubscribe();
    this.#listener?.connected(false);
  }

  /** Delivers a change by hand. */
  deliver(change: EntityChange): void {
    this.#listener?.changed(change);
  }

  resync(): void {
    this.#listener?.resync();
  }

  #connect(listener: TransportListener): void {
    this.#listener = listener;
    this.#unsubscribe();
    this.#unsubscribe = this.#backend.feed.onChange((_, change) => {
      const hasFence = this.capabilities.fence || !isLockChange(change);
      listener.changed(hasFence ? change : { ...change, fence: 0, lock: { ...change.lock, fence: 0 } });
    });
    listener.connected(true);
    listener.resync();
  }

  #spoken(request: LeaseRequest): LeaseRequest {
    return {
      sessionId: this.capabilities.sessions ? request.sessionId : '',
      ...(this.capabilities.fence && request.fence !== undefined ? { fence: request.fence } : {}),
    };
  }

  /** What a backend without fences would have said. */
  #plain(answer: LeaseAnswer): LeaseAnswer {
    if (this.capabilities.fence) return answer;
    return { ...answer, changed: null, lock: answer.lock && { ...answer.lock, fence: 0 } };
  }

  async #call<Answer>(
    verb: string,
    note: string,
    request: LeaseRequest | null,
    answer: () => Promise<Answer>,
  ) {
    this.calls.push(`${verb} ${note}`);
    if (request !== null) this.requests.push(request);
    await this.trouble?.(verb);
    return answer();
  }
}

/** A server that answers 503 to these verbs. */
export function failing(...verbs: string[]): (verb: string) => Promise<void> | undefined {
  return (verb) =>
    verbs.includes(verb)
      ? Promise.reject(new TransportError('Service Unavailable', { status: 503 }))
      : undefined;
}

/** A network that swallows these verbs. */
export function silent(...verbs: string[]): (verb: string) => Promise<void> | undefined {
  return (verb) => (verbs.includes(verb) ? new Promise(() => {}) : undefined);
}
