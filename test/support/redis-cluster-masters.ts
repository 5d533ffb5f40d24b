import { askRedisNodes } from './ask-redis-nodes.ts';

/** One master of a cluster, and what it owns. */
export interface MasterSlots {
  readonly address: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** The present masters, as the node that knows the latest failover says; null where none answers. */
export async function clusterMasters(ports: readonly number[]): Promise<readonly MasterSlots[] | null> {
  const answers = await askRedisNodes(ports, (clients) =>
    Promise.all(clients.map((client) => client.call('CLUSTER', 'NODES').then(String, () => null))),
  );
  // The node with the highest epoch has seen the last failover.
  const [newest] = answers
    .filter((answer) => answer !== null)
    .map((answer) => ({
      answer,
      epoch: Math.max(...[...answer.matchAll(/ (\d+) connected/g)].map(([, e]) => Number(e))),
    }))
    .sort((a, b) => b.epoch - a.epoch);
  if (newest === undefined) return null;
  return newest.answer
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , flags = '']) => flags.includes('master') && !/fail(?!\?)/.test(flags))
    .map(([, address = '', , , , , , , ...ranges]) => ({
      address: address.replace(/@.*$/, ''),
      ranges: ranges
        .filter((range) => /^\d/.test(range))
        .map((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return [from, to] as const;
        }),
    }))
    .filter(({ ranges }) => ranges.length > 0);
}
