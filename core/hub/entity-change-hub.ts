import * as v from 'valibot';
import type { ChangeFeed } from '../change-feed.ts';
import type { EntityChange } from '../entity-change.ts';
import type { LockViews } from '../lock-views.ts';
import type { HubConnection } from './hub-connection.ts';
import { Hub, type HubOptions } from './hub.ts';
import { InvalidHubArguments } from './invalid-hub-arguments.ts';
import { TailoredChanges } from './tailored-changes.ts';

/** Server → client: one {@link EntityChange}. The casing is exact: one client compares names by case. */
export const ENTITY_CHANGED = 'EntityChanged';
/** Server → client, no arguments: changes may have been missed, fetch the lists again (with jitter). */
export const RESYNC = 'Resync';
/** Client → server: narrow what this connection hears to these entity types. Completes when nothing is missed any more. */
export const SUBSCRIBE = 'Subscribe';
/** Client → server: hear these entity types no more. */
export const UNSUBSCRIBE = 'Unsubscribe';

/** The most types that one connection can name, in all its calls together. */
const MAX_TYPES = 200;

const TypeList = v.strictTuple([
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(MAX_TYPES)),
]);

/** A hub's own options, and where its changes come from. */
export interface EntityChangeHubOptions extends Omit<
  HubOptions,
  'methods' | 'onConnected' | 'onDisconnected'
> {
  /** Where changes are heard. */
  readonly feed: ChangeFeed;
  /** What each principal may see. Default: everybody hears everything of the tenant. */
  readonly views?: LockViews;
}

/**
 * The hub of entity changes. A connection hears its own tenant, by its principal and by nothing that a client can say;
 * at first all types (the tenant's group), after the first `Subscribe` only those it named (a group per type).
 */
export class EntityChangeHub {
  /** The hub itself, for a transport to connect to. */
  readonly hub: Hub;
  readonly #stop: readonly (() => void)[];
  /** Resolves when the backplane has confirmed the connection's tenant; with the types it named, once it named some. */
  readonly #joined = new WeakMap<HubConnection, Promise<void>>();
  readonly #types = new WeakMap<HubConnection, Set<string>>();
  readonly #tailored: TailoredChanges | null;

  constructor({ feed, views, ...options }: EntityChangeHubOptions) {
    this.hub = new Hub({
      ...options,
      methods: {
        [SUBSCRIBE]: ({ connection }, ...args) => this.#subscribe(connection, readTypes(args)),
        [UNSUBSCRIBE]: ({ connection }, ...args) => this.#unsubscribe(connection, readTypes(args)),
      },
      onConnected: (connection) => {
        const { tenant } = connection.principal;
        const joined = feed.join(tenant);
        joined.catch(() => {}); // heard by whoever subscribes; a connection without a backplane stays open and waits for it
        this.#joined.set(connection, joined);
        this.#tailored?.connected(connection);
        connection.join(groupOf(tenant));
      },
      onDisconnected: (connection) => {
        feed.leave(connection.principal.tenant);
        this.#tailored?.disconnected(connection);
      },
    });
    const { log, timers } = { timers: this.hub.timers, ...options };
    this.#tailored =
      views === undefined ? null : new TailoredChanges({ views, timers, target: ENTITY_CHANGED, log });
    this.#stop = [
      feed.onChange((tenant, change) => this.#broadcast(tenant, change)),
      feed.onGap(() => this.resync()),
      feed.onDisconnectUser((tenant, oid) => void this.hub.disconnectUser(tenant, oid)),
    ];
  }

  /** Tells every connection to fetch its lists again. */
  resync(): void {
    this.hub.all().send(RESYNC);
  }

  /** Hears no more changes, and closes whoever is still there. */
  stop(): void {
    for (const stop of this.#stop) stop();
    void this.hub.closeAll({ allowReconnect: true });
  }

  #broadcast(tenant: string, change: EntityChange): void {
    const groups = [groupOf(tenant), groupOf(tenant, change.entityType)];
    if (this.#tailored?.isNeeded(change) === true) this.#tailored.send(tenant, change, groups);
    else this.hub.groups(...groups).send(ENTITY_CHANGED, change);
  }

  async #subscribe(connection: HubConnection, added: readonly string[]): Promise<void> {
    const { tenant } = connection.principal;
    const types = new Set([...(this.#types.get(connection) ?? []), ...added]);
    if (types.size > MAX_TYPES) throw new InvalidHubArguments(`expected ${MAX_TYPES} types at most`);
    this.#types.set(connection, types);
    connection.leave(groupOf(tenant));
    for (const type of types) connection.join(groupOf(tenant, type));
    await this.#joined.get(connection);
  }

  #unsubscribe(connection: HubConnection, types: readonly string[]): void {
    for (const type of types) {
      this.#types.get(connection)?.delete(type);
      connection.leave(groupOf(connection.principal.tenant, type));
    }
  }
}

/** One group per tenant, for those who hear everything, and one per type. A tenant's own text never makes another's name. */
function groupOf(tenant: string, type?: string): string {
  return JSON.stringify(type === undefined ? [tenant] : [tenant, type]);
}

function readTypes(args: readonly unknown[]): readonly string[] {
  const read = v.safeParse(TypeList, args);
  if (!read.success) throw new InvalidHubArguments('expected one list of entity types');
  return read.output[0];
}
