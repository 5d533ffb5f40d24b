import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INCLUDE = /^-- @include ([a-z0-9-]+)[ \t]*$/gm;

/**
 * Writes every script of `from` (its `*.lua` files, not those in `include/`) to `to`, self-contained: each line
 * `-- @include <name>` is replaced by the text of `include/<name>.lua`, once per script, in the order met. The
 * result runs with a bare `EVAL`, so that other services can ship the very same scripts.
 *
 * @param {string} from
 * @param {string} to
 * @returns {string[]} the names of the files written
 */
export function flattenLua(from, to) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => name.endsWith('.lua'));
  for (const name of names) {
    writeFileSync(
      join(to, name),
      expand(readFileSync(join(from, name), 'utf8'), join(from, 'include'), new Set()),
    );
  }
  return names;
}

/**
 * @param {string} text
 * @param {string} folder
 * @param {Set<string>} seen
 * @returns {string}
 */
function expand(text, folder, seen) {
  return text.replace(INCLUDE, (_line, /** @type {string} */ name) => {
    if (seen.has(name)) return `-- (${name}: above)`;
    seen.add(name);
    return expand(readFileSync(join(folder, `${name}.lua`), 'utf8').trimEnd(), folder, seen);
  });
}
