// Format, lint and types, in that order. All three run even when one fails, so that one round shows everything.
import { runNodeBin } from './run-node-bin.mjs';

/** @type {ReadonlyArray<[name: string, file: string, args: string[]]>} */
const STEPS = [
  [
    'prettier',
    'prettier/bin/prettier.cjs',
    ['--check', '--log-level', 'warn', '--cache', '--cache-location', '.cache/prettier', '.'],
  ],
  ['eslint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']],
  ['tsc', 'typescript/bin/tsc', ['-b']],
];

const failed = STEPS.filter(([name, file, args]) => {
  const started = performance.now();
  const failed = runNodeBin(file, args) !== 0;
  console.log(`${failed ? '✖' : '✔'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return failed;
});
process.exitCode = failed.length > 0 ? 1 : 0;
