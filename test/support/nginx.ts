import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNginx } from '../../scripts/find-nginx.mjs';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const SAMPLE = new URL('../../docs/nginx.conf', import.meta.url);

/** The sample's own addresses of nodes. */
const SAMPLE_NODES = ['10.0.0.1:8080', '10.0.0.2:8080'] as const;

export interface NginxOptions {
  /** Ports of the two nodes, on the loopback address. */
  readonly nodePorts: readonly [number, number];
  /** What to change in the sample: a text that must be in it, and what comes in its place. */
  readonly replace?: Readonly<Record<string, string>>;
}

/** The sample of docs/nginx.conf, running in front of two nodes. */
export interface Nginx {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** What `nginx -t` said of the configuration. */
  readonly verdict: string;
  accessLog(): string;
  errorLog(): string;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM'); // nginx ends its workers; SIGKILL would leave them
});

/**
 * Starts nginx with the sample as it is, but for the ports, the places of its files, and `replace`. Rejects with
 * nginx' own words where it does not take the configuration.
 */
export async function startNginx({ nodePorts, replace = {} }: NginxOptions): Promise<Nginx> {
  const executable = findNginx();
  if (executable === undefined) throw new Error('No nginx: run "node scripts/ensure-tools.mjs nginx"');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-nginx-'));
  chmodSync(folder, 0o755); // its workers are another user's
  for (const name of ['log', 'temp']) mkdirSync(join(folder, name));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration({ port, nodePorts, folder, replace }));

  const args = ['-c', file, '-p', folder, '-e', join(folder, 'log', 'error.log')];
  const check = spawnSync(executable, ['-t', ...args], { encoding: 'utf8' });
  if (check.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`nginx does not take the configuration:\n${check.stderr}`);
  }
  const child = spawn(executable, [...args, '-g', 'daemon off;'], { stdio: 'ignore' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const read = (name: string) => readFileSync(join(folder, 'log', name), 'utf8');
  const nginx: Nginx = {
    url: `http://127.0.0.1:${port}`,
    verdict: check.stderr,
    accessLog: () => read('access.log'),
    errorLog: () => read('error.log'),
    async stop() {
      if (running.has(child)) {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await until('nginx listens', () => {
      if (!running.has(child)) throw new Error(`nginx ended:\n${nginx.errorLog()}`);
      return listens(port);
    });
  } catch (error) {
    await nginx.stop();
    throw error;
  }
  return nginx;
}

interface Places {
  readonly port: number;
  readonly nodePorts: readonly [number, number];
  readonly folder: string;
  readonly replace: Readonly<Record<string, string>>;
}

function configuration({ port, nodePorts, folder, replace }: Places): string {
  const [first, second] = SAMPLE_NODES;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temp', name)};`)
    .join(' ');
  const changes = {
    'listen 80;': `listen 127.0.0.1:${port};`,
    [first]: `127.0.0.1:${nodePorts[0]}`,
    [second]: `127.0.0.1:${nodePorts[1]}`,
    '/run/nginx.pid': join(folder, 'nginx.pid'),
    '/var/log/nginx/': `${join(folder, 'log')}/`,
    'http {': `http { ${temp}`,
    // One is as good as several for what is tested, and its counters are easier to follow.
    'worker_processes auto;': 'worker_processes 1;',
    ...replace,
  };
  let text = readFileSync(SAMPLE, 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`docs/nginx.conf has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false)); // not yet: the caller asks again
  });
}
