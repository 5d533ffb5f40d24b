import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { packPackage, type PackedPackage } from '../support/packed-package.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly customElements: string;
  readonly unpkg: string;
}

/** What `npm publish` would send: files that bundlers and Node find, or do not find, only in the package. */
describe('the package', () => {
  let packed: PackedPackage;
  let manifest: Manifest;
  let files: readonly string[] = [];
  const read = (path: string) => readFile(`${packed.folder}/node_modules/rowlock/${path}`, 'utf8');

  before(async () => {
    packed = await packPackage('package');
    manifest = JSON.parse(await read('package.json')) as Manifest;
    const entries = await readdir(`${packed.folder}/node_modules/rowlock`, { recursive: true });
    files = entries.map((path) => path.replaceAll('\\', '/'));
  });
  after(() => packed.remove());

  it('contains every file that its exports name, the Lua scripts and what tools read', () => {
    const named = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry.types, entry.default],
    );
    const scripts = ['claim', 'renew', 'release', 'take-over'].map((name) => `dist/lua/${name}.lua`);
    const tools = ['dist/vscode.html-custom-data.json', 'dist/vscode.css-custom-data.json'];
    const expected = [...named.map((path) => path.replace('./', '')), ...scripts, ...tools];
    for (const file of [...expected, manifest.customElements, manifest.unpkg]) {
      assert.ok(files.includes(file), `${file} is in the package`);
    }
    const strays = files.filter((path) => /^(test|scripts|demo|dist\/(demo|site))(\/|$)/.test(path));
    assert.deepEqual(strays, []);
  });

  it('imports in plain Node, elements and their registration included, and starts nothing', async () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !/\.(json|css)$/.test(entry));
    assert.ok(entries.includes('./define'), 'registration is one of them');
    const specifiers = JSON.stringify(entries.map((entry) => `rowlock${entry.slice(1)}`));
    // One after the other in one process, which then ends by itself.
    const script = `for (const entry of ${specifiers}) {
      const it = await import(entry);
      console.log(entry, Object.keys(it).length, typeof document);
    }`;
    const options = { cwd: packed.folder, timeout: 60_000 };
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], options);
    assert.equal(stderr, '');
    assert.equal(stdout.trim().split('\n').length, entries.length);
    assert.match(stdout, /^rowlock\/define [1-9]\d* undefined$/m);
  });

  it('names every package that its modules import', async () => {
    const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    // Of the framework's own types only, which an application with that framework has.
    const frameworks = ['react', 'vue', 'svelte'];
    const modules = files.filter((file) => /^dist\/(?!cdn\/).*\.(js|d\.ts)$/.test(file));
    const foreign = new Set<string>();
    for (const file of modules) {
      const text = await read(file);
      for (const [, specifier = ''] of text.matchAll(
        /(?:\bfrom |\bimport |\bimport\()\s*['"]([^'"]+)['"]/g,
      )) {
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
        if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
        assert.ok(!builtinModules.includes(name), `${file}: ${name} should be node:${name}`);
        if (!file.startsWith('dist/frameworks/') || !frameworks.includes(name)) foreign.add(name);
      }
    }
    assert.ok(foreign.has('lit'), 'imports were found');
    const missing = [...foreign].filter((name) => !named.includes(name));
    assert.deepEqual(missing, []);
  });

  it('has nothing of the server in its scripts for pages', async () => {
    for (const file of ['rowlock.js', 'rowlock.mjs']) {
      const { sources } = JSON.parse(await read(`dist/cdn/${file}.map`)) as { sources: readonly string[] };
      assert.ok(
        sources.some((source) => source.includes('components/lock-guard.ts')),
        'the map names its sources',
      );
      const known =
        /\/(components|core)\/|node_modules\/(lit|lit-html|lit-element|@lit|@microsoft\/signalr)\//;
      assert.deepEqual(
        sources.filter((source) => !known.test(source) && !source.startsWith('\0')),
        [],
      );
      assert.doesNotMatch(await read(`dist/cdn/${file}`), /\brequire\(|node:|process\.env|ioredis/);
    }
  });

  it('has nothing for publint to say', async () => {
    const { messages } = await publint({ pkgDir: `${packed.folder}/node_modules/rowlock`, strict: true });
    assert.deepEqual(messages, []);
  });

  it('has types that are right for every kind of ESM consumer (are the types wrong?)', async () => {
    const cli = `${root}node_modules/@arethetypeswrong/cli/dist/index.js`;
    const styles = Object.keys(manifest.exports).filter((entry) => entry.endsWith('.css'));
    const withoutStyles = styles.flatMap((entry) => ['--exclude-entrypoints', entry.slice(2)]);
    const args = [
      cli,
      packed.tarball,
      '--profile',
      'esm-only',
      '--format',
      'table',
      '--no-color',
      ...withoutStyles,
    ];
    const outcome = await run(process.execPath, args, { cwd: root }).catch((error: unknown) => error);
    const { stdout = '', code = 0 } = outcome as { stdout?: string; code?: number };
    assert.equal(code, 0, stdout);
  });
});
