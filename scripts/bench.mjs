// Runs the benches of test/bench, all or those that are named; options after `--` are the bench's own:
//   npm run bench [name…] [-- option…]
import { readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUFFIX = '.bench.ts';

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const names = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);

const benches = readdirSync(`${ROOT}test/bench`)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort();
const unknown = names.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`No bench is named ${unknown.join(', ')}. There are: ${benches.join(', ')}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : benches) {
  console.log(`\n${name}`);
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', `test/bench/${name}${SUFFIX}`, ...options],
    { cwd: ROOT, stdio: 'inherit' },
  );
  if (status !== 0) process.exitCode = 1;
}
