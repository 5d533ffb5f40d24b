import type { Cluster, Redis } from 'ioredis';
import { keySlot } from './key-slot.ts';

/**
 * Who is who in a cluster, as the client's map has it: the map is read every two seconds, and whenever a node says that
 * it is out of date. Nodes are named `host:port`, as the client reaches them (after `natMap`).
 */
export class ClusterNodes {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get status(): string {
    return this.#cluster.status;
  }

  /** The node that answers for a key or a sharded channel; null where nobody is known to. */
  ownerOf(key: string): string | null {
    return this.#cluster.slots[keySlot(key)]?.[0] ?? null;
  }

  /** The client's own connection to a node, connected or not; undefined for a node that has left. */
  find(address: string): Redis | undefined {
    return this.#cluster.nodes().find((node) => addressOf(node) === address);
  }

  masterAddresses(): readonly string[] {
    return this.masters().map(addressOf);
  }

  masters(): readonly Redis[] {
    return this.#cluster.nodes('master');
  }

  /** Reads the map anew. Harmless while that is under way. */
  refresh(): void {
    this.#cluster.refreshSlotsCache(() => {}); // a failure is told by the cluster's own events
  }

  /**
   * Hears whenever the map was read and the client is ready. Not before: a client that queues nothing refuses its own
   * question whether the cluster is well while a connection to the node is being made on somebody else's behalf.
   * Returns its own unsubscribe.
   */
  onRefresh(listener: () => void): () => void {
    const cluster = this.#cluster;
    const whileReady = () => {
      if (cluster.status === 'ready') listener();
    };
    cluster.on('ready', whileReady);
    cluster.on('refresh', whileReady);
    return () => {
      cluster.off('ready', whileReady);
      cluster.off('refresh', whileReady);
    };
  }
}

/** `host:port` of a connection, as the map of slots names it. */
export function addressOf(node: Redis): string {
  return `${node.options.host ?? '127.0.0.1'}:${String(node.options.port ?? 6379)}`;
}
