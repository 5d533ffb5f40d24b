import { connect, createServer } from 'node:net';
import { keySlot } from '../unit/server/key-slot.ts';
import { askRedisNodes } from './ask-redis-nodes.ts';
import { freePort } from './free-port.ts';
import { clusterMasters } from './redis-cluster-masters.ts';
import { CLUSTER_NODES, clusterHealthy, formCluster, moveSlot } from './redis-cluster-steps.ts';
import { startRedis, type RedisServer } from './redis-server.ts';
import { until } from './until.ts';

/** A node that is silent for so long is taken for dead. Redis' default is 15 s; tests do not wait for that. */
const NODE_TIMEOUT_MS = 2_000;
const START_TIMEOUT_MS = 30_000;
/** A node gossips with its cluster on its port + 10,000. */
const BUS_OFFSET = 10_000;

/** One redis-server of the cluster. */
export interface RedisClusterNode extends RedisServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
}

/** Three masters and three replicas of the test's own, on loopback, empty and without persistence. */
export interface RedisCluster {
  readonly nodes: readonly RedisClusterNode[];
  /** What a client starts from. */
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  /** The master of a key or slot, as the nodes that answer see it; waits while there is none. */
  masterOf(keyOrSlot: string | number): Promise<RedisClusterNode>;
  /** The present masters, by the slots that they own. */
  masters(): Promise<readonly RedisClusterNode[]>;
  /**
   * Moves a slot with its keys to another master, as a resharding does. `midway` runs while the slot is under way: keys
   * that are still there are answered by the old master, all others by the new one (ASK).
   */
  moveSlot(slot: number, to: RedisClusterNode, midway?: () => Promise<void>): Promise<void>;
  /** Sends a signal and returns at once; SIGKILL by default. */
  kill(node: RedisClusterNode, signal?: NodeJS.Signals): void;
  /** Resolves when each master has a replica that follows it and every node calls the cluster healthy. */
  healthy(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisClusterOptions {
  /** Further arguments of every node, e.g. `['--loglevel', 'verbose']`. */
  readonly args?: readonly string[];
}

/**
 * Starts a cluster and resolves when all its nodes call it healthy, after about two seconds. Makes it by commands alone:
 * redis-cli is not on every machine that has a redis-server. A missing master does not stop the others' slots
 * (`cluster-require-full-coverage no`), which is what Rowlock recommends.
 */
export async function startRedisCluster({ args = [] }: RedisClusterOptions = {}): Promise<RedisCluster> {
  const nodes: RedisClusterNode[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    const ports = await clusterPorts(CLUSTER_NODES);
    await Promise.all(ports.map(async (port) => nodes.push(await startNode(port, args))));
    nodes.sort((a, b) => ports.indexOf(a.port) - ports.indexOf(b.port));
    await formCluster(ports);
    await clusterHealthy(ports);
  } catch (error) {
    await stop();
    throw error;
  }
  const mastersNow = async () => {
    const found = await until('the cluster says who its masters are', () =>
      clusterMasters(nodes.map(({ port }) => port)),
    );
    return found.map(({ address, ranges }) => ({ node: nodeAt(nodes, address), ranges }));
  };
  const masterOf = (slot: number) =>
    until(
      `a master of slot ${String(slot)}`,
      async () => {
        const masters = await mastersNow();
        return masters.find(({ ranges }) => ranges.some(([from, to]) => slot >= from && slot <= to))?.node;
      },
      START_TIMEOUT_MS,
    );
  return {
    nodes,
    addresses: nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
    masterOf: (keyOrSlot) => masterOf(typeof keyOrSlot === 'number' ? keyOrSlot : keySlot(keyOrSlot)),
    masters: async () => (await mastersNow()).map(({ node }) => node),
    async moveSlot(slot, to, midway) {
      const from = await masterOf(slot);
      const others = (await mastersNow())
        .map(({ node }) => node)
        .filter((node) => node !== from && node !== to);
      await askRedisNodes(
        [from, to, ...others].map(({ port }) => port),
        (clients) => moveSlot(clients, slot, to.port, midway),
      );
    },
    kill(node, signal = 'SIGKILL') {
      node.kill(signal);
    },
    healthy: () => clusterHealthy(nodes.map(({ port }) => port)),
    stop,
  };
}

async function startNode(port: number, args: readonly string[]): Promise<RedisClusterNode> {
  const server = await startRedis({
    port,
    args: [
      ['--cluster-enabled', 'yes'],
      ['--cluster-config-file', 'nodes.conf'],
      ['--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
      ['--cluster-require-full-coverage', 'no'],
      ['--cluster-allow-reads-when-down', 'no'],
      // However long its master was gone before: the tests ask for a failover, not for fresh data.
      ['--cluster-replica-validity-factor', '0'],
      // A replica's first copy waits 5 s by default for others to share it.
      ['--repl-diskless-sync-delay', '0'],
      args,
    ].flat(),
  });
  // Not a spread: `pid` is another one after a restart.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(server),
      address: { value: `127.0.0.1:${String(port)}`, enumerable: true },
    },
  ) as RedisClusterNode;
}

function nodeAt(nodes: readonly RedisClusterNode[], address: string): RedisClusterNode {
  const node = nodes.find((known) => known.address === address);
  if (node === undefined) throw new Error(`${address} is none of this cluster's nodes`);
  return node;
}

/** Ports that are free and whose gossip ports are. */
async function clusterPorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = await freePort();
    if (port + BUS_OFFSET <= 65_535 && (await isFree(port + BUS_OFFSET))) ports.add(port);
  }
  return [...ports];
}

/** Nobody listens there, and we could. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', () => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
  });
}
