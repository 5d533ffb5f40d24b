import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from './bundle.ts';
import type { ServerNews } from './http-routes.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The server under test, built and started. */
export class HttpChild {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  #port = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.#ended = once(child, 'exit').then(() => {
      throw new Error("The bench's HTTP server ended.");
    });
    this.#ended.catch(() => {}); // whoever waits for an answer hears of it
  }

  static async start(redisUrl: string): Promise<HttpChild> {
    const built = '.cache/bench/store-http-server.mjs';
    await bundle('test/bench/store/http-server.ts', built);
    const server = new HttpChild(
      fork(built, { env: { ...process.env, BENCH_REDIS_URL: redisUrl }, execArgv: [] }),
    );
    const news = await server.#hear();
    if (!('port' in news)) throw new Error("The bench's HTTP server said no port.");
    server.#port = news.port;
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** CPU time of the whole process so far, user and system, in microseconds. */
  async cpuUs(): Promise<number> {
    const answer = this.#hear();
    this.#child.send({});
    const news = await answer;
    if (!('cpuUs' in news)) throw new Error("The bench's HTTP server did not say its CPU time.");
    return news.cpuUs;
  }

  async stop(): Promise<void> {
    if (!running.has(this.#child)) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL'); // it has nothing to save
    await gone;
  }

  async #hear(): Promise<ServerNews> {
    const [news] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [ServerNews];
    return news;
  }
}
