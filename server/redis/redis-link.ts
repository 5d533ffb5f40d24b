import type { Cluster, Redis } from 'ioredis';
import type { ChannelListener, ChannelSubscriptions } from './channel-subscriptions.ts';
import type { PublishMode } from './lua-scripts.ts';
import type { RedisGates } from './redis-gates.ts';

/** One deployment of Redis, as the store and the feed use it. */
export interface RedisLink {
  /** Runs scripts and reads, always behind a gate. */
  readonly redis: Redis | Cluster;
  readonly gates: RedisGates;
  /** How changes travel. A cluster says it when it is connected; before that nothing passes the gates. */
  publishMode(): PublishMode;
  /** Publishes the application's own message, as the mode says (`off` is about lock changes alone: plain). */
  send(channel: string, message: string): Promise<unknown>;
  /** Subscriptions over connections of their own. */
  hear(listener: ChannelListener): ChannelSubscriptions;
  /** The servers themselves, for questions about them: one, or a cluster's masters. */
  servers(): readonly Redis[];
  /** A new, unconnected connection to where a channel is heard, for the asker to close; null where nobody is known. */
  probe(channel: string): Redis | null;
  /** Connects, and goes on trying for ever. Resolves with whether Redis was ready within the start's patience. */
  open(): Promise<boolean>;
  /** Closes what the link opened itself, when what is under way has its reply; waits for no silent Redis. */
  close(): Promise<void>;
}

/** How long a start waits for Redis, in milliseconds. The server starts in any case. */
export const START_PATIENCE_MS = 1_000;
