import type {
  ClusteredRedis,
  RedisConnectionOptions,
  SentinelRedis,
  StandaloneRedis,
} from './redis-backend.ts';

/** The variables that say where Redis is: one of them, or none. */
export interface RedisEnvironment {
  /** `redis://` or `rediss://` (TLS), with `user:password@` and `/database` where needed. */
  readonly REDIS_URL?: string | undefined;
  /** Any nodes of a cluster: `redis://h1:7000,h2:7000`, or `rediss://user:password@h1:7000,…`; user and TLS are for all. */
  readonly REDIS_CLUSTER?: string | undefined;
  /** `sentinel://h1:26379,h2:26379/mymaster`, with `user:password@` for the Redis; `sentinels://` = TLS to both. */
  readonly REDIS_SENTINEL?: string | undefined;
}

/** What the environment asked for. */
export interface RedisFromEnvironment {
  /** For `redisBackend()`. */
  readonly target: StandaloneRedis | ClusteredRedis | SentinelRedis;
  /** For a start message: hosts and ports, never a password. */
  readonly description: string;
}

const VARIABLES = ['REDIS_URL', 'REDIS_CLUSTER', 'REDIS_SENTINEL'] as const;
const DEFAULT_PORT = 6_379;
const DEFAULT_SENTINEL_PORT = 26_379;

/** What each variable has to look like, for the error that says so. */
const EXPECTED = {
  REDIS_URL: 'a URL such as "redis://127.0.0.1:6379"',
  REDIS_CLUSTER: 'a list of nodes such as "redis://10.0.0.1:6379,10.0.0.2:6379" (rediss:// for TLS)',
  REDIS_SENTINEL:
    'Sentinels and the master\'s name, such as "sentinel://10.0.0.1:26379,10.0.0.2:26379/mymaster"',
} as const;

/**
 * Where an environment says that Redis is; null where it says nothing. Throws an Error that names the variable and what
 * it has to look like; never shows the value, which may hold a password.
 */
export function redisFromEnvironment(environment: RedisEnvironment): RedisFromEnvironment | null {
  const given = VARIABLES.filter((name) => (environment[name] ?? '') !== '');
  const [variable] = given;
  if (variable === undefined) return null;
  if (given.length > 1) throw new Error(`${given.join(' and ')}: expected only one of them.`);
  const value = environment[variable] ?? '';
  const read = { REDIS_URL: readUrl, REDIS_CLUSTER: readCluster, REDIS_SENTINEL: readSentinel }[variable](
    value,
  );
  if (read === null) throw new Error(`${variable}: expected ${EXPECTED[variable]}.`);
  return read;
}

function readUrl(text: string): RedisFromEnvironment | null {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  if (hostname === '') return null;
  return {
    target: { url: text },
    description: `redis at ${protocol}//${hostname}:${port === '' ? String(DEFAULT_PORT) : port}`,
  };
}

function readCluster(text: string): RedisFromEnvironment | null {
  // The scheme may stand before each node, as lists of URLs have it.
  const list = readList(/^(rediss?):\/\//, text.replaceAll(/,rediss?:\/\//g, ','), DEFAULT_PORT);
  if (list === null || list.path !== '') return null;
  const { scheme, hosts, connection } = list;
  return {
    target: { cluster: hosts, connection: withTls(connection, scheme === 'rediss', false) },
    description: `redis cluster at ${scheme}://${hosts.map(nameOf).join(',')}`,
  };
}

function readSentinel(text: string): RedisFromEnvironment | null {
  const list = readList(/^(sentinels?):\/\//, text, DEFAULT_SENTINEL_PORT);
  if (list === null || list.path === '') return null;
  const { scheme, hosts, connection, path } = list;
  return {
    target: {
      sentinel: { sentinels: hosts, name: path },
      connection: withTls(connection, scheme === 'sentinels', true),
    },
    description: `redis "${path}" of ${scheme}://${hosts.map(nameOf).join(',')}`,
  };
}

interface HostList {
  readonly scheme: string;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly connection: RedisConnectionOptions;
  /** Behind the hosts, without the slash and decoded. */
  readonly path: string;
}

/** Reads `scheme://user:password@host:port,host:port/path`; the user may also stand before each host, all alike. */
function readList(prefix: RegExp, text: string, defaultPort: number): HostList | null {
  const scheme = prefix.exec(text)?.[1];
  if (scheme === undefined) return null;
  const [authorities = '', path = '', ...more] = text.replace(prefix, '').split('/');
  if (more.length > 0) return null;
  const urls = authorities.split(',').map((authority) => {
    const url = `redis://${authority.trim()}`;
    return URL.canParse(url) ? new URL(url) : null;
  });
  const [first] = urls;
  if (first === undefined || first === null) return null;
  const hosts = urls.flatMap((url) => {
    if (url === null || url.hostname === '' || url.search !== '' || url.hash !== '') return [];
    return [
      { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? defaultPort : Number(url.port) },
    ];
  });
  if (hosts.length < urls.length) return null;
  const [username, password] = [first.username, first.password].map(decode);
  const decodedPath = decode(path);
  if (username === null || password === null || decodedPath === null) return null;
  return {
    scheme,
    hosts,
    connection: { ...(username ? { username } : {}), ...(password ? { password } : {}) },
    path: decodedPath,
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // a lone "%": the caller says what was expected
  }
}

function withTls(
  connection: RedisConnectionOptions,
  isSecure: boolean,
  isSentinel: boolean,
): RedisConnectionOptions {
  if (!isSecure) return connection;
  const sentinel = isSentinel ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {};
  return { ...connection, tls: {}, ...sentinel };
}

function nameOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
