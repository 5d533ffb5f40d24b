import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { packPackage } from '../support/packed-package.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = `${ROOT}docs/testing-your-app.md`;

/** What a command came to. */
export interface CommandResult {
  readonly code: number | null;
  /** Without colours. */
  readonly output: string;
}

/** The project that the guide describes, in a folder in which `rowlock` is installed as it would be published. */
export interface GuideProject {
  readonly folder: string;
  /** Path → text, as on the page. */
  readonly files: ReadonlyMap<string, string>;
  /** Runs a JavaScript file of `node_modules` (or `node` itself, for `''`) in the folder. */
  run(
    script: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<CommandResult>;
  remove(): Promise<void>;
}

/** The samples of the page that name a file in their first line. */
export async function guideFiles(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(GUIDE, 'utf8');
  const blocks = text.matchAll(/^```\w+\n(?:\/\/|<!--) (\S+\.\w+)(?: -->)?\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, path = '', code = '']) => [path, code]));
}

/** Writes the page's samples to a folder, with nothing added but a `package.json`. */
export async function guideProject(): Promise<GuideProject> {
  const { folder, remove } = await packPackage('testing-guide');
  const files = await guideFiles();
  const manifest = { name: 'orders', private: true, type: 'module' };
  for (const [path, code] of [...files, ['package.json', JSON.stringify(manifest)] as const]) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await writeFile(`${folder}/${path}`, code);
  }
  return {
    folder,
    files,
    remove,
    run: (script, args, env = {}) =>
      new Promise((resolve, reject) => {
        const command = [...(script === '' ? [] : [`${ROOT}node_modules/${script}`]), ...args];
        // Of the test runner's own settings none may reach a runner that is tested.
        const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, FORCE_COLOR: ___, ...own } = process.env;
        const child = spawn(process.execPath, command, {
          cwd: folder,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...own, NO_COLOR: '1', CI: '1', CHROMIUM_PATH: findChromium(), ...env },
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => (output += text));
        }
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, output }));
      }),
  };
}
