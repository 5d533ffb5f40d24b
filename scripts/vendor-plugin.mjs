import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// One folder for each run: two runs at the same time must not take each other's files away.
const OUT = `.cache/vendor/${process.pid}`;

/**
 * A plugin of @web/test-runner that bundles every package which the test files reach, once, before the run. Each
 * test page then fetches some 20 files instead of some 330, which more than halves the time of a run. Packages that
 * appear later (watch mode) fall back to the runner's own resolution.
 *
 * @param {readonly string[]} entries the test files
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function vendorPlugin(entries) {
  /** @type {ReadonlyMap<string, string>} */
  let bundled = new Map();
  return {
    name: 'vendor',
    async serverStart() {
      const specifiers = await packagesReachedBy(entries);
      bundled = new Map(specifiers.map((specifier, index) => [specifier, fileName(specifier, index)]));
      await bundle(bundled);
    },
    serverStop() {
      rmSync(`${ROOT}${OUT}`, { recursive: true, force: true });
    },
    resolveImport({ source }) {
      const name = bundled.get(source);
      return name === undefined ? undefined : `/${OUT}/${name}.js`;
    },
  };
}

/** @param {readonly string[]} entries */
async function packagesReachedBy(entries) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir: OUT,
    bundle: true,
    format: 'esm',
    packages: 'external',
    write: false,
    metafile: true,
    // A file that cannot be parsed is reported by the runner, as that file's failure.
    logLevel: 'silent',
  }).catch((/** @type {unknown} */ failure) => {
    console.warn(`Without pre-bundled packages: ${String(failure)}`);
    return { metafile: { inputs: {}, outputs: {} } };
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [
    ...new Set(
      imports.filter(({ external, kind }) => external && kind !== 'require-call').map(({ path }) => path),
    ),
  ]
    .filter((path) => !path.startsWith('.') && !path.startsWith('/'))
    .sort();
}

/** @param {ReadonlyMap<string, string>} bundled */
async function bundle(bundled) {
  rmSync(`${ROOT}${OUT}`, { recursive: true, force: true });
  if (bundled.size === 0) return;
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...bundled].map(([specifier, name]) => ({ in: specifier, out: name })),
    outdir: OUT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Lit's development build warns of class fields that shadow its accessors; msw has a Node build to avoid.
    conditions: ['browser', 'development'],
    external: ['/__web-*'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * @param {string} specifier
 * @param {number} index keeps `a/b` and `a-b` apart
 */
function fileName(specifier, index) {
  return `${String(index)}-${specifier.replace(/\W+/g, '-')}`;
}
