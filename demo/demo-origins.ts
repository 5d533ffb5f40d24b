import { BlockList, isIP } from 'node:net';
import type { AllowedOrigins } from '../server/index.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** The loopback addresses of a page that a developer serves: any port, without TLS. */
const LOOPBACK_PAGE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Which other pages may use the demo: those of `ALLOWED_ORIGINS`, a comma-separated list. Without that variable, and
 * only while the server itself listens on loopback, every page that this machine serves over http; else none. Throws
 * for anything that is not an origin: `*` and `null` stand for everybody, and the demo gives a token to whoever asks.
 */
export function demoOrigins(allowed: string | undefined, host: string): AllowedOrigins {
  if (allowed === undefined) return isLoopback(host) ? (origin) => LOOPBACK_PAGE.test(origin) : [];
  const origins = allowed
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  for (const origin of origins) {
    const isWeb = /^https?:\/\/[^*]+$/.test(origin);
    if (isWeb && URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new Error(
      `ALLOWED_ORIGINS: expected origins such as "http://127.0.0.1:5500", separated by commas, got "${origin}". ` +
        'An origin is scheme, host and port, without a path; "*" and "null" are not allowed.',
    );
  }
  return origins;
}

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
