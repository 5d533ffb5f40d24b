/**
 * What an operator should hear of a Redis at start, from its `INFO`: an empty list where all is well.
 * Managed services leave sections out; what is not said is not judged.
 */
export function redisAdvice(info: string): readonly string[] {
  const advice: string[] = [];
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction') {
    advice.push(
      `maxmemory-policy is "${policy}": under pressure Redis may drop live locks. Set it to "noeviction".`,
    );
  }
  if (/^cluster_enabled:1/m.test(info)) {
    advice.push(
      'This Redis is a node of a cluster, and REDIS_URL connects to it alone: locks of most tenants will fail with MOVED.',
    );
  }
  return advice;
}
