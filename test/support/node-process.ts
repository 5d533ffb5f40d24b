import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { UnstampedChange } from '../../core/index.ts';
import { freePort } from './free-port.ts';
import { NODE_OPTIONS_VARIABLE, type NodeProcessOptions, type NodeReport } from './node-process-options.ts';

const START_PATIENCE_MS = 20_000;
const END_PATIENCE_MS = 15_000;
const MAIN = fileURLToPath(new URL('node-process-main.ts', import.meta.url));

/** A Rowlock node in a process of its own, which can be killed and come back on the same port. */
export interface NodeProcess {
  readonly url: string;
  readonly port: number;
  /** The present process; another one after `restart()`. */
  readonly pid: number;
  report(options?: { readonly afterCollection: boolean }): Promise<NodeReport>;
  /** Publishes the application's own changes, all in one turn of the node's event loop. */
  publish(...changes: readonly UnstampedChange[]): Promise<void>;
  /** SIGTERM: resolves when it has drained and ended. */
  drain(): Promise<void>;
  /** SIGKILL: a crash. */
  crash(): Promise<void>;
  /** Starts it anew on the same port, after `drain` or `crash`. */
  restart(): Promise<void>;
  /** Ends it, however it is. Harmless when it has ended. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a node; the port is a free one unless it is named. */
export async function startNodeProcess(
  options: Omit<NodeProcessOptions, 'port'> & { readonly port?: number },
): Promise<NodeProcess> {
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const start = () => launch({ ...options, port });
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (!running.has(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const forced = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS);
    const [code, by] = (await gone) as [number | null, NodeJS.Signals | null];
    clearTimeout(forced);
    if (signal === 'SIGTERM' && code !== 0)
      throw new Error(`A node did not drain: ${by ?? `exit code ${code}`}`);
  };
  return {
    url,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    async report({ afterCollection } = { afterCollection: false }) {
      return (await (await fetch(`${url}/test/report${afterCollection ? '?gc' : ''}`)).json()) as NodeReport;
    },
    async publish(...changes) {
      const response = await fetch(`${url}/test/publish`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(changes),
      });
      if (!response.ok)
        throw new Error(`A node published nothing: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    },
    drain: () => end('SIGTERM'),
    crash: () => end('SIGKILL'),
    async restart() {
      child = await start();
    },
    stop: () => end('SIGKILL'),
  };
}

async function launch(options: NodeProcessOptions): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', MAIN], {
    env: { ...process.env, [NODE_OPTIONS_VARIABLE]: JSON.stringify(options) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`A node did not start within ${START_PATIENCE_MS} ms.`));
    }, START_PATIENCE_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`A node ended before it listened, exit code ${code ?? 'none'}.`));
    });
    child.on('message', (message) => {
      if (message !== 'ready') return; // others are the TypeScript loader's
      clearTimeout(timer);
      resolve();
    });
  });
  child.removeAllListeners('message');
  return child;
}
