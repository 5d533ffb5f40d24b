import { Redis } from 'ioredis';
import { mkdirSync, mkdtempSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { neededRights, type RedisConnectionOptions } from '../../server/index.ts';
import { freePort } from './free-port.ts';
import { startHoldingTcpProxy, type HeldWays } from './holding-tcp-proxy.ts';
import type { RedisFault, RedisFaultStage } from './redis-fault.ts';
import { startRedis, type RedisServer } from './redis-server.ts';
import { TEST_TENANT } from './test-tokens.ts';
import { until } from './until.ts';

/** Keys that a Redis loads at start, and how long it takes over each, in microseconds. */
const LOADED = { keys: 3_000, delayMicros: 1_000 } as const;

/** What can happen to a single Redis, or to the way there. */
export const REDIS_SERVER_FAULTS: readonly RedisFault[] = [
  onServer('killed (SIGKILL), then started empty', {
    begin: async ({ redis }) => redis.kill('SIGKILL'),
    end: ({ redis }) => redis.restart(),
  }),
  onServer('hung (SIGSTOP, SIGCONT)', {
    begin: async ({ redis }) => redis.kill('SIGSTOP'),
    end: async ({ redis }) => redis.kill('SIGCONT'),
  }),
  blackHole('black hole, then all of it lost', { requests: true, replies: true }, 'lost'),
  blackHole('black hole, then all of it delivered', { requests: true, replies: true }, 'delivered'),
  blackHole('replies alone are swallowed', { requests: false, replies: true }, 'lost'),
  refusedAtStart(),
  onServer('OOM (maxmemory, noeviction)', {
    args: ['--maxmemory-policy', 'noeviction'],
    // Less than any Redis needs.
    begin: ({ ask }) => ask('CONFIG', 'SET', 'maxmemory', '1'),
    end: ({ ask }) => ask('CONFIG', 'SET', 'maxmemory', '0'),
  }),
  onServer('READONLY (made a replica)', {
    begin: ({ ask }) => ask('REPLICAOF', '127.0.0.1', '1'),
    end: ({ ask }) => ask('REPLICAOF', 'NO', 'ONE'),
  }),
  misconf(),
  onServer('NOPERM (the user loses +set)', {
    connection: { username: 'rowlock', password: 'a-secret' },
    prepare: ({ ask }) =>
      ask('ACL', 'SETUSER', 'rowlock', 'on', '>a-secret', ...neededRights(false, 'plain').split(' ')),
    begin: ({ ask }) => ask('ACL', 'SETUSER', 'rowlock', '-set'),
    end: ({ ask }) => ask('ACL', 'SETUSER', 'rowlock', '+set'),
  }),
  loading(),
];

interface Server {
  readonly redis: RedisServer;
  /** Asks it something over a connection of its own. */
  ask(...command: readonly string[]): Promise<unknown>;
}

interface ServerFault {
  readonly args?: readonly string[];
  readonly connection?: RedisConnectionOptions;
  readonly prepare?: (server: Server) => Promise<unknown>;
  readonly begin: (server: Server) => Promise<unknown>;
  readonly end: (server: Server) => Promise<unknown>;
}

function onServer(name: string, fault: ServerFault): RedisFault {
  return {
    name,
    beginsWell: true,
    async prepare() {
      const redis = await startRedis({ args: fault.args ?? [] });
      const server: Server = { redis, ask: (...command) => askServer(redis.url, command) };
      await fault.prepare?.(server);
      return {
        ...stageOf(redis.url, [redis.port], () => redis.stop()),
        target: { url: redis.url, ...(fault.connection && { connection: fault.connection }) },
        begin: () => fault.begin(server),
        end: () => fault.end(server),
      };
    },
  };
}

function blackHole(name: string, ways: HeldWays, held: 'delivered' | 'lost'): RedisFault {
  return {
    name,
    beginsWell: true,
    async prepare() {
      const redis = await startRedis();
      const proxy = await startHoldingTcpProxy(redis.port);
      const stop = async () => {
        await proxy.stop();
        await redis.stop();
      };
      return {
        ...stageOf(`redis://127.0.0.1:${proxy.port}`, [redis.port], stop),
        begin: async () => proxy.hold(ways),
        end: async () => proxy.release(held),
      };
    },
  };
}

function refusedAtStart(): RedisFault {
  return {
    name: 'refused at start, comes up later',
    beginsWell: false,
    async prepare() {
      const port = await freePort();
      let redis: RedisServer | null = null;
      return {
        ...stageOf(`redis://127.0.0.1:${port}`, [port], async () => redis?.stop()),
        async begin() {},
        async end() {
          redis = await startRedis({ port });
        },
      };
    },
  };
}

/** The last snapshot failed, for a folder has its name, and Redis takes no writes until one succeeds. */
function misconf(): RedisFault {
  const snapshot = async (redis: RedisServer, status: 'ok' | 'err') => {
    await askServer(redis.url, ['BGSAVE']);
    await until(`a snapshot that ends "${status}"`, async () => {
      const info = String(await askServer(redis.url, ['INFO', 'persistence']));
      return info.includes('rdb_bgsave_in_progress:0') && info.includes(`rdb_last_bgsave_status:${status}`);
    });
  };
  return onServer('MISCONF (snapshots fail)', {
    async begin({ redis, ask }) {
      await ask('CONFIG', 'SET', 'save', '3600 1');
      mkdirSync(await snapshotPath(redis));
      await snapshot(redis, 'err');
    },
    async end({ redis }) {
      rmdirSync(await snapshotPath(redis));
      await snapshot(redis, 'ok');
    },
  });
}

async function snapshotPath({ url }: RedisServer): Promise<string> {
  const [dir, file] = await Promise.all(
    ['dir', 'dbfilename'].map(
      async (name) => ((await askServer(url, ['CONFIG', 'GET', name])) as string[])[1],
    ),
  );
  return join(dir ?? '', file ?? '');
}

/** A real one: Redis is killed and loads its last snapshot, slowly (`key-load-delay`, a setting for tests). */
function loading(): RedisFault {
  return {
    name: 'LOADING (a large snapshot)',
    beginsWell: true,
    async prepare() {
      const folder = mkdtempSync(join(tmpdir(), 'rowlock-loading-'));
      const slowly = ['--key-load-delay', String(LOADED.delayMicros)];
      const start = (port: number | undefined, args: readonly string[]) =>
        startRedis({
          ...(port === undefined ? {} : { port }),
          args: ['--dir', folder, '--loading-process-events-interval-bytes', '1024', ...args],
        });
      let redis = await start(undefined, []);
      const { url, port } = redis;
      const fill = "for at = 1, ARGV[1] do redis.call('SET', 'filler-' .. at, 'x') end";
      await askServer(url, ['EVAL', fill, '0', String(LOADED.keys)]);
      const stop = async () => {
        await redis.stop();
        rmSync(folder, { recursive: true, force: true });
      };
      return {
        ...stageOf(url, [port], stop),
        async begin() {
          await askServer(url, ['SAVE']);
          await redis.stop();
          redis = await start(port, slowly);
        },
        end: () =>
          until(
            'everything is loaded',
            async () => {
              return String(await askServer(url, ['INFO', 'persistence'])).includes('\nloading:0');
            },
            30_000,
          ),
      };
    },
  };
}

function stageOf(
  url: string,
  ports: readonly number[],
  stop: () => Promise<void>,
): Pick<RedisFaultStage, 'target' | 'tenant' | 'ports' | 'settle' | 'stop'> {
  return { target: { url }, tenant: TEST_TENANT, ports, settle: async () => {}, stop };
}

async function askServer(url: string, [command = '', ...args]: readonly string[]): Promise<unknown> {
  const client = new Redis(url, { retryStrategy: () => null, enableReadyCheck: false });
  client.on('error', () => {}); // the rejected call says it
  try {
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}
