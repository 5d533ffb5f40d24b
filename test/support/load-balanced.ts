import { HttpTransportType } from '@microsoft/signalr';
import { randomBytes } from 'node:crypto';
import { HubClient, type HubClientOptions } from './hub-client.ts';
import { startNginx, type Nginx, type NginxOptions } from './nginx.ts';
import type { NodeProcessOptions } from './node-process-options.ts';
import { startNodeProcess, type NodeProcess } from './node-process.ts';
import { startRedis, type RedisServer } from './redis-server.ts';

/** SignalR's transports by name, each alone. */
export const TRANSPORTS = {
  WebSockets: HttpTransportType.WebSockets,
  'server-sent events': HttpTransportType.ServerSentEvents,
  'long polling': HttpTransportType.LongPolling,
} as const;

export interface LoadBalancedOptions extends Pick<NginxOptions, 'replace'> {
  /** Of both nodes. The connection secret is there already. */
  readonly hub?: NodeProcessOptions['hub'];
}

/** A client, and the object id of its user. */
export type NamedClient = HubClient & { readonly oid: string };

/** Two nodes, each a process, on one Redis, and nginx in front of them. */
export interface LoadBalanced {
  readonly nginx: Nginx;
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly redis: RedisServer;
  /** So many clients, connected through nginx, each a user of its own who names itself in the header `X-Test-Client`. */
  connect(count: number, options?: Partial<HubClientOptions>): Promise<readonly NamedClient[]>;
  /** Closes the clients that `connect` made since the last call. */
  closeClients(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLoadBalanced({
  hub = {},
  replace,
}: LoadBalancedOptions = {}): Promise<LoadBalanced> {
  const redis = await startRedis();
  const connectionSecret = randomBytes(32).toString('base64url');
  const start = () =>
    startNodeProcess({ redisUrl: redis.url, hub: { connectionSecret, ...hub }, isBehindProxy: true });
  const nodes = await Promise.all([start(), start()]);
  const nginx = await startNginx({
    nodePorts: [nodes[0].port, nodes[1].port],
    ...(replace === undefined ? {} : { replace }),
  });
  let clients: HubClient[] = [];
  let users = 0;
  const closeClients = async () => {
    await Promise.all(clients.splice(0).map((client) => client.stop()));
  };
  return {
    nginx,
    nodes,
    redis,
    async connect(count, options = {}) {
      const made = Array.from({ length: count }, () => {
        users += 1;
        const oid = `user-${users}`;
        const named = { user: { oid }, headers: { 'X-Test-Client': oid } };
        return Object.assign(new HubClient({ url: nginx.url, ...named, ...options }), { oid });
      });
      clients = [...clients, ...made];
      await Promise.all(made.map((client) => client.start('ApprovalRequest')));
      return made;
    },
    closeClients,
    async stop() {
      await closeClients();
      await nginx.stop();
      await Promise.all(nodes.map((node) => node.stop()));
      await redis.stop();
    },
  };
}
