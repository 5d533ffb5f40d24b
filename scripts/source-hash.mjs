import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = [
  'core',
  'server',
  'lua',
  'components',
  'mocks',
  'conformance',
  // The demo shows its recipes.
  'docs/theming.md',
  'demo',
  'index.html',
  'approvals.html',
  'vite.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
  'package.json',
  'scripts',
];

/** A hash over everything that the build reads. It changes with contents, not with dates: a checkout keeps it. */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap((input) => filesUnder(input)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} path relative to the root
 * @returns {string[]}
 */
function filesUnder(path) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute).flatMap((name) => filesUnder(`${path}/${name}`));
}
