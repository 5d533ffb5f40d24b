import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findRedisServer } from '../../scripts/find-redis-server.mjs';
import { freePort } from './free-port.ts';

const START_TIMEOUT_MS = 10_000;
const POLL_EVERY_MS = 20;

/** A redis-server process of the test's own, empty and without persistence. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** The present process; another one after `restart()`. */
  readonly pid: number;
  /** Sends a signal and returns at once: `SIGSTOP` makes Redis silent, `SIGCONT` wakes it, `SIGKILL` is a crash. */
  kill(signal: NodeJS.Signals): void;
  /** Ends the process, also a silenced one, and resolves when it is gone. Harmless when it has ended already. */
  stop(): Promise<void>;
  /** Stops, then starts an empty server on the same port. */
  restart(): Promise<void>;
}

export interface RedisServerOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Further arguments, e.g. `['--maxmemory', '2mb']`. */
  readonly args?: readonly string[];
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves when the server answers; rejects with the server's own output when it ends or stays silent. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const executable = findRedisServer();
  if (executable === undefined) throw new Error('No redis-server: run "node scripts/ensure-tools.mjs redis"');
  const port = options.port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-redis-'));
  const start = () => launch(executable, port, folder, options.args ?? []);

  let child = await start().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const end = async () => {
    // SIGKILL, since there is nothing to save and a process under SIGSTOP takes no other signal.
    if (running.has(child)) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
  };
  return {
    url: `redis://127.0.0.1:${String(port)}`,
    port,
    get pid() {
      return pidOf(child);
    },
    kill(signal) {
      child.kill(signal);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      await end();
      child = await start();
    },
  };
}

async function launch(
  executable: string,
  port: number,
  folder: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(
    executable,
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let ended: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  running.add(child);
  child.once('error', (error) => {
    ended = error.message;
    running.delete(child);
  });
  child.once('exit', (code, signal) => {
    ended ??= `ended with ${signal ?? `exit code ${String(code)}`}`;
    running.delete(child);
  });

  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await answers(port, child.pid))) {
    if (ended === undefined && performance.now() < deadline) {
      await delay(POLL_EVERY_MS);
      continue;
    }
    child.kill('SIGKILL');
    throw new Error(
      `redis-server on port ${String(port)}: ${ended ?? `no answer in ${String(START_TIMEOUT_MS)} ms`}\n${output}`,
    );
  }
  return child;
}

/**
 * True when the server on `port` is up and is the process `pid`, for the port might be somebody else's. A server
 * with a password does not say who it is: it is taken for ours.
 */
function answers(port: number, pid: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('INFO server\r\n'));
    const settle = (ours: boolean) => {
      socket.destroy();
      resolve(ours);
    };
    socket.setTimeout(1_000, () => {
      settle(false);
    });
    // Refused: not listening yet. The caller asks again until its deadline.
    socket.once('error', () => {
      settle(false);
    });
    let reply = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply += text;
      const process = /\bprocess_id:(\d+)\r/.exec(reply)?.[1];
      if (process !== undefined) settle(Number(process) === pid);
      else if (reply.startsWith('-')) settle(reply.startsWith('-NOAUTH') || reply.startsWith('-NOPERM'));
    });
  });
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('redis-server has no process id: it did not start');
  return child.pid;
}
