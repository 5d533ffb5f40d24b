import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { Log } from '../../core/index.ts';
import { jsonLog } from '../json-log.ts';
import type { LockBackend } from '../lock-backend.ts';
import { clusterLink } from './cluster-link.ts';
import type { PublishMode } from './lua-scripts.ts';
import { checkRedis } from './check-redis.ts';
import { clientAdvice } from './client-advice.ts';
import { patience } from './patience.ts';
import { RedisChangeFeed } from './redis-change-feed.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisLockStore } from './redis-lock-store.ts';
import {
  CLUSTER_NODE_SETTINGS,
  CLUSTER_SETTINGS,
  COMMAND_SETTINGS,
  SENTINEL_SETTINGS,
  SUBSCRIBER_SETTINGS,
} from './redis-settings.ts';
import { singleRedisLink } from './single-redis-link.ts';

/** What may be said of a connection: user and password, TLS, names. What failing open needs is set by Rowlock itself. */
export type RedisConnectionOptions = Omit<
  RedisOptions,
  keyof typeof COMMAND_SETTINGS | 'autoResubscribe' | 'keyPrefix' | 'readOnly' | 'replyMapping'
>;

/** One Redis, or whatever answers at its address. */
export interface StandaloneRedis {
  /** `redis://` or `rediss://`, as ioredis reads it. */
  readonly url: string;
  /** User, password, TLS and names. */
  readonly connection?: RedisConnectionOptions;
}

/** A Redis Cluster, found from any of its nodes. */
export interface ClusteredRedis {
  /** Some of its nodes; the others are found. */
  readonly cluster: readonly ClusterNode[];
  /** For every node alike. */
  readonly connection?: RedisConnectionOptions;
  /** Where the addresses that the nodes announce are not the ones to be reached at (NAT, names of a certificate). */
  readonly natMap?: ClusterOptions['natMap'];
  /** ioredis looks names up once; behind TLS on AWS `(name, done) => done(null, name)` keeps the name. */
  readonly dnsLookup?: ClusterOptions['dnsLookup'];
}

/** One Redis at a time, and Sentinels that say which. */
export interface SentinelRedis {
  /** The Sentinels, and the name by which they know the master. */
  readonly sentinel: {
    readonly sentinels: readonly { readonly host: string; readonly port?: number }[];
    /** The master's name, as the Sentinels know it. */
    readonly name: string;
  };
  /** For the Redis; what is meant for the Sentinels begins with `sentinel` (`sentinelPassword`, `sentinelTLS`). */
  readonly connection?: RedisConnectionOptions;
}

/**
 * A client of the application's own, which stays the application's: it is connected where it waits for that, and never
 * closed. It needs the settings of `redisSettings`, otherwise requests wait for a Redis that is away; what is missing is
 * told at start. Subscriptions need connections of their own: they are made after this one's pattern, unless a
 * `subscriber` comes with it.
 */
export interface RedisOfTheApplication {
  /** It carries commands. */
  readonly client: Redis | Cluster;
  /** Beside a `Redis`. It carries subscriptions alone; its settings should be `redisSettings.subscriber`. */
  readonly subscriber?: Redis;
}

/** What holds for every kind of Redis. */
export interface RedisBackendSettings {
  /** Default: JSON lines. */
  readonly log?: Log;
  /**
   * How scripts publish changes. Default: `sharded` on a cluster of Redis 7 or newer, `plain` everywhere else. `off`
   * where Lua may not publish. All nodes of an application need the same: say it while a cluster is being upgraded
   * from Redis 6.
   */
  readonly publish?: PublishMode;
}

/** One of the ways to reach a Redis, and what holds for all of them. */
export type RedisBackendOptions = RedisBackendSettings &
  (StandaloneRedis | ClusteredRedis | SentinelRedis | RedisOfTheApplication);

/** How long a start waits for the answer whether all is well with Redis, in milliseconds; it is told later otherwise. */
const CHECK_PATIENCE_MS = 500;

