import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a module in a Node of its own. Answers what it printed. */
function runModule(source: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', source],
    { cwd: ROOT, encoding: 'utf8', timeout: 30_000 },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('in plain Node, without a DOM', () => {
  it('core is there with one import, starts nothing and lets the process end', () => {
    assert.equal(
      runModule(
        "import { LockService } from './core/index.ts'; console.log(typeof LockService, typeof window);",
      ),
      'function undefined\n',
    );
  });

  it('mocks are there with one import, make a backend, and let the process end', () => {
    const source = `
      import { lockable } from './core/index.ts';
      import { createMockBackend, lockHandlers, startMockWorker } from './mocks/index.ts';
      const options = { types: [lockable('Order')], users: [] };
      const { service } = createMockBackend(options);
      console.log(service.storeKind, lockHandlers(options).length, typeof startMockWorker);`;
    assert.equal(runModule(source), 'memory 3 function\n');
  });
});
