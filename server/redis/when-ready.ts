import type { Cluster, Redis } from 'ioredis';

/** Connects a client that is not yet connecting. Answers whether it was ready within so many milliseconds. */
export function whenReady(redis: Redis | Cluster, patienceMs: number): Promise<boolean> {
  if (redis.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(isReady);
    };
    const onReady = () => settle(true);
    const timer = setTimeout(settle, patienceMs, false);
    redis.on('ready', onReady);
    // The first try failed: ioredis goes on, and 'error' events say why.
    if (redis.status === 'wait') redis.connect().catch(() => {});
  });
}
