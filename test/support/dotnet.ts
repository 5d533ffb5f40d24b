import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findExecutable } from '../../scripts/find-executable.mjs';

/** The projects in `test/interop/dotnet` are written for this version of .NET. */
const SDK_MAJOR = 10;
const CACHE = fileURLToPath(new URL('../../.cache/dotnet', import.meta.url));
/** A first restore fetches packages from the network. */
const BUILD_TIMEOUT_MS = 170_000;
const STOP_TIMEOUT_MS = 5_000;
/** Nothing is asked, told or left behind: a program that is killed would leave the pipes of its diagnostics. */
const QUIET = {
  DOTNET_EnableDiagnostics: '0',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_CLI_UI_LANGUAGE: 'en',
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '1',
};

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Where the tests' .NET is, or why there is none: a reason for node:test's `skip`. */
export type Dotnet =
  { readonly path: string; readonly sdk: string; readonly missing: false } | { readonly missing: string };

/** Looks for `dotnet` with an SDK that can build the tests' projects. `DOTNET` decides alone when set. */
export function findDotnet(): Dotnet {
  const path = findExecutable('DOTNET', [
    'dotnet',
    '/usr/bin/dotnet',
    '/usr/share/dotnet/dotnet',
    '/usr/local/share/dotnet/dotnet',
    '/opt/homebrew/bin/dotnet',
  ]);
  const wanted = `the .NET SDK ${SDK_MAJOR} (https://dot.net), or set DOTNET to its path`;
  if (path === undefined) return { missing: `no dotnet on this machine: install ${wanted}` };
  const list = execFileSync(path, ['--list-sdks'], { encoding: 'utf8', env: { ...process.env, ...QUIET } });
  const sdks = list.split('\n').map((line) => line.split(' ')[0] ?? '');
  const sdk = sdks.filter((version) => Number.parseInt(version) >= SDK_MAJOR).at(-1);
  if (sdk === undefined)
    return {
      missing: `${path} has no SDK that fits (${sdks.filter(Boolean).join(', ') || 'none'}): install ${wanted}`,
    };
  return { path, sdk, missing: false };
}

/**
 * Builds a project once for these sources, this SDK, and answers the path of its dll; further calls find it there. Leaves
 * nothing in the project's own folder. Rejects with the build's own output; where packages could not be fetched, it says
 * so.
 */
export async function buildDotnet(projectFolder: string): Promise<string> {
  const dotnet = findDotnet();
  if (dotnet.missing !== false) throw new Error(dotnet.missing);
  const project = readdirSync(projectFolder).find((name) => name.endsWith('.csproj'));
  if (project === undefined) throw new Error(`${projectFolder}: expected a .csproj`);
  const name = basename(project, '.csproj');
  const done = join(CACHE, `${name}-${hashOf(projectFolder, dotnet.sdk)}`);
  const dll = join(done, `${name}.dll`);
  if (existsSync(dll)) return dll;
  mkdirSync(CACHE, { recursive: true });
  // Several test files may build at the same time: each on its own, and the first one counts.
  const work = mkdtempSync(join(CACHE, `${name}-work-`));
  const out = join(work, 'out');
  console.log(`Building ${name}.dll with the .NET SDK ${dotnet.sdk}…`);
  try {
    await publish(dotnet.path, join(projectFolder, project), out, join(work, 'artifacts'));
    if (!existsSync(dll)) {
      rmSync(done, { recursive: true, force: true });
      renameSync(out, done);
    }
  } catch (error) {
    if (!existsSync(dll)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return dll;
}

/** A .NET program of the test's own, running. */
export interface DotnetProgram {
  /** Everything it has printed so far, both streams. */
  output(): string;
  /** Waits for a line; rejects with the output when the program ends first, or after `withinMs`. */
  printed(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Writes a line to its standard input. */
  tell(line: string): void;
  /** A crash, without a farewell. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end, and insists after a while. Resolves when it is gone. Harmless when it has ended already. */
  stop(): Promise<void>;
}

/** Starts a built program; `env` adds to the environment. It ends with the test's process at the latest. */
export function startDotnet(
  dll: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): DotnetProgram {
  const dotnet = findDotnet();
  if (dotnet.missing !== false) throw new Error(dotnet.missing);
  const child = spawn(dotnet.path, ['exec', dll, ...args], {
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  let output = '';
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      tell();
    });
  }
  // What is written to a program that has just ended is lost: `printed()` says that it ended.
  child.stdin.on('error', () => {});
  child.on('close', () => {
    running.delete(child);
    tell();
  });
  const end = async (signal: NodeJS.Signals) => {
    if (isGone()) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(forced);
  };
  return {
    output: () => output,
    printed: (pattern, withinMs = 15_000) =>
      new Promise((resolve, reject) => {
        const finish = (what: RegExpExecArray | string) => {
          listeners.delete(check);
          clearTimeout(timer);
          if (typeof what === 'string') reject(new Error(`${basename(dll)} ${what}\n${output}`));
          else resolve(what);
        };
        const check = () => {
          const found = pattern.exec(output);
          if (found !== null) finish(found);
          else if (isGone() && !running.has(child))
            finish(`ended (${child.exitCode ?? child.signalCode ?? ''}).`);
        };
        const timer = setTimeout(
          () => finish(`did not print ${String(pattern)} in ${withinMs} ms.`),
          withinMs,
        );
        listeners.add(check);
        check();
      }),
    tell: (line) => void child.stdin.write(`${line}\n`),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** The sources of a project, and what they are built with. */
function hashOf(folder: string, sdk: string): string {
  const hash = createHash('sha256').update(sdk);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](bin|obj)[\\/]/.test(file.slice(folder.length)))
    .sort();
  for (const file of files) hash.update(`\0${file.slice(folder.length)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

async function publish(dotnet: string, project: string, out: string, artifacts: string): Promise<void> {
  const child = spawn(
    dotnet,
    [
      ...['publish', project, '--configuration', 'Release', '--output', out, '--artifacts-path', artifacts],
      // No compiler server stays behind.
      ...['--nologo', '--verbosity', 'quiet', '--disable-build-servers'],
    ],
    { env: { ...process.env, ...QUIET }, stdio: ['ignore', 'pipe', 'pipe'], timeout: BUILD_TIMEOUT_MS },
  );
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  if (code === 0) return;
  const reason = /\bNU1(301|101)\b|Unable to load the service index/.test(output)
    ? ': its NuGet packages could not be fetched (is there a network?)'
    : code === null
      ? `: it took more than ${BUILD_TIMEOUT_MS / 1_000} s`
      : '';
  throw new Error(`${basename(project)} could not be built${reason}\n${output}`);
}
