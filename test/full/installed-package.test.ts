import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { packPackage } from '../support/packed-package.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  devDependencies: Readonly<Record<string, string>>;
};

/** What an application with a server installs beside. */
const PEERS = ['express', 'ws', 'ioredis'].map((name) => `${name}@${devDependencies[name] ?? ''}`);

const SERVER = `
  import express from 'express';
  import { createServer } from 'node:http';
  import { LockError, createRowlock, lockable, memoryBackend } from 'rowlock/server';
  const rowlock = createRowlock({
    types: [lockable('ApprovalRequest')],
    identify: () => Promise.reject(new LockError('unauthenticated', 'Nobody.')),
    backend: memoryBackend(),
    warnOfUnguardedTypes: false,
  });
  const server = createServer(express().use(rowlock.health).use('/api', rowlock.router));
  rowlock.attach(server);
  await rowlock.start();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = 'http://127.0.0.1:' + server.address().port;
  const answers = [await fetch(url + '/healthz'), await fetch(url + '/api/locks/mine')];
  console.log('statuses ' + answers.map(({ status }) => status).join(' '));
  server.closeAllConnections();
  server.close();
  await rowlock.stop();
`;

/**
 * The tarball as a stranger installs it, in a folder outside the repository where only what it names itself is found:
 * a dependency that is missing in package.json shows nowhere else. Packages come from the registry.
 */
describe('the package, installed into an empty project', () => {
  let folder = '';
  /** What npm said where the registry is out of reach. */
  let unreachable = '';

  before(async () => {
    const packed = await packPackage('installed');
    folder = mkdtempSync(join(tmpdir(), 'rowlock-installed-'));
    const tarball = join(folder, basename(packed.tarball));
    copyFileSync(packed.tarball, tarball);
    await packed.remove();
    writeFileSync(`${folder}/package.json`, '{ "name": "stranger", "private": true, "type": "module" }');
    const args = ['install', '--no-audit', '--no-fund', '--fetch-retries=1', tarball, ...PEERS];
    await run('npm', args, { cwd: folder, timeout: 300_000 }).catch((error: unknown) => {
      const said = String((error as { stderr?: string }).stderr ?? error);
      if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH/.test(said)) throw error;
      unreachable = said.split('\n')[0] ?? said;
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('`import "rowlock/define"` bundles with vite, and the bundle registers the elements', async (context) => {
    if (unreachable !== '') return context.skip(`the registry cannot be reached: ${unreachable}`);
    writeFileSync(`${folder}/index.html`, '<!doctype html><script type="module" src="./main.js"></script>');
    writeFileSync(
      `${folder}/main.js`,
      `import { configure } from 'rowlock';\nimport 'rowlock/define';\nconfigure({ getToken: () => 'token' });`,
    );
    await build({ root: folder, configFile: false, logLevel: 'error', build: { minify: false } });
    const [file = ''] = readdirSync(`${folder}/dist/assets`).filter((name) => name.endsWith('.js'));
    const bundle = readFileSync(`${folder}/dist/assets/${file}`, 'utf8');
    for (const tag of ['lock-guard', 'lock-banner', 'lock-provider', 'locked-by-cell']) {
      assert.equal(bundle.includes(`"${tag}"`) || bundle.includes(`'${tag}'`), true, tag);
    }
    assert.doesNotMatch(bundle, /^import /m, 'nothing is left to be found elsewhere');
  });

  it('`import "rowlock/server"` starts, answers and stops', async (context) => {
    if (unreachable !== '') return context.skip(`the registry cannot be reached: ${unreachable}`);
    writeFileSync(`${folder}/server.js`, SERVER);
    const { stdout } = await run(process.execPath, ['server.js'], { cwd: folder, timeout: 60_000 });
    assert.match(stdout, /^statuses 200 401$/m);
  });

  it('the elements need none of what the server needs: nothing else is installed with them', (context) => {
    if (unreachable !== '') return context.skip(`the registry cannot be reached: ${unreachable}`);
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(`${folder}/node_modules/rowlock/package.json`, 'utf8'),
    ) as { peerDependencies: object; peerDependenciesMeta: Readonly<Record<string, { optional?: boolean }>> };
    for (const peer of Object.keys(peerDependencies)) {
      assert.equal(peerDependenciesMeta[peer]?.optional, true, `${peer} is optional`);
    }
    assert.equal(readdirSync(`${folder}/node_modules`).includes('msw'), false, 'the mock’s MSW is not there');
  });
});
