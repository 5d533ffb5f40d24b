import type { Redis } from 'ioredis';
import { askRedisNodes } from './ask-redis-nodes.ts';
import { until } from './until.ts';

const MASTERS = 3;
/** Three masters, and a replica of each. */
export const CLUSTER_NODES = 2 * MASTERS;
const SLOTS = 16_384;
const START_TIMEOUT_MS = 30_000;

/** Makes six empty nodes a cluster: slots to the first three, an acquaintance of all with all, then the other three follow one master each. */
export async function formCluster(ports: readonly number[]): Promise<void> {
  await askRedisNodes(ports, async (clients) => {
    const masters = clients.slice(0, MASTERS);
    await Promise.all(
      masters.map(async (client, at) => {
        const [from, to] = [at, at + 1].map((part) => Math.floor((part * SLOTS) / MASTERS)) as [
          number,
          number,
        ];
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
        // ADDSLOTSRANGE is Redis 7's.
        await client.call(
          'CLUSTER',
          'ADDSLOTS',
          ...Array.from({ length: to - from }, (_, slot) => from + slot),
        );
      }),
    );
    const [first] = clients;
    for (const port of ports.slice(1)) await first?.call('CLUSTER', 'MEET', '127.0.0.1', String(port));
    const ids = await Promise.all(
      clients.map(async (client) => String(await client.call('CLUSTER', 'MYID'))),
    );
    await Promise.all(
      clients.slice(MASTERS).map(async (client, at) => {
        const id = ids[at] ?? '';
        await until(
          'the replica knows its master',
          async () => String(await client.call('CLUSTER', 'NODES')).includes(`${id} 127.0.0.1`),
          START_TIMEOUT_MS,
        );
        await client.call('CLUSTER', 'REPLICATE', id);
      }),
    );
  });
}

/** The steps of the Redis manual: the target opens first and closes first, so that the slot is never nobody's. */
export async function moveSlot(
  [source, target, ...others]: readonly Redis[],
  slot: number,
  targetPort: number,
  midway: () => Promise<void> = async () => {},
): Promise<void> {
  if (source === undefined || target === undefined) throw new Error('A slot moves between two masters');
  const [from, to] = await Promise.all(
    [source, target].map(async (client) => String(await client.call('CLUSTER', 'MYID'))),
  );
  const setSlot = (client: Redis, ...args: (string | undefined)[]) =>
    client.call('CLUSTER', 'SETSLOT', String(slot), ...args.map(String));
  await setSlot(target, 'IMPORTING', from);
  await setSlot(source, 'MIGRATING', to);
  await midway();
  for (;;) {
    const keys = (await source.call('CLUSTER', 'GETKEYSINSLOT', String(slot), '100')) as string[];
    if (keys.length === 0) break;
    await source.call('MIGRATE', '127.0.0.1', String(targetPort), '', '0', '5000', 'KEYS', ...keys);
  }
  for (const client of [target, source, ...others]) await setSlot(client, 'NODE', to);
}

/** Resolves when every node sees all slots served and all six nodes, each in step with its master or replica. */
export function clusterHealthy(ports: readonly number[]): Promise<void> {
  return askRedisNodes(ports, async (clients) => {
    await until(
      'every node calls the cluster healthy',
      async () => (await Promise.all(clients.map(isHealthy))).every(Boolean),
      START_TIMEOUT_MS,
    );
  });
}

/** As this node sees it. */
async function isHealthy(client: Redis): Promise<boolean> {
  const [info, known, replication] = await Promise.all([
    client.call('CLUSTER', 'INFO'),
    client.call('CLUSTER', 'NODES'),
    client.call('INFO', 'replication'),
  ]).catch(() => ['', '', '']); // it is being asked while it starts again
  const lines = String(known).trim().split('\n');
  return (
    String(info).includes('cluster_state:ok') &&
    String(info).includes(`cluster_slots_ok:${String(SLOTS)}`) &&
    lines.length === CLUSTER_NODES &&
    lines.filter((line) => line.includes('slave')).length === CLUSTER_NODES - MASTERS &&
    !lines.some((line) => /fail|handshake|noaddr/.test(line)) &&
    /master_link_status:up|state=online/.test(String(replication))
  );
}
