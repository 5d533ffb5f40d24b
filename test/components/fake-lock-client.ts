import { ContextProvider } from '@lit/context';
import { fixture } from '@open-wc/testing';
import type { TemplateResult } from 'lit';
import type {
  LeaseHandle,
  LeaseOptions,
  LeaseView,
  LockClient,
  LockView,
} from '../../components/client/index.ts';
import { IDLE_VIEW } from '../../components/client/lease-view.ts';
import { clientContext } from '../../components/client-context.ts';
import type { EntityRef, LiveLock } from '../../core/index.ts';

/** A lock as the server would tell of it. */
export function lockOf(holderName: string, lock: Partial<LiveLock> = {}): LiveLock {
  return {
    entityType: 'Order',
    entityUid: '1',
    holderOid: holderName.toLowerCase(),
    holderName,
    acquiredAtUtc: '2026-01-15T13:00:00Z',
    expiresAtUtc: '2026-01-15T13:05:00Z',
    expiresInMs: 300_000,
    fence: 1,
    at: 1,
    ...lock,
  };
}

/** What a guard sees while `holderName` holds the lock. */
export function heldBy(holderName: string, view: Partial<LeaseView> = {}): Partial<LeaseView> {
  return { state: 'held', lock: lockOf(holderName), endsAtMs: Date.now() + 300_000, ...view };
}

export const MINE: Partial<LeaseView> = { state: 'mine', lock: lockOf('Me'), endsAtMs: Date.now() + 300_000 };

/** A lease that does as the test says, and notes what was asked of it. */
export class FakeLease {
  readonly ref: EntityRef;
  readonly calls: string[] = [];
  readonly options: LeaseOptions;
  fence = 0;
  view: LeaseView = IDLE_VIEW;
  /** What a take-over comes to. */
  refusal: Error | null = null;
  readonly #listeners = new Set<(view: LeaseView, previous: LeaseView) => void>();

  constructor(ref: EntityRef, options: LeaseOptions) {
    this.ref = ref;
    this.options = options;
  }

  subscribe(listener: (view: LeaseView, previous: LeaseView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async claim(): Promise<void> {
    this.calls.push('claim');
    if (/^(idle|error|released)$/.test(this.view.state)) this.become({ state: 'claiming' });
  }

  async release(): Promise<void> {
    this.calls.push('release');
    this.become({ state: 'released' });
  }

  async takeOver(): Promise<void> {
    this.calls.push('takeOver');
    if (this.refusal !== null) throw this.refusal;
  }

  loaded(): void {
    this.calls.push('loaded');
    this.become({ stale: false, foreignChange: null });
  }

  /** The next news. */
  become(change: Partial<LeaseView>): void {
    const previous = this.view;
    this.view = { ...previous, ...change };
    for (const listener of [...this.#listeners]) listener(this.view, previous);
  }
}

/** A client without a network. Leases are shared per record and outlive a move of their element, as the real ones. */
export class FakeLockClient {
  readonly leases = new Map<string, FakeLease>();
  readonly watched: string[] = [];
  readonly known = new Map<string, LockView>();
  readonly #watches = new Map<string, Set<(view: LockView | null) => void>>();
  /** Openings minus closings. */
  open = 0;

  get asClient(): LockClient {
    return this as unknown as LockClient;
  }

  get lease(): FakeLease {
    const [lease] = [...this.leases.values()].slice(-1);
    if (lease === undefined) throw new Error('No lease was opened.');
    return lease;
  }

  get watchCount(): number {
    return [...this.#watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  openLease(ref: EntityRef, options: LeaseOptions = {}): LeaseHandle {
    const key = `${ref.entityType}/${ref.entityUid}`;
    const lease = this.leases.get(key) ?? new FakeLease(ref, options);
    this.leases.set(key, lease);
    this.open += 1;
    let isOpen = true;
    return {
      lease: lease,
      close: () => {
        if (isOpen) this.open -= 1;
        isOpen = false;
      },
    };
  }

  watch(ref: EntityRef, listener: (view: LockView | null) => void): () => void {
    const key = `${ref.entityType}/${ref.entityUid}`;
    this.watched.push(key);
    const listeners = this.#watches.get(key) ?? new Set();
    this.#watches.set(key, listeners.add(listener));
    queueMicrotask(() => {
      if (listeners.has(listener)) listener(this.known.get(key) ?? null);
    });
    return () => listeners.delete(listener);
  }

  /** A record's lock changes; null = it is free. */
  tell(uid: string, holderName: string | null, mine = false): void {
    const key = `Order/${uid}`;
    const view =
      holderName === null
        ? null
        : { lock: lockOf(holderName, { entityUid: uid }), mine, endsAtMs: Date.now() + 300_000 };
    if (view === null) this.known.delete(key);
    else this.known.set(key, view);
    for (const listener of [...(this.#watches.get(key) ?? [])]) listener(view);
  }
}

/** Renders below an element that provides `client`, as a `lock-provider` would. Removed after the test. */
export async function fixtureWith<T extends Element>(
  client: FakeLockClient,
  template: TemplateResult,
  parent: HTMLElement = document.createElement('div'),
): Promise<T> {
  new ContextProvider(parent, { context: clientContext, initialValue: client.asClient });
  return await fixture<T>(template, { parentNode: parent });
}
