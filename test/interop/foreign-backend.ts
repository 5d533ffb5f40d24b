import { fileURLToPath } from 'node:url';
import { buildDotnet, startDotnet, type DotnetProgram } from '../support/dotnet.ts';
import { freePort } from '../support/free-port.ts';
import { TEST_AUDIENCE, TEST_ISSUER, TEST_KEY, tokenFor, type TestUser } from '../support/test-tokens.ts';

const PROJECT = fileURLToPath(new URL('dotnet/backend', import.meta.url));

export interface ForeignBackendOptions {
  readonly redisPort: number;
  readonly leaseMs: number;
  /** The pages that may call it. Default: none that there is. */
  readonly pageOrigin?: string;
  /** Shares the locks of Rowlock's own server by the scripts in this folder, instead of having its own. */
  readonly luaFolder?: string;
}

export interface ForeignAnswer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The ASP.NET Core application of `dotnet/backend`, running. */
export interface ForeignBackend {
  /** `http://127.0.0.1:<port>`, the same after a crash. */
  readonly url: string;
  call(user: TestUser, method: string, path: string): Promise<ForeignAnswer>;
  crash(): Promise<void>;
  /** After a crash. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds it where that is needed, and starts it. */
export async function startForeignBackend({
  redisPort,
  leaseMs,
  pageOrigin = 'http://localhost',
  luaFolder,
}: ForeignBackendOptions): Promise<ForeignBackend> {
  const dll = await buildDotnet(PROJECT);
  // It comes back at the address that the pages know.
  const port = await freePort();
  const settings: Readonly<Record<string, string>> = {
    redis: `127.0.0.1:${redisPort}`,
    'lease-ms': String(leaseMs),
    port: String(port),
    'page-origin': pageOrigin,
    'token-key': TEST_KEY,
    'token-issuer': TEST_ISSUER,
    'token-audience': TEST_AUDIENCE,
    ...(luaFolder === undefined ? {} : { lua: luaFolder }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  let url = '';
  const start = async (): Promise<DotnetProgram> => {
    const started = startDotnet(dll, args);
    [, url = ''] = await started.printed(/listening on (http:\S+)/);
    return started;
  };
  let program = await start();
  return {
    url,
    async call(user, method, path) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${await tokenFor(user)}` },
      });
      const text = await response.text();
      return {
        status: response.status,
        json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    },
    crash: () => program.kill(),
    async restart() {
      program = await start();
    },
    stop: () => program.stop(),
  };
}
