import { EventEmitter } from 'node:events';
import type { Cluster, Redis } from 'ioredis';
import { addressOf, type ClusterNodes } from './cluster-nodes.ts';
import { changeChannel } from './lock-keys.ts';
import { RedisGate, type GatedRedis } from './redis-gate.ts';
import type { RedisGates } from './redis-gates.ts';

/** More gates than that: those of nodes that have left go. Addresses change for ever where nodes are containers. */
const MAX_GATES = 100;

export interface ClusterGatesOptions {
  readonly cluster: Cluster;
  readonly nodes: ClusterNodes;
  /** False while calls must wait although the cluster can be reached: they are refused. */
  readonly isUsable: () => boolean;
}

/**
 * One gate for each node of a cluster, with its clock and its pauses: a node that hangs costs its own tenants their
 * locks, and nobody else. A tenant's gate is that of the node which owns the tenant's slot at the moment.
 */
export class ClusterGates implements RedisGates {
  readonly #options: ClusterGatesOptions;
  readonly #gates = new Map<string, { readonly gate: RedisGate; readonly node: GatedNode }>();
  readonly #watched = new Map<Redis, () => void>();
  readonly #stopConnecting: () => void;

  constructor(options: ClusterGatesOptions) {
    this.#options = options;
    const { cluster } = options;
    for (const node of cluster.nodes()) this.#watch(node);
    cluster.on('+node', this.#watch);
    cluster.on('-node', this.#unwatch);
    cluster.on('node error', this.#nodeFailed);
    cluster.on('error', this.#clusterFailed);
    this.#stopConnecting = options.nodes.onRefresh(() => this.#connectMasters());
  }

  of(tenant: string): RedisGate {
    return this.#at(this.#options.nodes.ownerOf(changeChannel(tenant)) ?? '').gate;
  }

  /** Lets go of the client. */
  stop(): void {
    const { cluster } = this.#options;
    cluster.off('+node', this.#watch);
    cluster.off('-node', this.#unwatch);
    cluster.off('node error', this.#nodeFailed);
    cluster.off('error', this.#clusterFailed);
    this.#stopConnecting();
    for (const node of this.#watched.keys()) this.#unwatch(node);
  }

  /** `''` stands for "whoever it is": a slot without an owner, a map that was never read. */
  #at(address: string) {
    const known = this.#gates.get(address);
    if (known !== undefined) return known;
    const node = new GatedNode(address, this.#options);
    // A new one starts with what is wrong with all.
    const made = { node, gate: new RedisGate({ redis: node }) };
    if (this.#gates.size >= MAX_GATES) this.#dropLeft();
    this.#gates.set(address, made);
    return made;
  }

  #dropLeft(): void {
    for (const address of this.#gates.keys()) {
      if (address !== '' && this.#options.nodes.find(address) === undefined) this.#gates.delete(address);
    }
  }

  readonly #watch = (node: Redis): void => {
    const onReady = () => this.#at(addressOf(node)).node.emit('ready');
    node.on('ready', onReady);
    this.#watched.set(node, onReady);
  };

  readonly #unwatch = (node: Redis): void => {
    const onReady = this.#watched.get(node);
    if (onReady !== undefined) node.off('ready', onReady);
    this.#watched.delete(node);
  };

  readonly #nodeFailed = (error: Error, address: string): void => {
    if (!isTelling(error)) return;
    for (const { node } of [this.#at(address), this.#at('')]) node.emit('error', error);
  };

  readonly #clusterFailed = (error: Error): void => {
    // "Failed to refresh slots cache." is the wrapping; why it failed is what an operator wants to read.
    const { lastNodeError = error } = error as { lastNodeError?: Error };
    if (isTelling(lastNodeError))
      for (const { node } of this.#gates.values()) node.emit('error', lastNodeError);
    else
      this.#at('').node.emit('error', new Error('No node of the cluster can be reached', { cause: error }));
  };

  /** ioredis connects to a node with the first command for it, and refuses the next ones until that is done. */
  #connectMasters(): void {
    for (const node of this.#options.nodes.masters()) {
      if (node.status === 'wait') node.connect().catch(() => {}); // 'node error' says why
    }
  }
}

/** False for what every lost connection says after the error that tells why. */
function isTelling({ message }: Error): boolean {
  return !/Connection is closed/.test(message);
}

/** A node of a cluster, as its gate sees it. */
class GatedNode extends EventEmitter implements GatedRedis {
  readonly #address: string;
  readonly #options: ClusterGatesOptions;

  constructor(address: string, options: ClusterGatesOptions) {
    super();
    this.#address = address;
    this.#options = options;
  }

  get status(): string {
    const { nodes, isUsable } = this.#options;
    return nodes.status === 'ready' && !isUsable() ? 'connect' : nodes.status;
  }

  async time(): Promise<readonly (string | number)[]> {
    const { nodes } = this.#options;
    const node = this.#address === '' ? nodes.masters()[0] : nodes.find(this.#address);
    if (node !== undefined) return node.time();
    nodes.refresh();
    throw new Error(`No node of the cluster is known at ${this.#address}`);
  }
}
