import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * One path of the package's exports. `source` is the module behind it, relative to the root; null where it is no module
 * of ours (styles, JSON, types that the build writes).
 *
 * @typedef {{ name: string, about: string, page: string | null, source: string | null }} PackageEntry
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * What each path is for, and on which page of the reference its names are. A path that is not here stops the reference.
 *
 * @type {Readonly<Record<string, readonly [page: string | null, about: string]>>}
 */
const ABOUT = {
  '.': ['client', 'The elements’ classes, `configure`, `lockFetch`, messages. Registers nothing.'],
  './define': ['client', 'The same, and registers the elements.'],
  './client': ['client', 'The browser side without elements, and transports for other backends.'],
  './draft-keeper': ['client', 'Keeps what was typed, and offers it again.'],
  './bulk': ['client', 'Which of these records are locked, for buttons that change many.'],
  './lock-list': ['client', 'Registers `<lock-list>`.'],
  './locales/fr': ['client', 'French messages.'],
  './locales/es': ['client', 'Spanish messages.'],
  './react': ['elements', 'Types of the elements for JSX. No code.'],
  './vue': ['elements', 'Types of the elements for Vue’s templates. No code.'],
  './svelte': ['elements', 'Types of the elements for Svelte’s templates. No code.'],
  './server': ['server', 'The server: routes, enforcement, identity, backends, the hub.'],
  './metrics': ['server', 'Metrics for Prometheus; needs `prom-client`.'],
  './core': ['core', 'What travels, and the rules that server and mock share. No DOM, no Node.'],
  './mocks': ['mocks', 'The API and the hub in the browser; needs `msw`.'],
  './conformance': ['conformance', 'Checks of a backend from outside.'],
  './before-upgrade.css': ['elements', 'Holds a form back until the script has arrived. A style sheet.'],
  './custom-elements.json': ['elements', 'The elements, for editors and other tools.'],
  './package.json': [null, 'For tools.'],
};

/**
 * Every path that the package exports, in package.json's order. Throws for one that nothing is said about, and for one
 * that is gone.
 *
 * @returns {readonly PackageEntry[]}
 */
export function packageEntries() {
  const { name, exports: paths } =
    /** @type {{ name: string, exports: Record<string, string | { default: string }> }} */ (
      JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    );
  const gone = Object.keys(ABOUT).find((path) => !(path in paths));
  if (gone !== undefined)
    throw new Error(`scripts/reference-entries.mjs: the package has no ${gone} any more.`);
  return Object.entries(paths).map(([path, target]) => {
    const [page, about] = ABOUT[path] ?? [];
    if (page === undefined || about === undefined) {
      throw new Error(`scripts/reference-entries.mjs: say what ${path} is for.`);
    }
    const built = typeof target === 'string' ? null : target.default;
    const isOurs = built !== null && !built.startsWith('./dist/frameworks/');
    return {
      name: path.replace(/^\./, name),
      about,
      page,
      source: isOurs ? built.replace('./dist/', '').replace(/\.js$/, '.ts') : null,
    };
  });
}
