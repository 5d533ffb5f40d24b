import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import type { ChangeFeed, DataChange, EntityChange, Log, UnstampedChange } from '../../core/index.ts';
import { readChangeMessage, writeChangeMessage, writeDisconnectMessage } from './change-message.ts';
import type { ChannelSubscriptions } from './channel-subscriptions.ts';
import { changeChannel } from './lock-keys.ts';
import { patience } from './patience.ts';
import type { RedisLink } from './redis-link.ts';

/** The two connections come back within a second of each other (their back-off); a gap waits no longer, in milliseconds. */
const COMMANDS_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

export interface RedisChangeFeedOptions {
  /** Opened and closed by its owner. */
  readonly link: RedisLink;
  readonly log: Log;
}

/**
 * Changes by way of Redis: every node, the changing one too, hears them from there alone, in the order in which they
 * were made. Subscribes only to tenants that somebody here listens to. After each time without a subscription it
 * subscribes again and tells its listeners of a gap. A malformed message is logged and skipped.
 */
export class RedisChangeFeed implements ChangeFeed {
  readonly #link: RedisLink;
  readonly #log: Log;
  readonly #subscriptions: ChannelSubscriptions;
  readonly #listeners = new Set<(tenant: string, change: EntityChange) => void>();
  readonly #gapListeners = new Set<() => void>();
  readonly #disconnectListeners = new Set<(tenant: string, oid: string) => void>();
  /** What this node's own messages carry, so that it does not follow one twice. */
  readonly #nodeId = randomUUID();

  constructor({ link, log }: RedisChangeFeedOptions) {
    this.#link = link;
    this.#log = log;
    this.#subscriptions = link.hear({
      onMessage: (channel, message) => this.#heard(channel, message),
      onResubscribed: () => void this.#tellGap(),
    });
  }

  start(): void {
    this.#subscriptions.start();
  }

  stop(): void {
    this.#subscriptions.stop();
  }

  join(tenant: string): Promise<void> {
    return this.#subscriptions.add(changeChannel(tenant));
  }

  leave(tenant: string): void {
    this.#subscriptions.remove(changeChannel(tenant));
  }

  /** While Redis is away the change reaches this node's own listeners, and the promise rejects. */
  async publish(tenant: string, change: UnstampedChange): Promise<void> {
    const stamped: DataChange = { ...change, at: this.#link.gates.of(tenant).nowMicros() };
    try {
      await this.#send(tenant, writeChangeMessage(stamped));
    } catch (error) {
      // Should Redis have it after all, listeners hear it twice with the same `at`: nothing newer, nothing done.
      this.#deliver(tenant, stamped);
      throw error;
    }
  }

  async disconnectUser(tenant: string, oid: string): Promise<void> {
    this.#disconnect(tenant, oid);
    const at = this.#link.gates.of(tenant).nowMicros();
    await this.#send(tenant, writeDisconnectMessage(oid, this.#nodeId, at));
  }

  onChange(listener: (tenant: string, change: EntityChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  onDisconnectUser(listener: (tenant: string, oid: string) => void): () => void {
    this.#disconnectListeners.add(listener);
    return () => this.#disconnectListeners.delete(listener);
  }

  /**
   * Whoever is told asks at once. Not before commands pass as well: a holder who is answered "unknown" asks again only
   * seconds later, and a page that waits would be quicker. A cluster has no one connection to wait for.
   */
  async #tellGap(): Promise<void> {
    const { redis } = this.#link;
    const giveUpMs = performance.now() + COMMANDS_WITHIN_MS;
    while (redis instanceof Redis && redis.status !== 'ready' && performance.now() < giveUpMs) {
      await patience(LOOK_EVERY_MS);
    }
    for (const listener of this.#gapListeners) listener();
  }

  #send(tenant: string, message: string): Promise<unknown> {
    return this.#link.gates.of(tenant).run(() => this.#link.send(changeChannel(tenant), message));
  }

  #heard(channel: string, text: string): void {
    try {
      const tenant = readTenant(channel);
      const message = readChangeMessage(text);
      if (message.kind === 'change') this.#deliver(tenant, message.change);
      else if (message.from !== this.#nodeId) this.#disconnect(tenant, message.oid);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('A message on a change channel was skipped.', { channel, reason });
    }
  }

  #deliver(tenant: string, change: EntityChange): void {
    for (const listener of this.#listeners) listener(tenant, change);
  }

  #disconnect(tenant: string, oid: string): void {
    for (const listener of this.#disconnectListeners) listener(tenant, oid);
  }
}

function readTenant(channel: string): string {
  const encoded = /^lockchange:\{(.*)\}$/.exec(channel)?.[1];
  if (encoded === undefined) throw new Error('expected a change channel');
  return decodeURIComponent(encoded);
}
