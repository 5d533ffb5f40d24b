import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a tool of node_modules in the repository's root with its output shown, and returns its exit code (1 when a
 * signal ended it). It starts Node with the tool's file, so that it works the same under every shell.
 *
 * @param {string} file path inside node_modules, e.g. `typescript/bin/tsc`
 * @param {readonly string[]} args
 */
export function runNodeBin(file, args) {
  const result = spawnSync(process.execPath, [`${ROOT}node_modules/${file}`, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.error) throw result.error;
  return result.status ?? 1;
}
