import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const START_TIMEOUT_MS = 15_000;

/** The built demo, running as a process of its own: what `npm start` runs. */
export interface DemoServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Everything it has printed so far, both streams. */
  output(): string;
  /** Resolves when the output matches; rejects after `withinMs`. */
  printed(pattern: RegExp, withinMs: number): Promise<void>;
  /** A bearer token of one of the demo's users: `anna`, `ben` or `driver-app`. */
  token(user: string): Promise<string>;
  /** Calls the API as one of the demo's users. */
  call(user: string, method: string, path: string, init?: CallInit): Promise<CallResult>;
  stop(): Promise<void>;
}

export interface CallInit {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallResult {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly tookMs: number;
}

export interface DemoOptions {
  readonly redisUrl?: string;
  /** `ALLOWED_ORIGINS`. */
  readonly allowedOrigins?: string;
}

/** Starts the demo on a free port; embedded store unless `redisUrl` is given. */
export async function startDemo({ redisUrl, allowedOrigins }: DemoOptions = {}): Promise<DemoServer> {
  const main = fileURLToPath(new URL('../../dist/demo/server.js', import.meta.url));
  const { REDIS_URL: _ignored, NODE_ENV: _also, ...inherited } = process.env;
  const child = spawn(process.execPath, [main], {
    env: {
      ...inherited,
      PORT: '0',
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...(allowedOrigins === undefined ? {} : { ALLOWED_ORIGINS: allowedOrigins }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  child.on('exit', () => listeners.forEach((listener) => listener()));

  const printed = (pattern: RegExp, withinMs: number) =>
    new Promise<void>((resolve, reject) => {
      const finish = (error?: Error) => {
        listeners.delete(check);
        clearTimeout(timer);
        if (error === undefined) resolve();
        else reject(error);
      };
      const check = () => {
        if (pattern.test(output)) finish();
        else if (child.exitCode !== null) finish(new Error(`The demo ended (${child.exitCode}):\n${output}`));
      };
      const timer = setTimeout(
        () => finish(new Error(`The demo did not print ${String(pattern)} in ${withinMs} ms:\n${output}`)),
        withinMs,
      );
      listeners.add(check);
      check();
    });

  await printed(/http:\/\/[\d.]+:\d+/, START_TIMEOUT_MS);
  const url = /http:\/\/[\d.]+:\d+/.exec(output)?.[0] ?? '';
  const tokens = new Map<string, string>();
  const token = async (user: string) => {
    const known = tokens.get(user);
    if (known !== undefined) return known;
    const response = await fetch(`${url}/demo/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user }),
    });
    const body = (await response.json()) as { token: string };
    tokens.set(user, body.token);
    return body.token;
  };
  return {
    url,
    output: () => output,
    printed,
    token,
    async call(user, method, path, { body, headers = {} } = {}) {
      const authorization = `Bearer ${await token(user)}`;
      const begun = performance.now();
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body: answer, tookMs: performance.now() - begun };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await once(child, 'exit');
      clearTimeout(forced);
    },
  };
}
