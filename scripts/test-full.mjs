// npm run test:full: the long runs of test/full, which `npm test` leaves out. While there are none, the contract suite
// is repeated instead: it is the one whose rare failures (a race in a script, a lost reply) only repetition shows.
import { runTestFolder, testFiles } from './run-test-folder.mjs';
import { formatTally, isGood, sum } from './tally.mjs';

const SOAK_ROUNDS = 5;

const hasLongTests = testFiles('full').length > 0;
/** @type {import('./tally.mjs').Tally[]} */
const tallies = [];
if (hasLongTests) {
  tallies.push(await runTestFolder('full'));
} else {
  console.log(
    `There are no long tests (test/full) yet; the contract suite runs ${String(SOAK_ROUNDS)} times instead.`,
  );
  for (let round = 1; round <= SOAK_ROUNDS; round += 1) {
    console.log(`\n── contract, round ${String(round)} of ${String(SOAK_ROUNDS)}`);
    tallies.push(await runTestFolder('contract'));
  }
}
const total = sum(tallies);
// The same test skipped in each round is one skipped test to a reader.
console.log(formatTally({ ...total, skipped: hasLongTests ? total.skipped : [...new Set(total.skipped)] }));
process.exitCode = isGood(total) ? 0 : 1;
