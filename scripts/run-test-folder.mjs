import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';
import { ensureTools } from './ensure-tools.mjs';
import { runComponentTests } from './run-component-tests.mjs';
import { runNodeTests } from './run-node-tests.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/**
 * What a folder of tests needs. Only `unit` runs files side by side: the others measure time against real servers,
 * and a busy machine would make them lie.
 *
 * @typedef {{ tools: import('./ensure-tools.mjs').Tool[], build: boolean, jobs: number, timeoutMs: number }} Needs
 */
/** @typedef {{ filters?: string[], namePattern?: string | undefined, jobs?: number | undefined, timeoutMs?: number | undefined, isLive?: boolean }} Choice */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {Needs} */
const EVERYTHING = { tools: ['redis', 'chromium'], build: true, jobs: 1, timeoutMs: 60_000 };

/** @type {Record<string, Needs>} */
const FOLDERS = {
  unit: { ...EVERYTHING, tools: [], build: false, jobs: availableParallelism() },
  contract: { ...EVERYTHING, tools: ['redis'], build: false },
  integration: { ...EVERYTHING, tools: ['redis', 'nginx'], build: false },
  // The compiler has a process to itself, and says nothing meanwhile.
  docs: { ...EVERYTHING, tools: [], build: false, timeoutMs: 180_000 },
  components: { ...EVERYTHING, tools: ['chromium'], build: false },
  // The first file to need a .NET program builds it, and the first build fetches its packages.
  interop: { ...EVERYTHING, timeoutMs: 180_000 },
  // It builds the applications with vite.
  frameworks: { ...EVERYTHING, tools: ['chromium'] },
  full: { ...EVERYTHING, tools: ['redis', 'chromium', 'nginx'], timeoutMs: 5 * 60_000 },
  bench: { ...EVERYTHING, timeoutMs: 10 * 60_000 },
};

/**
 * Runs the tests of `test/<folder>`, after making sure of the tools and the build that they need. `filters` are
 * parts of file names (a file runs when it matches any), `namePattern` is a regular expression on test names. Unless
 * it `isLive`, each file's output comes in one piece, so that folders may run side by side.
 *
 * @param {string} folder
 * @param {Choice} [choice]
 * @returns {Promise<Tally>}
 */
export async function runTestFolder(folder, { filters = [], namePattern, jobs, timeoutMs, isLive } = {}) {
  const files = testFiles(folder).filter(
    (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
  );
  if (files.length === 0) {
    console.log(
      `No test file in test/${folder}${filters.length > 0 ? ` matches ${filters.join(', ')}` : ''}`,
    );
    return { passed: 0, failed: [], skipped: [] };
  }
  const needs = FOLDERS[folder] ?? EVERYTHING;
  try {
    ensureTools(needs.tools);
    if (needs.build) buildIfStale();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: [`test/${folder} could not start: ${reason}`], skipped: [] };
  }
  if (folder === 'components') return await runComponentTests(files, namePattern);
  return await runNodeTests(files, {
    jobs: jobs ?? needs.jobs,
    timeoutMs: timeoutMs ?? needs.timeoutMs,
    namePattern,
    isLive,
  });
}

/**
 * The test files of a folder, relative to the root, in a stable order.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function testFiles(folder) {
  const path = `${ROOT}test/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .map((entry) => `test/${folder}/${String(entry)}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}
