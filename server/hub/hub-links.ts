import type { HubConnection, Principal } from '../../core/index.ts';
import type { ConnectionTokens, NegotiatedIds } from './connection-tokens.ts';
import type { HubTransport } from './hub-transport.ts';
import type { LongPollingWire } from './long-polling-wire.ts';
import { PostedInput } from './posted-input.ts';
import type { ServerSentEventsWire } from './server-sent-events-wire.ts';

/** A connection as HTTP knows it: from the first request with its token to its end. */
export interface HubLink {
  readonly id: string;
  readonly principal: Principal;
  /** null = no transport has been started yet. */
  transport: HubTransport | null;
  connection: HubConnection | null;
  /** Of the transports that take POST requests. */
  wire: LongPollingWire | ServerSentEventsWire | null;
  /** What is posted. */
  readonly input: PostedInput;
  isOver: boolean;
  /** Until when the identity is proven, in milliseconds since 1970. */
  expiresAtMs: number;
}

interface KnownToken {
  readonly link: HubLink;
  /** Milliseconds since 1970 from which on the token would open nothing anyway, so that nobody needs to know it. */
  readonly expiresAtMs: number;
}

/** How often tokens that nobody needs to know any more are forgotten, in milliseconds: with a connection that starts then. */
const SWEEP_EVERY_MS = 5_000;

export interface HubLinksOptions {
  readonly tokens: ConnectionTokens;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The connections of this node by their token. A token is good for one connection, and for its own caller alone. Owns no
 * timer, and keeps nothing for a token that was never used.
 */
export class HubLinks {
  readonly #tokens: ConnectionTokens;
  readonly #now: () => number;
  readonly #known = new Map<string, KnownToken>();
  #sweptAtMs = 0;

  constructor({ tokens, now = Date.now }: HubLinksOptions) {
    this.#tokens = tokens;
    this.#now = now;
  }

  issue(principal: Principal): NegotiatedIds {
    return this.#tokens.issue(principal);
  }

  /** The caller's connection of this token, one that is yet to start where the token is unused; null = there is none. */
  find(token: string, principal: Principal): HubLink | null {
    const known = this.#known.get(token);
    if (known !== undefined) {
      const { link } = known;
      const isOwner = link.principal.tenant === principal.tenant && link.principal.oid === principal.oid;
      return isOwner && !link.isOver ? link : null;
    }
    const read = this.#tokens.read(token, principal);
    return read === null ? null : newLink(read.connectionId, principal);
  }

  /** The token is used from now on. */
  start(token: string, link: HubLink): void {
    const read = this.#tokens.read(token, link.principal);
    this.#sweep();
    this.#known.set(token, { link, expiresAtMs: read?.expiresAtMs ?? 0 });
  }

  #sweep(): void {
    const nowMs = this.#now();
    if (nowMs - this.#sweptAtMs < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [token, { link, expiresAtMs }] of this.#known) {
      if (link.isOver && expiresAtMs < nowMs) this.#known.delete(token);
    }
  }
}

/** A connection without negotiation, which WebSockets allow. */
export function newLink(id: string, principal: Principal): HubLink {
  return {
    id,
    principal,
    transport: null,
    connection: null,
    wire: null,
    input: new PostedInput(),
    isOver: false,
    expiresAtMs: 0,
  };
}
