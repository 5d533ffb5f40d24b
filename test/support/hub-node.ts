import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'node:test';
import { LockError, type Log, type Principal } from '../../core/index.ts';
import {
  Hub,
  HubEndpoint,
  OriginRule,
  bearerToken,
  jsonHubProtocol,
  messagePackHubProtocol,
  type HubMethods,
  type HubSettings,
  type Identify,
} from '../../server/index.ts';
import { silentLog } from './silent-log.ts';

/** The group that every connection of a hub node is in. */
export const EVERYBODY = 'everybody';

export interface HubNodeOptions extends HubSettings {
  readonly allowedOrigins?: readonly string[];
  readonly identify?: Identify;
  readonly log?: Log;
  readonly methods?: HubMethods;
  /** What the server's own handler answers. Default: 404. */
  readonly app?: RequestListener;
}

/** A hub behind HTTP and nothing else, for tests that look at bytes. */
export interface HubNode {
  readonly port: number;
  /** The hub's address. */
  readonly url: string;
  readonly hub: Hub;
  readonly endpoint: HubEndpoint;
  readonly server: Server;
  /** The server's ends of all TCP connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Calls a method of every client. */
  broadcast(target: string, ...args: readonly unknown[]): void;
  stop(): Promise<void>;
}

/**
 * Who a token of these tests names: `oid`, or `oid~tenant`, or `oid~tenant~expiresAtMs`. `nobody` is nobody. Signatures
 * have tests of their own.
 */
export const namedIdentity: Identify = async (request) => {
  const [oid = '', tenant = 'tenant-a', expires] = bearerToken(request).split('~');
  const expiresAtMs = Number(expires ?? Infinity);
  if (oid === 'nobody' || expiresAtMs <= Date.now()) throw new LockError('unauthenticated', 'Nobody.');
  const principal: Principal = { tenant, oid, name: oid, kind: 'user' };
  return expires === undefined ? principal : { ...principal, expiresAtMs };
};

/** Serves a hub at `/hub` on a free port. */
export async function startHubNode(options: HubNodeOptions = {}): Promise<HubNode> {
  const {
    allowedOrigins = [],
    identify = namedIdentity,
    log = silentLog,
    methods,
    app,
    ...settings
  } = options;
  const hub = new Hub({
    methods: { Echo: (_, value) => value, ...methods },
    protocols: [jsonHubProtocol, messagePackHubProtocol],
    defer: setImmediate,
    onConnected: (connection) => connection.join(EVERYBODY),
    log,
    ...(settings.timing === undefined ? {} : { timing: settings.timing }),
    ...(settings.limits === undefined ? {} : { limits: settings.limits }),
  });
  const endpoint = new HubEndpoint({
    hub,
    identify,
    origins: new OriginRule(allowedOrigins),
    log,
    settings: { path: '/hub', ...settings },
  });
  const server = createServer(app ?? ((_, response) => response.writeHead(404).end('the application’s')));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  endpoint.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hub`,
    hub,
    endpoint,
    server,
    sockets,
    broadcast: (target, ...args) => hub.groups(EVERYBODY).send(target, ...args),
    async stop() {
      const closed = server.listening ? once(server, 'close') : Promise.resolve();
      server.close();
      await endpoint.stop();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Starts nodes inside a test; they stop after it, however it ends. */
export function hubNodes(): (options?: HubNodeOptions) => Promise<HubNode> {
  const started: HubNode[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((node) => node.stop()));
  });
  return async (options) => {
    const node = await startHubNode(options);
    started.push(node);
    return node;
  };
}
