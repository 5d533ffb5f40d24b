import { findExecutable } from './find-executable.mjs';

/**
 * The path of nginx, or undefined. NGINX decides alone when set. Debian keeps it out of the PATH of ordinary users.
 *
 * @returns {string | undefined}
 */
export function findNginx() {
  return findExecutable('NGINX', [
    'nginx',
    '/usr/sbin/nginx',
    '/usr/local/sbin/nginx',
    '/usr/local/bin/nginx',
    '/opt/homebrew/bin/nginx',
  ]);
}
