// The whole build into dist/: modules and declarations (tsc), Lua, the script-tag bundles and the demo page (vite).
//   node scripts/build.mjs               always builds
//   node scripts/build.mjs --if-stale    builds only when a source has changed since the last build
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flattenLua } from './flatten-lua.mjs';
import { isMainModule } from './is-main-module.mjs';
import { runNodeBin } from './run-node-bin.mjs';
import { extraScriptTags } from './script-tags.mjs';
import { sourceHash } from './source-hash.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROJECTS = ['core', 'server', 'components', 'mocks', 'conformance', 'demo'];
const VITE_MODES = ['iife', 'esm', 'lock-list', 'demo', ...extraScriptTags()];
const STAMP = join(ROOT, 'dist/.source-hash');

/** Builds everything. Throws at the first step that fails; the stamp that calls a build fresh is then absent. */
export function build() {
  const hash = sourceHash();
  rmSync(STAMP, { force: true });
  run('typescript/bin/tsc', ['-b', ...PROJECTS]);
  for (const project of PROJECTS) removeOrphans(project);
  flattenLua(join(ROOT, 'lua'), join(ROOT, 'dist/lua'));
  run('../scripts/describe-elements.mjs', []);
  rmSync(join(ROOT, 'dist/site'), { recursive: true, force: true });
  for (const mode of VITE_MODES) {
    run('vite/bin/vite.js', ['build', '--mode', mode, '--logLevel', 'warn']);
  }
  run('../scripts/locale-scripts.mjs', []);
  copyStyles();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, hash);
}

/** Builds unless dist/ was built from exactly the present sources. */
export function buildIfStale() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash()) return;
  console.log('Building dist/ (the sources have changed since the last build, or there was none)…');
  build();
}

/**
 * @param {string} file
 * @param {string[]} args
 */
function run(file, args) {
  const code = runNodeBin(file, args);
  if (code !== 0)
    throw new Error(`Build step failed with exit code ${String(code)}: ${file} ${args.join(' ')}`);
}

/** Style sheets for pages to link, for a bundler and beside the script tag. */
function copyStyles() {
  for (const file of readdirSync(join(ROOT, 'components')).filter((name) => name.endsWith('.css'))) {
    for (const folder of ['dist', 'dist/cdn'])
      copyFileSync(join(ROOT, 'components', file), join(ROOT, folder, file));
  }
}

/**
 * tsc leaves the output of deleted and renamed sources behind; published, they would be dead modules.
 *
 * @param {string} project
 */
function removeOrphans(project) {
  const outDir = join(ROOT, 'dist', project);
  if (!existsSync(outDir)) return;
  for (const entry of readdirSync(outDir, { recursive: true })) {
    const output = String(entry);
    const source = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(output)?.[1];
    if (source === undefined) continue;
    if (!existsSync(join(ROOT, project, `${source}.ts`))) rmSync(join(outDir, output));
  }
}

if (isMainModule(import.meta.url)) {
  try {
    if (process.argv.includes('--if-stale')) buildIfStale();
    else build();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
