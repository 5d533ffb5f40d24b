import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPONENTS = fileURLToPath(new URL('../components/', import.meta.url));

/**
 * What not every page needs comes in a script of its own beside `rowlock.js`: the module in components/, which also
 * names the file, and the global that it makes.
 *
 * @type {Readonly<Record<string, string>>}
 */
const GLOBALS = { 'draft-keeper': 'RowlockDrafts' };

/** The scripts that there are, by module. */
export function extraScriptTags() {
  return Object.keys(GLOBALS).filter((module) => existsSync(`${COMPONENTS}${module}.ts`));
}

/**
 * The global of a script, undefined where there is no such script.
 *
 * @param {string} module
 */
export function globalOf(module) {
  return GLOBALS[module];
}
