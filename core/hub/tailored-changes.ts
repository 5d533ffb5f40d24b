import type { EntityChange } from '../entity-change.ts';
import type { LockViews } from '../lock-views.ts';
import type { Log } from '../log.ts';
import type { Timers } from '../timers.ts';
import type { HubConnection } from './hub-connection.ts';
import { OutgoingMessage } from './outgoing-message.ts';

/** A policy that has not answered after this long, in milliseconds, has said no: others wait for their turn behind it. */
const POLICY_PATIENCE_MS = 2_000;

export interface TailoredChangesOptions {
  readonly views: LockViews;
  readonly timers: Timers;
  /** The client's method. */
  readonly target: string;
  readonly log: Log | undefined;
}

/**
 * Changes of types that not everybody sees alike. Each user is asked about once, those who see the same share one message,
 * and the changes of a type leave in their order however long its policies take. Other types never come here.
 */
export class TailoredChanges {
  readonly #options: TailoredChangesOptions;
  readonly #tenants = new Map<string, Set<HubConnection>>();
  /** Tenant and type → the change that is sent last. */
  readonly #tails = new Map<string, Promise<void>>();

  constructor(options: TailoredChangesOptions) {
    this.#options = options;
  }

  isNeeded({ entityType }: EntityChange): boolean {
    return !this.#options.views.isSameForAll(entityType);
  }

  connected(connection: HubConnection): void {
    const { tenant } = connection.principal;
    let connections = this.#tenants.get(tenant);
    if (connections === undefined) this.#tenants.set(tenant, (connections = new Set()));
    connections.add(connection);
  }

  disconnected(connection: HubConnection): void {
    const { tenant } = connection.principal;
    const connections = this.#tenants.get(tenant);
    connections?.delete(connection);
    if (connections?.size === 0) this.#tenants.delete(tenant);
  }

  /** To the tenant's members of these groups, as they are now. */
  send(tenant: string, change: EntityChange, groups: readonly string[]): void {
    const members = [...(this.#tenants.get(tenant) ?? [])].filter((connection) =>
      groups.some((group) => connection.groups.has(group)),
    );
    if (members.length === 0) return;
    const key = JSON.stringify([tenant, change.entityType]);
    const views = this.#viewsOf(change, members);
    const before = this.#tails.get(key);
    const tail = (async () => {
      await before;
      deliver(this.#options.target, await views);
    })().catch((error: unknown) => {
      this.#options.log?.error('A change was not sent.', { reason: String(error) });
    });
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
  }

  /** What each connection sees. Never rejects: a policy's failure shows nothing. */
  async #viewsOf(change: EntityChange, members: readonly HubConnection[]) {
    const { views, timers } = this.#options;
    const asked = new Map<string, Promise<EntityChange | null>>();
    let timer: unknown;
    const late = new Promise<null>((resolve) => {
      timer = timers.set(() => {
        this.#options.log?.error('canSee did not answer in time: nothing is shown.', {
          entityType: change.entityType,
        });
        resolve(null);
      }, POLICY_PATIENCE_MS);
    });
    const seen = await Promise.all(
      members.map(async (connection) => {
        const { oid, kind } = connection.principal;
        const user = JSON.stringify([oid, kind]);
        const view = asked.get(user) ?? views.change(connection.principal, change);
        asked.set(user, view);
        return { connection, change: await Promise.race([view, late]) };
      }),
    );
    timers.clear(timer);
    return seen;
  }
}

/** One message for all who see the same. */
function deliver(
  target: string,
  seen: readonly { readonly connection: HubConnection; readonly change: EntityChange | null }[],
): void {
  const messages = new Map<string, OutgoingMessage>();
  for (const { connection, change } of seen) {
    if (change === null) continue;
    const key = namesIn(change);
    const message = messages.get(key) ?? new OutgoingMessage({ type: 1, target, arguments: [change] });
    messages.set(key, message);
    connection.deliver(message);
  }
}

/** All in which two views of one change differ. */
function namesIn(change: EntityChange): string {
  const { lock, by } = change as { lock?: { holderName: string }; by?: { name: string } };
  return JSON.stringify([lock?.holderName, by?.name]);
}
