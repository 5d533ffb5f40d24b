import { askRedisNodes } from './ask-redis-nodes.ts';
import type { RedisFault, RedisFaultStage } from './redis-fault.ts';
import type { RedisCluster, RedisClusterNode } from './redis-cluster.ts';
import { startRedisSentinel } from './redis-sentinel.ts';
import type { RedisServer } from './redis-server.ts';
import { tenantOf } from './tenants-by-master.ts';
import { TEST_TENANT } from './test-tokens.ts';
import { until } from './until.ts';
import { keySlot } from '../unit/server/key-slot.ts';

const FAILOVER_MS = 30_000;

/** What can happen to a cluster. It is shared, and whole again after each. */
export function redisClusterFaults(cluster: () => RedisCluster): readonly RedisFault[] {
  /** Begins on the master of a tenant of its own. */
  const fault = (
    name: string,
    happens: (stage: {
      readonly master: RedisClusterNode;
      readonly slot: number;
    }) => Pick<RedisFaultStage, 'begin' | 'end'> & Partial<Pick<RedisFaultStage, 'settle'>>,
  ): RedisFault => ({
    name,
    beginsWell: true,
    async prepare() {
      const [master] = await cluster().masters();
      if (master === undefined) throw new Error('The cluster has no master');
      const tenant = await tenantOf(cluster(), master);
      const { settle = async () => {}, ...happening } = happens({ master, slot: keySlot(`{${tenant}}`) });
      return {
        target: { cluster: cluster().addresses },
        tenant,
        ports: cluster().nodes.map(({ port }) => port),
        ...happening,
        async settle() {
          await settle();
          await cluster().healthy();
        },
        async stop() {},
      };
    },
  });
  const failover = (
    name: string,
    signal: NodeJS.Signals,
    wake: (master: RedisClusterNode) => Promise<void>,
  ) =>
    fault(name, ({ master, slot }) => ({
      begin: async () => master.kill(signal),
      async end() {
        await until(
          'another master takes writes',
          async () => {
            const now = await cluster().masterOf(slot);
            return now !== master && (await says(now, ['CLUSTER', 'INFO'], /cluster_state:ok/));
          },
          FAILOVER_MS,
        );
      },
      settle: () => wake(master),
    }));
  return [
    fault('cluster: CLUSTERDOWN (the slot is nobody’s)', ({ master, slot }) => {
      const onAll = (verb: string, nodes: readonly RedisClusterNode[]) =>
        askRedisNodes(
          nodes.map(({ port }) => port),
          async (clients) => {
            await Promise.all(
              clients.map((client) => client.call('CLUSTER', verb, String(slot)).catch(() => {})),
            );
          },
        );
      return {
        begin: () => onAll('DELSLOTS', cluster().nodes),
        async end() {
          await onAll('ADDSLOTS', [master]);
        },
      };
    }),
    fault('cluster: CLUSTERDOWN (two of three masters hang)', ({ master }) => {
      let hung: readonly RedisClusterNode[] = [];
      return {
        async begin() {
          hung = (await cluster().masters()).filter((node) => node !== master);
          for (const node of hung) node.kill('SIGSTOP');
        },
        async end() {
          for (const node of hung) node.kill('SIGCONT');
          await until(
            'it takes writes',
            () => says(master, ['CLUSTER', 'INFO'], /cluster_state:ok/),
            FAILOVER_MS,
          );
        },
      };
    }),
    failover('cluster: master hangs, failover (SIGSTOP)', 'SIGSTOP', async (master) =>
      master.kill('SIGCONT'),
    ),
    failover('cluster: master killed, failover (SIGKILL)', 'SIGKILL', (master) => master.restart()),
  ];
}

/** What can happen behind Sentinels. */
export const REDIS_SENTINEL_FAULTS: readonly RedisFault[] = [
  sentinelFailover('Sentinel: master hangs, failover (SIGSTOP)', 'SIGSTOP', (master) =>
    master.kill('SIGCONT'),
  ),
  sentinelFailover('Sentinel: master killed, failover (SIGKILL)', 'SIGKILL', () => {}),
];

function sentinelFailover(
  name: string,
  signal: NodeJS.Signals,
  wake: (master: RedisServer) => void,
): RedisFault {
  return {
    name,
    beginsWell: true,
    async prepare() {
      const redis = await startRedisSentinel();
      const master = await redis.master();
      return {
        target: { sentinel: { sentinels: redis.sentinels, name: redis.name } },
        tenant: TEST_TENANT,
        ports: redis.servers.map(({ port }) => port),
        begin: async () => master.kill(signal),
        async end() {
          await until(
            'another master takes writes',
            async () => {
              const now = await redis.master();
              return now !== master && (await says(now, ['ROLE'], /^master/));
            },
            FAILOVER_MS,
          );
        },
        settle: async () => wake(master),
        stop: () => redis.stop(),
      };
    },
  };
}

/** Whether a server answers a question so; false for one that answers nothing. */
function says(
  { port }: RedisServer,
  [command = '', ...args]: readonly string[],
  answer: RegExp,
): Promise<boolean> {
  return askRedisNodes([port], async ([client]) => {
    const reply = await client?.call(command, ...args).catch(() => '');
    return answer.test(String(reply));
  });
}
