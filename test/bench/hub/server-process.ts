import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { BenchCommand } from './serve-bench.ts';

const START_PATIENCE_MS = 20_000;

/** How to start one server of the bench. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A server in a process of its own, so that what it costs can be told from what the clients cost. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  #port = 0;

  private constructor({ file, args, env = {} }: Launch) {
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#child.stdin?.on('error', () => {}); // it ended: `ask` and `stop` say so
    if (this.#child.stdout === null) throw new Error('A server was started without a pipe from its stdout.');
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Resolves when the server listens. */
  static async start(launch: Launch): Promise<ServerProcess> {
    const server = new ServerProcess(launch);
    const timer = setTimeout(() => server.#child.kill('SIGKILL'), START_PATIENCE_MS);
    try {
      server.#port = (await server.answer<{ readonly port: number }>()).port;
    } catch (cause) {
      throw new Error(`Did not start: ${launch.file} ${launch.args.join(' ')}`, { cause });
    } finally {
      clearTimeout(timer);
    }
    return server;
  }

  get port(): number {
    return this.#port;
  }

  tell(command: BenchCommand): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  /** The next line that the server says, for what it was told before. */
  async answer<Answer extends object>(): Promise<Answer> {
    const next: IteratorResult<string, unknown> = await this.#lines.next();
    if (next.done === true)
      throw new Error(`A server of the bench ended, exit code ${String(this.#child.exitCode)}.`);
    return JSON.parse(next.value) as Answer;
  }

  /** Asks it to end, and ends it when it does not. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), START_PATIENCE_MS);
    await gone;
    clearTimeout(timer);
    this.#reader.close();
  }
}