/** The settings with which nobody ever waits for Redis, for clients that the application makes itself. */
export const redisSettings = {
  /** `new Redis(url, { ...redisSettings.client })`: standalone and Sentinel. */
  client: COMMAND_SETTINGS,
  /** `new Redis(url, { ...redisSettings.subscriber })`, where one is handed in. */
  subscriber: SUBSCRIBER_SETTINGS,
  /** `new Cluster(nodes, { ...redisSettings.cluster })`. */
  cluster: { ...CLUSTER_SETTINGS, redisOptions: CLUSTER_NODE_SETTINGS },
} as const;

/** Locks in Redis, shared by all server nodes: standalone, Cluster, Sentinel, or over a client of the application's. */
export function redisBackend(options: RedisBackendOptions): LockBackend {
  const { log = jsonLog() } = options;
  const link = openLink(options, log);
  const store = new RedisLockStore({ link, log });
  const feed = new RedisChangeFeed({ link, log });
  const checkLater = () => void checkRedis(link, log);
  let stopping: Promise<void> | null = null;
  return {
    store,
    feed,
    async start() {
      if ('client' in options) for (const advice of clientAdvice(options.client)) log.warn(advice);
      feed.start();
      if (await link.open()) {
        await Promise.race([checkRedis(link, log), patience(CHECK_PATIENCE_MS)]);
        return;
      }
      log.warn('Redis is not ready: the server starts without it, and records are open until it is back.');
      link.redis.once('ready', checkLater);
    },
    stop() {
      stopping ??= (async () => {
        link.redis.off('ready', checkLater);
        feed.stop();
        await link.close();
      })();
      return stopping;
    },
  };
}

function openLink(options: RedisBackendOptions, log: Log): RedisLink {
  const { publish } = options;
  const single = (redis: Redis, subscriber: Redis, owned = [redis, subscriber]) =>
    singleRedisLink({ redis, subscriber, owned, publish: publish ?? 'plain', log });
  const clustered = (cluster: Cluster, isOwned: boolean) =>
    clusterLink({ cluster, isOwned, publish: publish ?? null, log });

  if ('client' in options) {
    const { client, subscriber } = options;
    refuseKeyPrefix(client);
    if (client.isCluster) return clustered(client as Cluster, false);
    const redis = client as Redis;
    if (subscriber !== undefined) return single(redis, subscriber, []);
    const made = redis.duplicate(SUBSCRIBER_SETTINGS);
    return single(redis, made, [made]);
  }
  const { connection = {} } = options;
  if ('cluster' in options) {
    const { cluster, natMap, dnsLookup } = options;
    const client = new Cluster([...cluster], {
      ...CLUSTER_SETTINGS,
      ...(natMap === undefined ? {} : { natMap }),
      ...(dnsLookup === undefined ? {} : { dnsLookup }),
      redisOptions: { ...connection, ...CLUSTER_NODE_SETTINGS },
    });
    return clustered(client, true);
  }
  if ('sentinel' in options) {
    const { sentinels, name } = options.sentinel;
    const where = { ...SENTINEL_SETTINGS, ...connection, sentinels: [...sentinels], name };
    return single(
      new Redis({ ...where, ...COMMAND_SETTINGS }),
      new Redis({ ...where, ...SUBSCRIBER_SETTINGS }),
    );
  }
  return single(
    new Redis(options.url, { ...connection, ...COMMAND_SETTINGS }),
    new Redis(options.url, { ...connection, ...SUBSCRIBER_SETTINGS }),
  );
}

/** With one, the index would list keys that nobody finds: what a script hands back has no prefix. */
function refuseKeyPrefix(client: Redis | Cluster): void {
  const { keyPrefix } = client.options;
  if (keyPrefix !== undefined && keyPrefix !== '') {
    throw new Error(
      `client: expected one without keyPrefix, got "${keyPrefix}". Rowlock's keys begin with "lock".`,
    );
  }
}
