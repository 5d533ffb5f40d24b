// npm test: everything that a change must pass. A failing step does not stop the ones after it; the table at the end
// has them all, and the last line is the total. The tests of the elements wait for a browser most of their time, and
// those of the server for Redis: they run side by side, which takes a third off the whole (measured on two cores).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureTools } from './ensure-tools.mjs';
import { runTestFolder } from './run-test-folder.mjs';
import { formatTally, isGood, sum } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ name: string, tally: Tally, seconds: number }} Row */

/** @type {Row[]} */
const rows = [];

await step('tools', () => {
  ensureTools(['redis', 'chromium', 'nginx']);
});
await step('check', () => {
  const check = fileURLToPath(new URL('check.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [check], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('prettier, eslint or tsc complains: see above');
});
await step('build', build);
await test('unit');
const server = test('contract')
  .then(() => test('integration'))
  .then(() => test('docs'));
const browser = test('components').then(() => test('e2e'));
await Promise.all([server, browser]);

console.log(`\n── summary ${'─'.repeat(49)}`);
console.log('step           passed   failed  skipped  seconds');
for (const { name, tally, seconds } of rows) {
  const cells = [tally.passed, tally.failed.length, tally.skipped.length].map((count) =>
    String(count).padStart(8),
  );
  console.log(`${name.padEnd(12)} ${cells.join(' ')} ${seconds.toFixed(1).padStart(8)}`);
}
const total = sum(rows.map(({ tally }) => tally));
console.log(formatTally(total));
process.exitCode = isGood(total) ? 0 : 1;

/** @param {string} folder */
async function test(folder) {
  await step(folder, async () => {
    const tally = await runTestFolder(folder, { isLive: false });
    return isGood(tally) || tally.failed.length > 0
      ? tally
      : { ...tally, failed: [`${folder}: no test ran`] };
  });
}

/**
 * Runs one step under a heading. A step that throws counts as one failure; one that only succeeds counts for nothing.
 *
 * @param {string} name
 * @param {() => Tally | void | Promise<Tally>} run
 */
async function step(name, run) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 57 - name.length))}`);
  const started = performance.now();
  /** @type {Tally} */
  let tally;
  try {
    tally = (await run()) ?? { passed: 0, failed: [], skipped: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(reason);
    tally = { passed: 0, failed: [`${name}: ${reason}`], skipped: [] };
  }
  rows.push({ name, tally, seconds: (performance.now() - started) / 1000 });
}
