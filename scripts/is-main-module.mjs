import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * True for the module that Node was started with: it tells "run as a command" from "imported by another script".
 *
 * @param {string} moduleUrl the module's `import.meta.url`
 */
export function isMainModule(moduleUrl) {
  const started = process.argv[1];
  // Node resolves links in import.meta.url, but leaves argv[1] as it was typed.
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
