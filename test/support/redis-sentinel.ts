import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '../../scripts/find-redis-server.mjs';
import { freePort } from './free-port.ts';
import { startRedis, type RedisServer } from './redis-server.ts';
import { until } from './until.ts';

const SENTINELS = 3;
const QUORUM = 2;
/** A master that is silent for so long is taken for dead. Redis' default is 30 s; tests do not wait for that. */
const DOWN_AFTER_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 3_000;
const START_TIMEOUT_MS = 20_000;

/** One master, one replica and three Sentinels of the test's own, on loopback, empty and without persistence. */
export interface RedisSentinel {
  /** The master's name, as the Sentinels know it. */
  readonly name: string;
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The two that keep data; which of them is the master changes. */
  readonly servers: readonly RedisServer[];
  /** The present master, as the Sentinels say. */
  master(): Promise<RedisServer>;
  /** Kills the master and resolves with the new one when the Sentinels name it and it takes writes. */
  failover(): Promise<RedisServer>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves when all Sentinels know the master, its replica and each other, after about three seconds. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const name = 'mymaster';
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-sentinel-'));
  const servers: RedisServer[] = [];
  const sentinels: { readonly host: string; readonly port: number }[] = [];
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all([...children.map(end), ...servers.map((server) => server.stop())]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const first = await startRedis({ args: ['--repl-diskless-sync-delay', '0'] });
    servers.push(first);
    servers.push(
      await startRedis({
        args: ['--repl-diskless-sync-delay', '0', '--replicaof', '127.0.0.1', String(first.port)],
      }),
    );
    for (let at = 0; at < SENTINELS; at += 1) {
      const port = await freePort();
      children.push(launch(port, join(folder, `sentinel-${String(at)}.conf`), name, first.port));
      sentinels.push({ host: '127.0.0.1', port });
    }
    await Promise.all(
      sentinels.map(({ port }) =>
        until('the Sentinels know each other', () => knowsAll(port, name), START_TIMEOUT_MS),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const master = async () => {
    const port = await until(
      'the Sentinels agree on a master',
      async () => {
        const ports = await Promise.all(sentinels.map((sentinel) => masterPort(sentinel.port, name)));
        return new Set(ports).size === 1 ? ports[0] : null;
      },
      START_TIMEOUT_MS,
    );
    const server = servers.find((known) => known.port === port);
    if (server === undefined) throw new Error(`The Sentinels name a master on port ${String(port)}`);
    return server;
  };
  return {
    name,
    sentinels,
    servers,
    master,
    async failover() {
      const before = await master();
      before.kill('SIGKILL');
      return until(
        'another master that takes writes',
        async () => {
          const now = await master();
          return now !== before && (await takesWrites(now.port)) ? now : null;
        },
        START_TIMEOUT_MS,
      );
    },
    stop,
  };
}

/** A Sentinel is a redis-server that is started as one; it writes what it learns into its own settings. */
function launch(port: number, file: string, name: string, masterAt: number): ChildProcess {
  const executable = findRedisServer();
  if (executable === undefined) throw new Error('No redis-server: run "node scripts/ensure-tools.mjs redis"');
  writeFileSync(
    file,
    [
      `port ${String(port)}`,
      'bind 127.0.0.1',
      `sentinel monitor ${name} 127.0.0.1 ${String(masterAt)} ${String(QUORUM)}`,
      `sentinel down-after-milliseconds ${name} ${String(DOWN_AFTER_MS)}`,
      `sentinel failover-timeout ${name} ${String(FAILOVER_TIMEOUT_MS)}`,
      '',
    ].join('\n'),
  );
  const child = spawn(executable, [file, '--sentinel'], { stdio: 'ignore' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function knowsAll(port: number, name: string): Promise<boolean> {
  return asking(port, false, async (client) => {
    const reply = (await client.call('SENTINEL', 'MASTER', name)) as string[];
    const field = (wanted: string) => reply[reply.indexOf(wanted) + 1];
    return (
      field('flags') === 'master' &&
      field('num-slaves') === '1' &&
      field('num-other-sentinels') === String(SENTINELS - 1)
    );
  });
}

function masterPort(port: number, name: string): Promise<number> {
  return asking(port, 0, async (client) => {
    const [, found] = (await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[];
    return Number(found);
  });
}

function takesWrites(port: number): Promise<boolean> {
  return asking(port, false, async (client) => ((await client.call('ROLE')) as string[])[0] === 'master');
}

/** One question to one server; `otherwise` where it does not answer. */
async function asking<Answer>(
  port: number,
  otherwise: Answer,
  ask: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    retryStrategy: () => null,
    commandTimeout: 1_000,
    enableReadyCheck: false,
  });
  client.on('error', () => {}); // the rejected call says it
  try {
    return await ask(client);
  } catch {
    return otherwise; // not yet, or not any more: whoever asks asks again
  } finally {
    client.disconnect();
  }
}
