import type { Redis } from 'ioredis';
import type { ChangeFeed, DataChange, EntityChange, Log, UnstampedChange } from '../../core/index.ts';
import { readChangeMessage, writeChangeMessage } from './change-message.ts';
import { changeChannel } from './lock-keys.ts';
import type { PublishMode } from './lua-scripts.ts';
import type { RedisGate } from './redis-gate.ts';
import { RedisSubscriptions } from './redis-subscriptions.ts';

export interface RedisChangeFeedOptions {
  /** The connection for commands, behind `gate`. */
  readonly redis: Redis;
  readonly gate: RedisGate;
  /** A connection of its own. The feed pings on it; its owner connects and closes it. */
  readonly subscriber: Redis;
  readonly publish: PublishMode;
  readonly log: Log;
}

/**
 * Changes by way of Redis: every node, the changing one too, hears them from there alone, in the order in which they
 * were made. Subscribes only to tenants that somebody here listens to. After each reconnect it subscribes again and
 * tells its listeners of a gap. A malformed message is logged and skipped.
 */
export class RedisChangeFeed implements ChangeFeed {
  readonly #redis: Redis;
  readonly #gate: RedisGate;
  readonly #sharded: boolean;
  readonly #log: Log;
  readonly #subscriptions: RedisSubscriptions;
  readonly #listeners = new Set<(tenant: string, change: EntityChange) => void>();
  readonly #gapListeners = new Set<() => void>();

  constructor({ redis, gate, subscriber, publish, log }: RedisChangeFeedOptions) {
    this.#redis = redis;
    this.#gate = gate;
    this.#log = log;
    this.#sharded = publish === 'sharded';
    this.#subscriptions = new RedisSubscriptions({
      subscriber,
      sharded: this.#sharded,
      log,
      onMessage: (channel, message) => this.#heard(channel, message),
      onResubscribed: () => {
        for (const listener of this.#gapListeners) listener();
      },
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
    const stamped: DataChange = { ...change, at: this.#gate.nowMicros() };
    const channel = changeChannel(tenant);
    const message = writeChangeMessage(stamped);
    try {
      await this.#gate.run(() =>
        this.#sharded ? this.#redis.spublish(channel, message) : this.#redis.publish(channel, message),
      );
    } catch (error) {
      // Should Redis have it after all, listeners hear it twice with the same `at`: nothing newer, nothing done.
      this.#deliver(tenant, stamped);
      throw error;
    }
  }

  onChange(listener: (tenant: string, change: EntityChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  #heard(channel: string, message: string): void {
    try {
      this.#deliver(readTenant(channel), readChangeMessage(message));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('A message on a change channel was skipped.', { channel, reason });
    }
  }

  #deliver(tenant: string, change: EntityChange): void {
    for (const listener of this.#listeners) listener(tenant, change);
  }
}

function readTenant(channel: string): string {
  const encoded = /^lockchange:\{(.*)\}$/.exec(channel)?.[1];
  if (encoded === undefined) throw new Error('expected a change channel');
  return decodeURIComponent(encoded);
}
