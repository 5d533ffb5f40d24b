/**
 * What an operator should hear of a Redis at start, from its `INFO`: an empty list where all is well. `isCluster` = our
 * client speaks to a cluster. Managed services leave sections out; what is not said is not judged.
 */
export function redisAdvice(info: string, isCluster: boolean): readonly string[] {
  const advice: string[] = [];
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction') {
    advice.push(
      `maxmemory-policy is "${policy}": under pressure Redis may drop live locks. Set it to "noeviction".`,
    );
  }
  if (!isCluster && /^cluster_enabled:1/m.test(info)) {
    advice.push(
      'This Redis is a node of a cluster, and the client speaks to it alone: locks of most tenants will fail with MOVED. ' +
        'Give the addresses of the cluster as `cluster` (REDIS_CLUSTER in the demo).',
    );
  }
  return advice;
}
