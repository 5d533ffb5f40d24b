import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('idle-crowd-main.ts', import.meta.url));

/** Files and pipes of a process besides its connections. */
const OTHER_DESCRIPTORS = 200;

export interface CrowdReport {
  readonly joined: number;
  readonly closed: number;
  /** So many had a ping. */
  readonly pinged: number;
  /** From joining to the first ping, among those that had one. */
  readonly longestWaitForPingMs: number;
  /** So many heard a change. */
  readonly changed: number;
}

export interface IdleCrowd {
  report(): Promise<CrowdReport>;
  /** All go at once, without a goodbye. */
  stop(): Promise<void>;
}

/** Resolves when all have tried to join. */
export async function startIdleCrowd(port: number, token: string, count: number): Promise<IdleCrowd> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, String(port), token, String(count)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let hear: (message: unknown) => void = () => {};
  let fail: (error: Error) => void = () => {};
  child.on('message', (message) => hear(message));
  child.on('exit', () => fail(new Error('The crowd ended by itself.')));
  /** The next message of a kind: others on the channel are the TypeScript loader's. */
  const told = (isIt: (message: unknown) => boolean) =>
    new Promise((resolve, reject) => {
      fail = reject;
      hear = (message) => {
        if (isIt(message)) resolve(message);
      };
    });
  await told((message) => message === 'ready');
  return {
    async report() {
      const answer = told(
        (message) => typeof message === 'object' && message !== null && 'joined' in message,
      );
      child.send('report');
      return (await answer) as CrowdReport;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** What keeps this machine from so many connections; null = nothing. Node raises the soft limit to the hard one itself. */
export function tooFewDescriptorsFor(connections: number): string | null {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null; // not Linux: a limit shows when it is reached
  }
  const needed = connections + OTHER_DESCRIPTORS;
  const hardLimit = Number(/^Max open files +\S+ +(\d+)/m.exec(limits)?.[1]);
  return hardLimit < needed ? `needs ${needed} file descriptors, and the hard limit is ${hardLimit}` : null;
}
