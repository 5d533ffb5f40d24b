import type { RedisCluster, RedisClusterNode } from './redis-cluster.ts';

/** A tenant whose keys and channel a certain master owns now. */
export async function tenantOf(
  cluster: RedisCluster,
  master: RedisClusterNode,
  prefix = 'tenant',
): Promise<string> {
  for (let at = 0; ; at += 1) {
    const tenant = `${prefix}-${String(at)}`;
    if ((await cluster.masterOf(`{${tenant}}`)) === master) return tenant;
  }
}
