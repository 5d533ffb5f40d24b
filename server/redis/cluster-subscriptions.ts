import type { Log } from '../../core/index.ts';
import type { ChannelListener, ChannelSubscriptions } from './channel-subscriptions.ts';
import type { ClusterHomes } from './cluster-homes.ts';
import { pendingSubscription, type PendingSubscription } from './pending-subscription.ts';
import { RedisSubscriptions, type SubscriberRedis } from './redis-subscriptions.ts';

/** While a node is lost, who owns its slots is asked so often, in milliseconds. */
const REFRESH_WHILE_LOST_MS = 500;

/** A connection to one node, for subscriptions alone. */
export interface NodeSubscriber extends SubscriberRedis {
  on(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'message' | 'smessage', listener: (channel: string, message: string) => void): unknown;
  /** `moved`: the node no longer answers for a slot, and dropped the subscriptions to its channels. */
  on(event: 'close' | 'moved', listener: () => void): unknown;
  connect(): Promise<unknown>;
  disconnect(): void;
}

export interface ClusterSubscriptionsOptions extends ChannelListener {
  readonly homes: ClusterHomes;
  /** Asked when a node is opened, and the same from then on. */
  readonly isSharded: () => boolean;
  readonly log: Log;
  /** A new, unconnected connection; null for a node that is not in the map. Closed by the subscriptions. */
  readonly subscriberAt: (address: string) => NodeSubscriber | null;
  /** Reads the map of slots; `place()` is to be called when it was read. */
  readonly refresh: () => void;
}

interface Node {
  readonly address: string;
  readonly redis: NodeSubscriber;
  readonly subscriptions: RedisSubscriptions;
  /** The connection was lost, or never came about; told when it is subscribed again. */
  isLost: boolean;
  /** The node said that a slot has moved; who has it now is not known yet. */
  hasMoved: boolean;
}

interface Placed extends PendingSubscription {
  /** null until a node is known that carries the channel. */
  node: Node | null;
}

/**
 * Channels on the nodes of a cluster, over connections of our own: one for each node that carries a channel somebody
 * here wants. Follows failovers and moved slots, and tells of each gap once, when Redis has confirmed that the channels
 * are heard again. (ioredis' own sharded subscribers neither say so nor report a refused resubscription.)
 */
export class ClusterSubscriptions implements ChannelSubscriptions {
  readonly #options: ClusterSubscriptionsOptions;
  readonly #channels = new Map<string, Placed>();
  readonly #nodes = new Map<string, Node>();
  #asking: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ClusterSubscriptionsOptions) {
    this.#options = options;
  }

  start(): void {
    this.place();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#asking);
    for (const node of [...this.#nodes.values()]) this.#close(node);
    for (const { fail } of this.#channels.values()) fail(new Error('The change feed was stopped'));
    this.#channels.clear();
  }

  add(channel: string): Promise<void> {
    const known = this.#channels.get(channel);
    if (known !== undefined) {
      known.count += 1;
      return known.confirmed;
    }
    const added: Placed = { ...pendingSubscription(), node: null };
    this.#channels.set(channel, added);
    const address = this.#options.homes.of(channel);
    if (address !== null) void this.#move([channel], address);
    return added.confirmed;
  }

  remove(channel: string): void {
    const placed = this.#channels.get(channel);
    if (placed === undefined) return;
    placed.count -= 1;
    if (placed.count > 0) return;
    this.#channels.delete(channel);
    placed.confirm(); // nobody is left to hear anything
    placed.node?.subscriptions.remove(channel);
  }

  /** Puts every channel where the present map of slots wants it. */
  place(): void {
    if (this.#isStopped) return;
    const moves = new Map<string, string[]>();
    for (const [channel, { node }] of this.#channels) {
      const address = this.#options.homes.of(channel);
      if (address === null || address === node?.address) continue;
      moves.set(address, [...(moves.get(address) ?? []), channel]);
    }
    for (const [address, channels] of moves) {
      // Whoever had to wait for a node missed what was published before: a gap, as for those who lost theirs.
      void this.#move(channels, address).then((isHeard) => {
        if (isHeard) this.#options.onResubscribed();
      });
    }
    for (const node of this.#nodes.values()) {
      if (node.subscriptions.size === 0) this.#close(node);
      // Its own slots came back to it, or the map is behind: then it says so again.
      else if (node.hasMoved && moves.size === 0) {
        node.isLost = true;
        node.subscriptions.renew();
      }
      node.hasMoved = false;
    }
  }

  /** Answers, when the node has confirmed, whether any of the channels is still wanted there. */
  async #move(channels: readonly string[], address: string): Promise<boolean> {
    const node = this.#nodes.get(address) ?? this.#open(address);
    if (node === null) return false; // the next map will know
    const heard = channels.map(async (channel) => {
      const placed = this.#channels.get(channel);
      if (placed === undefined) return false;
      const before = placed.node;
      placed.node = node;
      before?.subscriptions.remove(channel);
      await node.subscriptions.add(channel);
      // It may have gone elsewhere meanwhile: a removal confirms, too.
      const isHeard = placed.node === node && this.#channels.get(channel) === placed;
      if (isHeard) placed.confirm();
      return isHeard;
    });
    const settled = await Promise.all(heard).catch((): boolean[] => []); // rejected by a stop alone
    return settled.includes(true);
  }

  #open(address: string): Node | null {
    const { isSharded, log, onMessage, onResubscribed } = this.#options;
    const redis = this.#options.subscriberAt(address);
    if (redis === null) return null;
    const subscriptions = new RedisSubscriptions({
      subscriber: redis,
      sharded: isSharded(),
      log,
      followsMoves: true,
      onMessage,
      onResubscribed: () => {
        // The first connection of a node that was there all the time is no gap: `add()` has not resolved before it.
        if (node.isLost) onResubscribed();
        node.isLost = false;
      },
    });
    const node: Node = { address, redis, subscriptions, isLost: false, hasMoved: false };
    this.#nodes.set(address, node);
    redis.on('close', () => this.#lost(node));
    redis.on('moved', () => {
      node.hasMoved = true;
      this.#options.refresh();
    });
    subscriptions.start();
    redis.connect().catch(() => {}); // it goes on trying, and 'close' says that it has to
    return node;
  }

  #lost(node: Node): void {
    if (this.#isStopped || this.#nodes.get(node.address) !== node) return;
    node.isLost = true;
    this.#options.homes.lost(node.address);
    this.place();
    this.#askWhileLost();
  }

  #askWhileLost(): void {
    if (this.#asking !== undefined || this.#isStopped) return;
    this.#options.refresh();
    this.#asking = setTimeout(() => {
      this.#asking = undefined;
      if ([...this.#nodes.values()].some(({ isLost }) => isLost)) this.#askWhileLost();
    }, REFRESH_WHILE_LOST_MS);
  }

  #close(node: Node): void {
    this.#nodes.delete(node.address);
    node.subscriptions.stop();
    node.redis.disconnect();
  }
}
