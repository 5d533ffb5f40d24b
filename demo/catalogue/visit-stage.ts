import {
  createLockClient,
  type Lease,
  type LeaseHandle,
  type LockClient,
  type RowlockConfig,
} from '../../components/client/index.ts';
import { refKey, type EntityRef } from '../../core/index.ts';
import type { MockFailure } from '../../mocks/index.ts';
import type { DemoBackend } from '../demo-backend.ts';
import { DEMO_USERS, type DemoUserKey } from '../demo-users.ts';
import { deskTransport } from '../desk-transport.ts';
import type { DeskOwner } from '../user-desk.ts';
import type { WireLog } from '../wire-log.ts';
import { wireTap } from '../wire-tap.ts';
import type { StoryStage } from './story.ts';

const ENTITY_TYPE = 'ApprovalRequest';

export interface VisitStageOptions {
  readonly backend: DemoBackend;
  readonly wire: WireLog;
  readonly say: (text: string) => void;
}

/** The stage of one visit to a story. Everything is made when it is first asked for, and ended by {@link leave}. */
export class VisitStage implements StoryStage {
  readonly #options: VisitStageOptions;
  /** Tells this visit's records from everybody else's on the same server. */
  readonly #visit = visitCode();
  readonly #configs = new Map<DemoUserKey, RowlockConfig>();
  readonly #clients = new Map<DemoUserKey, LockClient>();
  readonly #held = new Map<string, LeaseHandle>();
  readonly #undo: (() => void)[] = [];
  readonly #left = new AbortController();

  constructor(options: VisitStageOptions) {
    this.#options = options;
  }

  get backend(): 'live' | 'mock' {
    return this.#options.backend.kind;
  }

  ref(n = 1): EntityRef {
    return { entityType: ENTITY_TYPE, entityUid: `REQ-${this.#visit}-${n}` };
  }

  config(user: DemoUserKey): RowlockConfig {
    let config = this.#configs.get(user);
    if (config === undefined) {
      config = { transport: deskTransport(this.owner(user)) };
      this.#configs.set(user, config);
    }
    return config;
  }

  /** The user whose configuration this is; null = it is none of this stage's. */
  userOf(config: RowlockConfig | null | undefined): DemoUserKey | null {
    return [...this.#configs].find(([, known]) => known === config)?.[0] ?? null;
  }

  owner(user: DemoUserKey): DeskOwner {
    return this.#speaker(user, false);
  }

  elsewhere(user: 'anna' | 'ben'): LockClient {
    let client = this.#clients.get(user);
    if (client === undefined) {
      client = createLockClient({ transport: deskTransport(this.#speaker(user, true)) });
      this.#clients.set(user, client);
    }
    return client;
  }

  async hold(user: 'anna' | 'ben', ref: EntityRef): Promise<void> {
    const { lease } = this.#open(user, ref);
    await lease.claim();
    await this.#untilMine(lease);
  }

  async letGo(user: 'anna' | 'ben', ref: EntityRef): Promise<void> {
    const key = heldKey(user, ref);
    const handle = this.#held.get(key);
    if (handle === undefined) return;
    this.#held.delete(key);
    await handle.lease.release();
    handle.close();
  }

  async takeOver(user: 'anna' | 'ben', ref: EntityRef): Promise<void> {
    const { lease } = this.#open(user, ref);
    await lease.claim();
    if (lease.view.state === 'held') await lease.takeOver();
    await this.#untilMine(lease);
  }

  fail(failure: MockFailure | null): void {
    this.#options.backend.fail(failure);
  }

  say(text: string): void {
    this.#options.say(text);
  }

  onLeave(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Ends what the visit opened, the last first. Idempotent. */
  leave(): void {
    if (this.#left.signal.aborted) return;
    this.#left.abort(new DOMException('The reader has left the story.', 'AbortError'));
    this.fail(null);
    for (const undo of this.#undo.reverse()) undo();
    for (const client of this.#clients.values()) void client.signOut();
  }

  #speaker(user: DemoUserKey, elsewhere: boolean): DeskOwner {
    const { backend, wire } = this.#options;
    const tap = wireTap({ user, elsewhere }, wire);
    return { user: DEMO_USERS[user], getToken: backend.tokensFor(user), tap };
  }

  #open(user: 'anna' | 'ben', ref: EntityRef): LeaseHandle {
    this.#left.signal.throwIfAborted();
    const key = heldKey(user, ref);
    let handle = this.#held.get(key);
    if (handle === undefined) {
      handle = this.elsewhere(user).openLease(ref);
      this.#held.set(key, handle);
    }
    return handle;
  }

  #untilMine(lease: Lease): Promise<void> {
    const { signal } = this.#left;
    return new Promise((resolve, reject) => {
      const look = () => {
        if (lease.view.state !== 'mine' && !signal.aborted) return;
        unsubscribe();
        if (signal.aborted) reject(signal.reason as DOMException);
        else resolve();
      };
      const unsubscribe = lease.subscribe(look);
      signal.addEventListener('abort', look, { once: true });
      look();
    });
  }
}

function heldKey(user: string, ref: EntityRef): string {
  return `${user} ${refKey(ref)}`;
}

/** Four letters and digits. Two visits at the same time on one server have the same once in more than a million. */
function visitCode(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return random.toString(36).toUpperCase().slice(-4).padStart(4, '0');
}
