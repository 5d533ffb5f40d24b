import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { CLUSTER_SETTINGS, COMMAND_SETTINGS, PATIENCE_MS } from './redis-settings.ts';

/** One setting of a client: what it has to be, and what happens otherwise. */
interface Wanted {
  readonly setting: string;
  readonly present: unknown;
  readonly isGood: boolean;
  readonly wanted: string;
  readonly otherwise: string;
}

/**
 * What is missing in the settings of a client that the application made: an empty list where nobody will ever wait for
 * Redis. Looks at what changes behaviour while Redis is away, not at matters of taste.
 */
export function clientAdvice(client: Redis | Cluster): readonly string[] {
  const wanted = client.isCluster ? clusterWants(client as Cluster) : redisWants((client as Redis).options);
  return wanted
    .filter(({ isGood }) => !isGood)
    .map(
      ({ setting, present, wanted: expected, otherwise }) =>
        `The Redis client's ${setting} is ${String(present)}, expected ${expected}: otherwise ${otherwise}.`,
    );
}

function redisWants(options: RedisOptions): readonly Wanted[] {
  const { enableOfflineQueue, autoResendUnfulfilledCommands } = options;
  return [
    {
      setting: 'enableOfflineQueue',
      present: enableOfflineQueue,
      isGood: enableOfflineQueue === false,
      wanted: 'false',
      otherwise: 'what was answered "unknown" is sent when Redis is back',
    },
    {
      setting: 'autoResendUnfulfilledCommands',
      present: autoResendUnfulfilledCommands,
      isGood: autoResendUnfulfilledCommands === false,
      wanted: 'false',
      otherwise: 'what was lost with its connection is sent again later',
    },
    ...connectionWants('', options),
  ];
}

function clusterWants({ options }: Cluster): readonly Wanted[] {
  const {
    enableOfflineQueue,
    maxRedirections = 16,
    scaleReads,
    slotsRefreshInterval,
    redisOptions = {},
  } = options;
  return [
    {
      setting: 'enableOfflineQueue',
      present: enableOfflineQueue,
      isGood: enableOfflineQueue === false,
      wanted: 'false',
      otherwise: 'what was answered "unknown" is sent when the cluster is back',
    },
    {
      setting: 'scaleReads',
      present: scaleReads,
      isGood: scaleReads === 'master',
      wanted: '"master"',
      otherwise: 'lists come from replicas, which lag',
    },
    {
      setting: 'maxRedirections',
      present: maxRedirections,
      isGood: maxRedirections <= 2 * CLUSTER_SETTINGS.maxRedirections,
      wanted: `at most ${String(CLUSTER_SETTINGS.maxRedirections)}`,
      otherwise: 'calls go on being redirected after their caller has given up',
    },
    {
      setting: 'slotsRefreshInterval',
      present: slotsRefreshInterval,
      isGood: typeof slotsRefreshInterval === 'number' && slotsRefreshInterval > 0,
      wanted: `about ${String(CLUSTER_SETTINGS.slotsRefreshInterval)} (ms)`,
      otherwise: 'a node that only listens does not see where slots have moved',
    },
    ...connectionWants('redisOptions.', redisOptions),
  ];
}

function connectionWants(prefix: string, options: RedisOptions): readonly Wanted[] {
  const { maxRetriesPerRequest, commandTimeout, socketTimeout, enableAutoPipelining = false } = options;
  return [
    {
      setting: `${prefix}maxRetriesPerRequest`,
      present: maxRetriesPerRequest,
      isGood: maxRetriesPerRequest === 0,
      wanted: '0',
      otherwise: 'requests in flight wait for the next connections',
    },
    {
      setting: `${prefix}commandTimeout`,
      present: commandTimeout,
      isGood: isUpTo(commandTimeout, 2 * PATIENCE_MS),
      wanted: `${String(COMMAND_SETTINGS.commandTimeout)} (ms)`,
      otherwise: 'a Redis that hangs holds on to every request',
    },
    {
      setting: `${prefix}socketTimeout`,
      present: socketTimeout,
      isGood: isUpTo(socketTimeout, 5 * COMMAND_SETTINGS.socketTimeout),
      wanted: `${String(COMMAND_SETTINGS.socketTimeout)} (ms)`,
      otherwise: 'a connection that is silently dead is kept for minutes',
    },
    {
      setting: `${prefix}enableAutoPipelining`,
      present: enableAutoPipelining,
      isGood: !enableAutoPipelining,
      wanted: 'false',
      otherwise: 'scripts are slower, and on a cluster sent to the wrong node',
    },
  ];
}

function isUpTo(present: number | undefined, mostMs: number): boolean {
  return present !== undefined && present > 0 && present <= mostMs;
}
