import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The first executable file among `names` (bare names are looked up on PATH, absolute paths are taken as they
 * are), or undefined. An environment variable, when set, decides alone: a wrong path in it is an error, because
 * silently using another program would hide the mistake.
 *
 * @param {string} variable
 * @param {readonly string[]} names
 * @returns {string | undefined}
 */
export function findExecutable(variable, names) {
  const chosen = process.env[variable];
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Error(`${variable} names ${chosen}, which is not an executable file`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names
    .flatMap((name) => (name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing or not executable: both mean "look further", and accessSync has no other way to say so.
    return false;
  }
}
