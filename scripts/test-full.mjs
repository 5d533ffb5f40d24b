// npm run test:full: what `npm test` leaves out because it takes minutes. First other people's clients and servers
// (test/interop), then the long runs of test/full, then the contract suite several times: its rare failures (a race in a script, a lost reply) only repetition shows.
import { runTestFolder } from './run-test-folder.mjs';
import { formatTally, isGood, sum } from './tally.mjs';

const SOAK_ROUNDS = 5;

/** @type {import('./tally.mjs').Tally[]} */
const tallies = [];
for (const folder of ['interop', 'full']) {
  console.log(`\n── ${folder}`);
  tallies.push(await runTestFolder(folder));
}
for (let round = 1; round <= SOAK_ROUNDS; round += 1) {
  console.log(`\n── contract, round ${String(round)} of ${String(SOAK_ROUNDS)}`);
  tallies.push(await runTestFolder('contract'));
}
const total = sum(tallies);
// The same test skipped in each round is one skipped test to a reader.
console.log(formatTally({ ...total, skipped: [...new Set(total.skipped)] }));
process.exitCode = tallies.every(isGood) ? 0 : 1;
