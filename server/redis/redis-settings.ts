import type { ClusterOptions, RedisOptions } from 'ioredis';

/** How long a caller waits for Redis at worst, in milliseconds: after that the answer is "unknown" and pages are open. */
export const PATIENCE_MS = 500;

/** Scripts refuse to act later than this after the call, in milliseconds: before the caller has given up. */
export const DEADLINE_MS = 400;

/** After a silence nobody asks Redis for so long, in milliseconds: a hung Redis costs one wait a second, not one a request. */
export const PAUSE_MS = 1_000;

/** Reconnects at once, then ever more slowly up to a second, for ever. The jitter keeps nodes from coming in step. */
function retryStrategy(attempt: number): number {
  return Math.round(Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 50);
}

/** A demoted primary is left so often at most, in milliseconds: between two times what it still answers, lists, goes on. */
export const RECONNECT_EVERY_MS = 1_000;

let leftAtMs = Number.NEGATIVE_INFINITY;

/** A demoted primary: drops the connection (1), so that the name is looked up anew. Redis 6 buries the word in a script error. */
export function reconnectIfDemoted(error: Error): 1 | false {
  const nowMs = performance.now();
  if (!error.message.includes('READONLY') || nowMs - leftAtMs < RECONNECT_EVERY_MS) return false;
  leftAtMs = nowMs;
  return 1;
}

/**
 * The connection for commands. Measured with a killed, a stopped and an unreachable Redis: with ioredis' defaults
 * requests hang for 10 to 73 seconds, and with `commandTimeout` alone every claim that was answered "unknown" was
 * carried out later. All of these together, and the deadline inside the scripts, bring that to 0.
 */
export const COMMAND_SETTINGS = {
  lazyConnect: true,
  // Not connected: fail now, do not wait.
  enableOfflineQueue: false,
  // What was lost with its connection is not sent again later.
  autoResendUnfulfilledCommands: false,
  // What waits for a reply fails with its connection.
  maxRetriesPerRequest: 0,
  commandTimeout: PATIENCE_MS,
  connectTimeout: 1_000,
  // A connection that has owed a reply for so long is dropped.
  socketTimeout: 1_000,
  // Measured: 0.6 to 0.85 times the throughput of scripts, two to three times the p99.
  enableAutoPipelining: false,
  retryStrategy,
  reconnectOnError: reconnectIfDemoted,
} as const satisfies RedisOptions;

/** How often the subscriber asks Redis for a sign of life, in milliseconds. */
export const SUBSCRIBER_PING_MS = 500;

/**
 * The connection for subscriptions. It says nothing by itself, so a half-open one goes unnoticed for ever; with a ping
 * every {@link SUBSCRIBER_PING_MS} and `socketTimeout` it was back and subscribed after 1.3 s (measured).
 * Who subscribes again is the feed, since only it knows when to tell its listeners of a gap.
 */
export const SUBSCRIBER_SETTINGS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1_000,
  connectTimeout: 1_000,
  socketTimeout: 1_000,
  retryStrategy,
} as const satisfies RedisOptions;

/**
 * What Sentinel adds: who asks it waits as little as who asks Redis, and it says itself when another Redis is the master.
 * A master that was cut off from the others would otherwise go on being used by those who still reach it.
 */
export const SENTINEL_SETTINGS = {
  sentinelCommandTimeout: PATIENCE_MS,
  sentinelRetryStrategy: retryStrategy,
  failoverDetector: true,
  // A Sentinel that was away is listened to again so soon, in milliseconds; ioredis would wait for a minute.
  sentinelReconnectStrategy: () => 5_000,
} as const satisfies RedisOptions;

/**
 * The client of a cluster. Four redirections with 50 ms before each that waits for somebody: a call whose master is gone
 * fails in about 0.2 s (measured; with ioredis' defaults 1.6 s, and 7.5 s where the master hangs), and then the gate asks
 * nobody for a while. The map of slots is read every two seconds, so that a failover is also seen by who only listens.
 */
export const CLUSTER_SETTINGS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  // Replicas lag: a list that was read from one would bring back locks that have ended.
  scaleReads: 'master',
  maxRedirections: 4,
  retryDelayOnFailover: 50,
  // Not tried again: that state outlasts any patience, and each request would wait for all of its redirections.
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 50,
  slotsRefreshTimeout: 500,
  slotsRefreshInterval: 2_000,
  clusterRetryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
} as const satisfies ClusterOptions;

/** Each connection of that client: as {@link COMMAND_SETTINGS}, but it is the client who reconnects. */
export const CLUSTER_NODE_SETTINGS = {
  autoResendUnfulfilledCommands: COMMAND_SETTINGS.autoResendUnfulfilledCommands,
  maxRetriesPerRequest: COMMAND_SETTINGS.maxRetriesPerRequest,
  commandTimeout: COMMAND_SETTINGS.commandTimeout,
  connectTimeout: COMMAND_SETTINGS.connectTimeout,
  socketTimeout: COMMAND_SETTINGS.socketTimeout,
  enableAutoPipelining: COMMAND_SETTINGS.enableAutoPipelining,
} as const satisfies ClusterOptions['redisOptions'];
