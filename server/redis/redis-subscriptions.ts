import type { Log } from '../../core/index.ts';
import { isSetupFault } from './redis-failure.ts';
import { SUBSCRIBER_PING_MS } from './redis-settings.ts';

/** After a refused subscription the next try comes so much later, in milliseconds. */
const RETRY_MS = 1_000;

/** What the subscriptions need of their connection. */
export interface SubscriberRedis {
  readonly status: string;
  on(event: 'ready' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'message' | 'smessage', listener: (channel: string, message: string) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
  ssubscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  sunsubscribe(channel: string): Promise<unknown>;
  ping(): Promise<unknown>;
}

export interface RedisSubscriptionsOptions {
  readonly subscriber: SubscriberRedis;
  readonly sharded: boolean;
  readonly log: Log;
  readonly onMessage: (channel: string, message: string) => void;
  /** All channels are heard again, after a time in which they were not. */
  readonly onResubscribed: () => void;
}

/** One channel: how often it is wanted, and who waits for Redis' confirmation. */
interface Subscription {
  count: number;
  readonly confirmed: Promise<void>;
  readonly confirm: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * Keeps a set of channels subscribed over every loss of the connection. Counted: a channel is dropped with its last
 * removal. A connection that is silently dead is found by pings, which its socket timeout turns into a reconnect.
 */
export class RedisSubscriptions {
  readonly #options: RedisSubscriptionsOptions;
  readonly #channels = new Map<string, Subscription>();
  #pinging: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** The last refusal, so that one fault is told once and not every second. */
  #refusal = '';

  constructor(options: RedisSubscriptionsOptions) {
    this.#options = options;
    const { subscriber, onMessage } = options;
    subscriber.on('ready', () => void this.#subscribeAll());
    subscriber.on('error', () => {}); // the command connection meets the same trouble, and reports it
    subscriber.on(options.sharded ? 'smessage' : 'message', onMessage);
  }

  start(): void {
    this.#isStopped = false;
    this.#pinging ??= setInterval(() => {
      const { subscriber } = this.#options;
      if (subscriber.status === 'ready') subscriber.ping().catch(() => {}); // the socket timeout acts on silence
    }, SUBSCRIBER_PING_MS);
  }

  /** Whoever still waits for a confirmation is refused. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#retry);
    this.#pinging = undefined;
    for (const { fail } of this.#channels.values()) fail(new Error('The change feed was stopped'));
    this.#channels.clear();
  }

  /** Resolves when Redis has confirmed: nothing that is published after that is missed. */
  add(channel: string): Promise<void> {
    const known = this.#channels.get(channel);
    if (known !== undefined) {
      known.count += 1;
      return known.confirmed;
    }
    const subscription = newSubscription();
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
      this.#options.onResubscribed();
    } catch {
      // `#subscribe` has said why, where that is somebody's to put right.
      this.#retryLater();
    }
  }

  async #subscribe(channel: string): Promise<void> {
    const { subscriber, sharded, log } = this.#options;
    const subscription = this.#channels.get(channel); // by the time of the reply it may be another one
    try {
      await (sharded ? subscriber.ssubscribe(channel) : subscriber.subscribe(channel));
      this.#refusal = '';
      subscription?.confirm();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // A lost connection comes back by itself; a refusal is somebody's to put right.
      if (isSetupFault(reason) && reason !== this.#refusal) {
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

function newSubscription(): Subscription {
  let confirm = () => {};
  let fail: (error: Error) => void = () => {};
  const confirmed = new Promise<void>((resolve, reject) => {
    confirm = resolve;
    fail = reject;
  });
  confirmed.catch(() => {}); // whoever waits hears it; nobody has to wait
  return { count: 1, confirmed, confirm, fail };
}
