import type { Cluster, RedisOptions } from 'ioredis';
import type { Log } from '../../core/index.ts';
import { ClusterGates } from './cluster-gates.ts';
import { plainHome, shardedHomes, type ClusterHomes } from './cluster-homes.ts';
import { ClusterNodes } from './cluster-nodes.ts';
import { ClusterSubscriptions } from './cluster-subscriptions.ts';
import type { PublishMode } from './lua-scripts.ts';
import { patience } from './patience.ts';
import { START_PATIENCE_MS, type RedisLink } from './redis-link.ts';
import { SUBSCRIBER_SETTINGS } from './redis-settings.ts';
import { serverVersion } from './server-version.ts';
import { whenReady } from './when-ready.ts';

/** Sharded channels came with Redis 7. */
const SHARDED_SINCE = 7;

export interface ClusterLinkOptions {
  readonly cluster: Cluster;
  readonly isOwned: boolean;
  /** null: `sharded` where every master is a Redis 7 or newer, `plain` otherwise. */
  readonly publish: PublishMode | null;
  readonly log: Log;
}

/** A cluster: the client's connections for commands, and one of our own for each node that carries a subscription. */
export function clusterLink({ cluster, isOwned, publish, log }: ClusterLinkOptions): RedisLink {
  const nodes = new ClusterNodes(cluster);
  let mode = publish;
  let onPlaced = () => {};
  const gates = new ClusterGates({ cluster, nodes, isUsable: () => mode !== null });
  const onRefresh = nodes.onRefresh(() => {
    void (mode === null ? learnMode() : Promise.resolve()).then(() => onPlaced());
  });

  let learning: Promise<void> | null = null;
  /** Every node of the application asks the same masters, and so comes to the same answer. */
  const learnMode = () =>
    (learning ??= Promise.allSettled(nodes.masters().map(serverVersion))
      .then((results) => {
        const versions = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        // Nobody answered: the next reading of the map asks again.
        if (versions.length > 0) mode ??= Math.min(...versions) >= SHARDED_SINCE ? 'sharded' : 'plain';
      })
      .finally(() => {
        learning = null;
      }));

  /** A connection of our own beside the client's, with the same address, user and TLS. */
  const connectionTo = (address: string, more: RedisOptions = {}) =>
    nodes.find(address)?.duplicate({ ...SUBSCRIBER_SETTINGS, readOnly: false, ...more }) ?? null;

  return {
    redis: cluster,
    gates,
    publishMode: () => mode ?? 'off',
    send(channel, message) {
      if (mode === 'sharded') return cluster.spublish(channel, message);
      // Any node would do; the tenant's own is the one whose gate this call has passed.
      const owner = nodes.find(nodes.ownerOf(channel) ?? '');
      return (owner ?? cluster).publish(channel, message);
    },
    hear(listener) {
      const plain = plainHome(nodes);
      const sharded = shardedHomes(nodes);
      const homes: ClusterHomes = {
        of: (channel) => (mode === null ? null : (mode === 'sharded' ? sharded : plain).of(channel)),
        lost: (address) => plain.lost(address),
      };
      const subscriptions = new ClusterSubscriptions({
        ...listener,
        homes,
        isSharded: () => mode === 'sharded',
        log,
        refresh: () => nodes.refresh(),
        subscriberAt: (address) => connectionTo(address),
      });
      onPlaced = () => subscriptions.place();
      return subscriptions;
    },
    servers: () => nodes.masters(),
    probe: (channel) => connectionTo(nodes.ownerOf(channel) ?? '', { retryStrategy: () => null }),
    async open() {
      const deadlineMs = performance.now() + START_PATIENCE_MS;
      const left = () => Math.max(0, deadlineMs - performance.now());
      if (!(await whenReady(cluster, left()))) return false;
      if (mode === null) await Promise.race([learnMode(), patience(left())]);
      const masters = await Promise.all(nodes.masters().map((node) => whenReady(node, left())));
      return mode !== null && !masters.includes(false);
    },
    async close() {
      onRefresh();
      gates.stop();
      if (!isOwned) return;
      cluster.on('error', () => {}); // of a client that is on its way out
      if (cluster.status === 'ready') await cluster.quit().catch(() => {}); // then it is cut off all the same
      cluster.disconnect();
    },
  };
}
