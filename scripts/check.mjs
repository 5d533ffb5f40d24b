// Format, lint and types. All three run even when one fails, so that one round shows everything; the linter takes as
// long as the other two, so it runs beside them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** More than a linter that dislikes everything prints, in bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

const results = await Promise.all([
  inTurn(
    [
      'prettier',
      'prettier/bin/prettier.cjs',
      ['--check', '--log-level', 'warn', '--cache', '--cache-location', '.cache/prettier', '.'],
    ],
    ['tsc', 'typescript/bin/tsc', ['-b']],
  ),
  inTurn(['eslint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']]),
]);
process.exitCode = results.flat().every((isGood) => isGood) ? 0 : 1;

/** @param {...[name: string, file: string, args: string[]]} steps */
async function inTurn(...steps) {
  const goods = [];
  for (const step of steps) goods.push(await run(...step));
  return goods;
}

/**
 * Runs a tool of node_modules in the repository's root and shows its output when it has ended.
 *
 * @param {string} name
 * @param {string} file path inside node_modules
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
function run(name, file, args) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`${ROOT}node_modules/${file}`, ...args],
      { cwd: ROOT, maxBuffer: MAX_OUTPUT },
      (error, stdout, stderr) => {
        process.stdout.write(stdout + stderr);
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        console.log(`${error === null ? '✔' : '✖'} ${name} (${seconds} s)`);
        resolve(error === null);
      },
    );
    child.stdin?.end();
  });
}
