import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

/** What `npm publish` would send: files that bundlers and Node find, or do not find, only in the package. */
describe('the package', () => {
  const manifest = readFile(`${root}/package.json`, 'utf8').then((text) => JSON.parse(text) as Manifest);

  it('contains every file that its exports name, and the Lua scripts', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
    const [pack] = JSON.parse(stdout) as { files: { path: string }[] }[];
    const files = new Set(pack?.files.map(({ path }) => path));
    const named = Object.values((await manifest).exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry.types, entry.default],
    );
    const scripts = ['claim', 'renew', 'release', 'take-over'].map((name) => `dist/lua/${name}.lua`);
    for (const file of [...named.map((path) => path.replace('./', '')), ...scripts, 'dist/cdn/rowlock.js']) {
      assert.ok(files.has(file), `${file} is in the package`);
    }
    const strays = [...files].filter((path) => /^(test|scripts|demo|dist\/(demo|site))\//.test(path));
    assert.deepEqual(strays, []);
  });

  it('imports in plain Node, elements included, and registers nothing by itself', async () => {
    const entries = Object.keys((await manifest).exports).filter((entry) => !entry.endsWith('.json'));
    for (const entry of entries.filter((name) => name !== './define')) {
      const script = `const it = await import('rowlock${entry.slice(1)}'); console.log(Object.keys(it).length)`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
      assert.ok(Number(stdout) > 0, `${entry} exports something`);
    }
  });
});
