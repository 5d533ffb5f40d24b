import type { IncomingMessage } from 'node:http';
import type { Hub, HubWire, Principal } from '../../core/index.ts';
import type { OriginRule } from '../origin-rule.ts';
import type { ConnectionCaps } from './connection-caps.ts';
import type { HubLink, HubLinks } from './hub-links.ts';
import type { ServedHubSettings } from './hub-settings.ts';
import type { HubTransport } from './hub-transport.ts';

/** What the two halves of a hub's endpoint, requests and upgrades, have in common. */
export interface HubParts {
  readonly hub: Hub;
  readonly links: HubLinks;
  readonly caps: ConnectionCaps;
  readonly origins: OriginRule;
  readonly settings: ServedHubSettings;
  /** 401 = nobody, 503 = nobody can say at the moment. */
  readonly identify: (request: IncomingMessage) => Promise<Principal | 401 | 503>;
}

export interface StartedLink {
  readonly link: HubLink;
  /** null = the client skipped the negotiation. */
  readonly token: string | null;
  readonly transport: HubTransport;
  readonly wire: HubWire;
  readonly address: string;
}

/** Starts a link's transport: the hub has the connection from now on. Answers what ends it, once the transport is over. */
export function startLink(
  { hub, links, caps }: HubParts,
  { link, token, transport, wire, address }: StartedLink,
): () => void {
  const countOff = caps.take(link.principal, address);
  if (token !== null) links.start(token, link);
  link.transport = transport;
  const connection = hub.connect({ wire, principal: link.principal, id: link.id });
  link.connection = connection;
  prolong(link, link.principal);
  return () => {
    link.isOver = true;
    countOff();
    connection.disconnected();
  };
}

/** Each request proves the identity anew, perhaps for longer; an older proof that comes later takes nothing away. */
export function prolong(link: HubLink, { expiresAtMs = Infinity }: Principal): void {
  link.expiresAtMs = Math.max(link.expiresAtMs, expiresAtMs);
  link.connection?.expireAt(link.expiresAtMs);
}

/** Where a client may have too many connections already. */
export const TOO_MANY_CONNECTIONS = 'Too many connections';
export const UNKNOWN_CONNECTION = 'No Connection with that ID';
export const OTHER_TRANSPORT = 'Cannot change transports mid-connection';

/** The words for a transport that this endpoint does not offer. */
export function notOffered(transport: HubTransport): string {
  return `${transport} transport not supported by this end point type`;
}
