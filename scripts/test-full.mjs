// npm run test:full: what `npm test` leaves out because it takes minutes. First other people's clients and servers
// (test/interop) and applications in several frameworks (test/frameworks), then the long runs of test/full, then the
// contract suite several times: its rare failures (a race in a script, a lost reply) only repetition shows.
import { runTestFolder } from './run-test-folder.mjs';
import { formatTally, isGood, sum } from './tally.mjs';

const SOAK_ROUNDS = 5;

/** @type {import('./tally.mjs').Tally[]} */
const tallies = [];
for (const folder of ['interop', 'frameworks', 'full']) {
  console.log(`\n── ${folder}`);
  tallies.push(await runTestFolder(folder));
}
for (let round = 1; round <= SOAK_ROUNDS; round += 1) {
  console.log(`\n── contract, round ${String(round)} of ${String(SOAK_ROUNDS)}`);
  tallies.push(await runTestFolder('contract'));
}
console.log('\n── what speaks with Redis, on ioredis 5');
const WITH_IOREDIS_5 = new URL('with-ioredis-5.mjs', import.meta.url).href;
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${WITH_IOREDIS_5}`.trim();
const onFive = [
  await runTestFolder('contract'),
  await runTestFolder('integration', { filters: ['redis-', 'fail-open', 'two-nodes'] }),
  await runTestFolder('full', { filters: ['full/redis-'] }),
];
for (const tally of onFive) {
  tallies.push({ ...tally, failed: tally.failed.map((name) => `ioredis 5: ${name}`) });
}
const total = sum(tallies);
// The same test skipped in each round is one skipped test to a reader.
console.log(formatTally({ ...total, skipped: [...new Set(total.skipped)] }));
process.exitCode = tallies.every(isGood) ? 0 : 1;
