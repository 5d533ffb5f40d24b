import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  Hub,
  HubEndpoint,
  HubError,
  OriginRule,
  jsonHubProtocol,
  messagePackHubProtocol,
  type HubSettings,
} from '../../server/index.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity } from '../support/test-tokens.ts';
import { interopMethods } from './interop-methods.ts';

/** A request as it came. */
export interface HeardRequest {
  /** `UPGRADE` for a WebSocket. */
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** By the process' monotonic clock. */
  readonly atMs: number;
}

/** A hub with one method for each thing that a client can ask of a hub. */
export interface InteropNode {
  /** The hub's address. */
  readonly url: string;
  readonly hub: Hub;
  /** Everything that was asked of the hub so far. */
  readonly requests: readonly HeardRequest[];
  /** Breaks every TCP connection, as a network does: those that come back at once are broken, too, for a moment. */
  cut(): void;
  stop(): Promise<void>;
}

/** The group that every connection is in. */
const EVERYBODY = 'everybody';

/** Whoever has this object id is turned away when the connection is there already. */
const TURNED_AWAY = 'turned-away';

/** How long the network is away, from the first attempt to come back. */
const AWAY_MS = 200;

export interface InteropNodeOptions extends HubSettings {
  /** What `WhoAmI` calls it. */
  readonly name?: string;
  readonly allowedOrigins?: readonly string[];
}

/** Serves the hub on a free port. */
export async function startInteropNode({
  name = 'node',
  allowedOrigins = [],
  ...settings
}: InteropNodeOptions = {}): Promise<InteropNode> {
  const cancelled = new Map<string, number>();
  const cancelledBy = (id: string) => cancelled.get(id) ?? 0;
  const sockets = new Set<Socket>();
  // A browser repeats requests on its own where a connection breaks before an answer. So the network stays away until
  // that has failed: a moment longer than the first attempt to come back.
  let awayUntil = 0;
  const cut = () => {
    awayUntil = Infinity;
    for (const socket of sockets) socket.destroy();
  };
  const hub: Hub = new Hub({
    methods: interopMethods({
      name,
      hub: () => hub,
      cut,
      cancelled: (id) => cancelled.set(id, cancelledBy(id) + 1),
      cancelledBy,
    }),
    protocols: [jsonHubProtocol, messagePackHubProtocol],
    defer: setImmediate,
    onConnected(connection) {
      if (connection.principal.oid === TURNED_AWAY) throw new HubError('not you');
      connection.join(EVERYBODY);
      connection.send('Welcome', connection.id);
    },
    ...(settings.timing === undefined ? {} : { timing: settings.timing }),
    ...(settings.limits === undefined ? {} : { limits: settings.limits }),
  });
  const endpoint = new HubEndpoint({
    hub,
    identify: testIdentity(),
    origins: new OriginRule(allowedOrigins),
    log: silentLog,
    settings: { path: '/hub', ...settings },
  });
  const requests: HeardRequest[] = [];
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('connection', (socket) => {
    const now = performance.now();
    if (awayUntil === Infinity) awayUntil = now + AWAY_MS;
    if (now < awayUntil) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  endpoint.attach(server);
  // Before the endpoint, which takes the query off the address.
  const hear = (method: string, { url = '', headers }: IncomingMessage) =>
    requests.push({ method, url, headers: { ...headers }, atMs: performance.now() });
  server.prependListener('request', (request) => hear(request.method ?? '', request));
  server.prependListener('upgrade', (request) => hear('UPGRADE', request));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`,
    hub,
    requests,
    cut,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      await endpoint.stop();
      server.closeAllConnections();
      await closed;
    },
  };
}
