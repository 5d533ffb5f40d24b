import * as v from 'valibot';
import type { ChangeFeed } from '../change-feed.ts';
import type { EntityChange } from '../entity-change.ts';
import type { Principal } from '../principal.ts';
import type { Timers } from '../timers.ts';
import { HubSession, encodeInvocation } from './hub-session.ts';
import type { HubTiming } from './hub-timing.ts';
import { InvalidHubArguments } from './invalid-hub-arguments.ts';
import type { TextSocket } from './text-socket.ts';

/** Server → client: one {@link EntityChange}. The casing is exact: one client compares names by case. */
export const ENTITY_CHANGED = 'EntityChanged';
/** Server → client, no arguments: changes may have been missed, fetch the lists again (with jitter). */
export const RESYNC = 'Resync';
/** Client → server: narrow what this connection hears to these entity types. Completes when nothing is missed any more. */
export const SUBSCRIBE = 'Subscribe';
export const UNSUBSCRIBE = 'Unsubscribe';

/** The most types that one connection can name, in all its calls together. */
const MAX_TYPES = 200;

const TypeList = v.strictTuple([
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(MAX_TYPES)),
]);

interface Member {
  readonly session: HubSession;
  readonly tenant: string;
  /** null = hears every type. */
  types: Set<string> | null;
}

export interface EntityChangeHubOptions {
  readonly feed: ChangeFeed;
  readonly timing?: Partial<HubTiming>;
  readonly timers?: Timers;
}

/**
 * The hub of entity changes. A connection hears its own tenant, by its principal and by nothing that a client can say;
 * at first all types, after the first `Subscribe` only those it named. Every change is serialised once.
 */
export class EntityChangeHub {
  readonly #options: EntityChangeHubOptions;
  /** Open connections by tenant: one is here from its handshake reply until its end. */
  readonly #groups = new Map<string, Set<Member>>();
  readonly #sessions = new Set<HubSession>();
  readonly #stop: (() => void)[];

  constructor(options: EntityChangeHubOptions) {
    this.#options = options;
    const { feed } = options;
    this.#stop = [
      feed.onChange((tenant, change) => this.#broadcast(tenant, change)),
      feed.onGap(() => this.resync()),
    ];
  }

  get connectionCount(): number {
    return this.#sessions.size;
  }

  /** Takes a socket whose principal is known. The caller feeds it: `receive(text)`, `disconnected()`. */
  connect(socket: TextSocket, principal: Principal): HubSession {
    const { feed, timing, timers } = this.#options;
    const { tenant } = principal;
    const joined = feed.join(tenant);
    joined.catch(() => {}); // heard by whoever subscribes; a connection without a backplane stays open and waits for it
    const member: Member = {
      tenant,
      types: null,
      session: new HubSession({
        socket,
        ...(timing === undefined ? {} : { timing }),
        ...(timers === undefined ? {} : { timers }),
        methods: {
          [SUBSCRIBE]: async (args) => {
            const types = new Set([...(member.types ?? []), ...readTypes(args)]);
            if (types.size > MAX_TYPES) throw new InvalidHubArguments(`expected ${MAX_TYPES} types at most`);
            member.types = types;
            await joined;
          },
          [UNSUBSCRIBE]: (args) => {
            const types = readTypes(args);
            for (const type of types) member.types?.delete(type);
          },
        },
        onOpen: () => this.#group(tenant).add(member),
        onClose: () => {
          this.#sessions.delete(member.session);
          this.#leave(member);
          feed.leave(tenant);
        },
      }),
    };
    this.#sessions.add(member.session);
    return member.session;
  }

  /** Tells every connection to fetch its lists again. */
  resync(): void {
    const encoded = encodeInvocation(RESYNC, []);
    for (const group of this.#groups.values()) for (const { session } of group) session.send(encoded);
  }

  /** Asks every client to come back (to another node), and stops hearing changes. */
  stop(): void {
    for (const stop of this.#stop) stop();
    for (const session of [...this.#sessions]) session.close({ allowReconnect: true });
  }

  #broadcast(tenant: string, change: EntityChange): void {
    const group = this.#groups.get(tenant);
    if (group === undefined) return;
    const encoded = encodeInvocation(ENTITY_CHANGED, [change]);
    for (const { session, types } of group) {
      if (types === null || types.has(change.entityType)) session.send(encoded);
    }
  }

  #group(tenant: string): Set<Member> {
    let group = this.#groups.get(tenant);
    if (group === undefined) this.#groups.set(tenant, (group = new Set()));
    return group;
  }

  #leave(member: Member): void {
    const group = this.#groups.get(member.tenant);
    group?.delete(member);
    if (group?.size === 0) this.#groups.delete(member.tenant);
  }
}

function readTypes(args: readonly unknown[]): readonly string[] {
  const read = v.safeParse(TypeList, args);
  if (!read.success) throw new InvalidHubArguments('expected one list of entity types');
  return read.output[0];
}
