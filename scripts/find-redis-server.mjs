import { findExecutable } from './find-executable.mjs';

/**
 * The path of redis-server, or undefined. REDIS_SERVER decides alone when set.
 *
 * @returns {string | undefined}
 */
export function findRedisServer() {
  return findExecutable('REDIS_SERVER', [
    'redis-server',
    '/usr/bin/redis-server',
    '/usr/local/bin/redis-server',
    '/opt/homebrew/bin/redis-server',
  ]);
}
