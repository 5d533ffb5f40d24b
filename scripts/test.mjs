// Runs one folder of tests:
//   node scripts/test.mjs <folder> [part-of-a-file-name…] [-t <test name pattern>] [--jobs N] [--timeout SECONDS]
// The last line is "N passed, N failed", or "N passed, N failed, N skipped".
import { parseArgs } from 'node:util';
import { runTestFolder } from './run-test-folder.mjs';
import { formatTally, isGood } from './tally.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', short: 't' },
    jobs: { type: 'string' },
    timeout: { type: 'string' },
  },
});
const [folder, ...filters] = positionals;
if (folder === undefined) {
  console.error('Usage: node scripts/test.mjs <folder> [part-of-a-file-name…] [-t <test name pattern>]');
  process.exit(2);
}

const tally = await runTestFolder(folder, {
  filters,
  namePattern: values.name,
  jobs: values.jobs === undefined ? undefined : positive('--jobs', values.jobs),
  timeoutMs: values.timeout === undefined ? undefined : positive('--timeout', values.timeout) * 1000,
});
console.log(formatTally(tally));
// Not process.exit(): output that is still on its way into a pipe would be cut off.
process.exitCode = isGood(tally) ? 0 : 1;

/**
 * @param {string} option
 * @param {string} text
 */
function positive(option, text) {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`${option}: expected a positive number, got ${text}`);
  process.exit(2);
}
