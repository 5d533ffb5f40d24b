import type { Log } from '../../core/index.ts';
import type { ChannelListener, ChannelSubscriptions } from './channel-subscriptions.ts';
import { pendingSubscription, type PendingSubscription } from './pending-subscription.ts';
import { isSetupFault } from './redis-failure.ts';
import { SUBSCRIBER_PING_MS } from './redis-settings.ts';

/** After a refused subscription the next try comes so much later, in milliseconds. */
const RETRY_MS = 1_000;

/** What the subscriptions need of their connection. */
export interface SubscriberRedis {
  readonly status: string;
  on(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'message' | 'smessage', listener: (channel: string, message: string) => void): unknown;
  off(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  off(event: 'message' | 'smessage', listener: (channel: string, message: string) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
  ssubscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  sunsubscribe(channel: string): Promise<unknown>;
  ping(): Promise<unknown>;
}

export interface RedisSubscriptionsOptions extends ChannelListener {
  readonly subscriber: SubscriberRedis;
  readonly sharded: boolean;
  readonly log: Log;
  /** True on a node of a cluster: a subscription that was MOVED is for the owner of this object to take elsewhere. */
  readonly followsMoves?: boolean;
}

/**
 * Keeps a set of channels subscribed over every loss of the connection. Counted: a channel is dropped with its last
 * removal. A connection that is silently dead is found by pings, which its socket timeout turns into a reconnect.
 */
export class RedisSubscriptions implements ChannelSubscriptions {
  readonly #options: RedisSubscriptionsOptions;
  readonly #channels = new Map<string, PendingSubscription>();
  #pinging: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** The last refusal, so that one fault is told once and not every second. */
  #refusal = '';

  constructor(options: RedisSubscriptionsOptions) {
    this.#options = options;
    const { subscriber, onMessage } = options;
    subscriber.on('ready', this.#connected);
    subscriber.on('error', ignore);
    subscriber.on(options.sharded ? 'smessage' : 'message', onMessage);
  }

  start(): void {
    this.#isStopped = false;
    this.#pinging ??= setInterval(() => {
      const { subscriber } = this.#options;
      if (subscriber.status === 'ready') subscriber.ping().catch(() => {}); // the socket timeout acts on silence
    }, SUBSCRIBER_PING_MS);
  }

  /** The connection stays open, for whoever opened it; its subscriptions end. */
  stop(): void {
    const { subscriber, sharded, onMessage } = this.#options;
    this.#isStopped = true;
    for (const channel of this.#channels.keys()) this.#unsubscribe(channel);
    subscriber.off('ready', this.#connected);
    subscriber.off(sharded ? 'smessage' : 'message', onMessage);
    clearInterval(this.#pinging);
    clearTimeout(this.#retry);
    this.#pinging = undefined;
    for (const { fail } of this.#channels.values()) fail(new Error('The change feed was stopped'));
    this.#channels.clear();
  }

  /** How many channels are wanted. */
  get size(): number {
    return this.#channels.size;
  }

  /** Subscribes to everything again, where Redis may have dropped something, and tells of the gap. */
  renew(): void {
    if (this.#options.subscriber.status === 'ready') void this.#subscribeAll();
  }

  add(channel: string): Promise<void> {
    const known = this.#channels.get(channel);
    if (known !== undefined) {
      known.count += 1;
      return known.confirmed;
    }
    const subscription = pendingSubscription();
    this.#channels.set(channel, subscription);
    if (this.#options.subscriber.status === 'ready') this.#subscribe(channel).catch(() => this.#retryLater());
    return subscription.confirmed;
  }

  remove(channel: string): void {
    const subscription = this.#channels.get(channel);
    if (subscription === undefined) return;
    subscription.count -= 1;
    if (subscription.count > 0) return;
    this.#channels.delete(channel);
    subscription.confirm(); // nobody is left to hear anything
    this.#unsubscribe(channel);
  }

  readonly #connected = (): void => void this.#subscribeAll();

  #unsubscribe(channel: string): void {
    const { subscriber, sharded } = this.#options;
    if (subscriber.status !== 'ready') return;
    // A connection that is lost meanwhile has no subscriptions any more.
    (sharded ? subscriber.sunsubscribe(channel) : subscriber.unsubscribe(channel)).catch(() => {});
  }

  /** On every new connection, the first one included if somebody was waiting for it. */
  async #subscribeAll(): Promise<void> {
    if (this.#channels.size === 0) return;
    try {
      await Promise.all([...this.#channels.keys()].map((channel) => this.#subscribe(channel)));
      // Lost again meanwhile: the next connection tells.
      if (this.#options.subscriber.status === 'ready') this.#options.onResubscribed();
    } catch {
      // `#subscribe` has said why, where that is somebody's to put right.
      this.#retryLater();
    }
  }

  async #subscribe(channel: string): Promise<void> {
    const { subscriber, sharded, followsMoves = false, log } = this.#options;
    const subscription = this.#channels.get(channel); // by the time of the reply it may be another one
    try {
      await (sharded ? subscriber.ssubscribe(channel) : subscriber.subscribe(channel));
      this.#refusal = '';
      subscription?.confirm();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // A lost connection comes back by itself; a refusal is somebody's to put right.
      const isMoved = followsMoves && reason.startsWith('MOVED ');
      if (isSetupFault(reason) && !isMoved && reason !== this.#refusal) {
        log.error('Changes are not heard: Redis refused a subscription.', { channel, reason });
        this.#refusal = reason;
      }
      throw error;
    }
  }

  #retryLater(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#options.subscriber.status === 'ready') void this.#subscribeAll();
    }, RETRY_MS);
  }
}

/** The command connection meets the same trouble, and reports it. */
function ignore(): void {}
