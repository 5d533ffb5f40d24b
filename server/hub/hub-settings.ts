import type { IncomingMessage } from 'node:http';
import { DEFAULT_HUB_PATH, type HubLimits, type HubTiming, type Principal } from '../../core/index.ts';
import type { NegotiateRedirect } from './hub-negotiation.ts';
import { HUB_TRANSPORTS, type HubTransport } from './hub-transport.ts';

/** How a hub is served. */
export interface HubSettings {
  /** Default `/hubs/entity-changes`. Compared in any case. */
  readonly path?: string;
  /** Which transports clients are offered, in the order of preference. Default: all three. */
  readonly transports?: readonly HubTransport[];
  /** What differs from `DEFAULT_HUB_TIMING`. */
  readonly timing?: Partial<HubTiming>;
  /** What differs from `DEFAULT_HUB_LIMITS`. */
  readonly limits?: Partial<HubLimits>;
  /**
   * The same text on every node, 32 characters at least: then any node opens a connection that another one negotiated.
   * Default: none; then all requests of a connection must reach one node, or clients skip the negotiation.
   */
  readonly connectionSecret?: string;
  /** Open connections of one user on this node. Default 100. */
  readonly maxConnectionsPerUser?: number;
  /** Open connections from one address on this node. Default: no limit, since behind a proxy all have one address. */
  readonly maxConnectionsPerAddress?: number;
  /** The client's address. Default: the socket's. Behind a proxy that you trust: read its header here. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Sends a caller to another hub instead of negotiating here. Default: nobody. */
  readonly redirect?: (principal: Principal, request: IncomingMessage) => NegotiateRedirect | null;
  /** A stop says goodbye to all connections within this, in milliseconds, so that they do not come back all at once. */
  readonly drainMs?: number;
}

/** What is served where nothing is said. */
export const DEFAULT_HUB_SETTINGS = {
  path: DEFAULT_HUB_PATH,
  transports: HUB_TRANSPORTS,
  maxConnectionsPerUser: 100,
  maxConnectionsPerAddress: Infinity,
  clientAddress: (request: IncomingMessage): string => request.socket.remoteAddress ?? '',
  redirect: (): NegotiateRedirect | null => null,
  drainMs: 3_000,
} as const;

/** The settings that are served by; `timing`, `limits` and the secret are checked by those who use them. */
export type ServedHubSettings = HubSettings & Pick<Required<HubSettings>, keyof typeof DEFAULT_HUB_SETTINGS>;

/**
 * Fills in the defaults, also for what is `undefined`; the path is without a slash at its end. Throws a RangeError that
 * names the option.
 */
export function hubSettings(given: HubSettings = {}): ServedHubSettings {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULT_HUB_SETTINGS, ...(Object.fromEntries(said) as HubSettings) };
  const { path, transports, drainMs } = settings;
  // At `/` the hub would take the application's requests, and without a slash before it none.
  if (!/^(?:\/[^/?#\s]+)+\/?$/.test(path)) {
    throw new RangeError(`path: expected one such as "/hubs/board", got "${path}".`);
  }
  const isKnown = transports.every((transport) => HUB_TRANSPORTS.includes(transport));
  if (transports.length === 0 || !isKnown || new Set(transports).size < transports.length) {
    const known = HUB_TRANSPORTS.join(', ');
    throw new RangeError(`transports: expected some of ${known}, each once, got "${transports.join(', ')}".`);
  }
  for (const option of ['maxConnectionsPerUser', 'maxConnectionsPerAddress'] as const) {
    const most = settings[option];
    if (!(most > 0 && (Number.isSafeInteger(most) || most === Infinity))) {
      throw new RangeError(`${option}: expected a whole number above 0, or Infinity, got ${most}.`);
    }
  }
  if (!(Number.isFinite(drainMs) && drainMs >= 0)) {
    throw new RangeError(`drainMs: expected a number of milliseconds, got ${drainMs}.`);
  }
  return { ...settings, path: path.replace(/\/$/, '') };
}
