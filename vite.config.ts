import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const entry = `${root}components/define.ts`;

/** `vite build --mode iife | esm | demo`: the script tag, the self-contained module, and the demo page. */
export default defineConfig(({ mode }) => ({
  root,
  base: './',
  publicDir: false,
  plugins: mode === 'demo' ? [mockServiceWorker()] : [signalrForBrowsers()],
  build: { target: 'es2022', emptyOutDir: false, ...buildFor(mode) },
}));

function buildFor(mode: string): BuildEnvironmentOptions {
  switch (mode) {
    case 'iife':
      // Measured against terser on lit + @lit/context + SignalR: oxc is about 280 bytes smaller after gzip.
      return {
        outDir: 'dist/cdn',
        sourcemap: true,
        minify: 'oxc',
        lib: { entry, formats: ['iife'], name: 'Rowlock', fileName: () => 'rowlock.js' },
      };
    case 'esm':
      // Not vite's library mode: that leaves white space in modules, as they usually meet another bundler.
      return {
        outDir: 'dist/cdn',
        sourcemap: true,
        minify: 'oxc',
        rolldownOptions: {
          input: entry,
          preserveEntrySignatures: 'strict',
          output: { format: 'es', entryFileNames: 'rowlock.mjs', codeSplitting: false },
        },
      };
    case 'demo':
      // MSW is half a megabyte; on a page that is itself a demonstration of it, that is no surprise.
      return { outDir: 'dist/site', sourcemap: true, chunkSizeWarningLimit: 1_000 };
    default:
      throw new Error(`vite build --mode: expected iife, esm or demo, got ${mode}`);
  }
}

/**
 * SignalR decides at run time whether it is in Node, in React Native or in a browser without fetch, and carries
 * code for each. Our bundles run in pages with custom elements alone, so the answers are known, and what they
 * rule out (cookie jars, XMLHttpRequest, polyfills) is dropped: about 0.9 KB after gzip. All three transports stay,
 * and whether a page has WebSocket and EventSource is still asked.
 * The replaced expressions are counted, so that a new SignalR that asks differently fails the build here.
 */
function signalrForBrowsers(): Plugin {
  const answers: ReadonlyArray<[question: RegExp, answer: string]> = [
    [/\bPlatform\.(?:isNode|isReactNative|isWebWorker)\b/g, 'false'],
    [/\bPlatform\.isBrowser\b/g, 'true'],
    [/\btypeof (?:fetch|AbortController) === "undefined"/g, 'false'],
    [/\btypeof (?:fetch|AbortController) !== "undefined"/g, 'true'],
  ];
  const counts = answers.map(() => 0);
  return {
    name: 'rowlock:signalr-for-browsers',
    transform: {
      filter: { id: /@microsoft[\\/]signalr[\\/]dist[\\/]esm[\\/]/ },
      handler(code) {
        let replaced = code;
        answers.forEach(([question, answer], index) => {
          replaced = replaced.replace(question, () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return answer;
          });
        });
        // The replacements stay inside their lines; an exact map of a vendor's file is not worth its build time.
        return replaced === code ? null : { code: replaced, map: null };
      },
    },
    buildEnd(error) {
      if (error === undefined && counts.some((count) => count === 0) && counts.some((count) => count > 0)) {
        this.error(`SignalR's environment checks have changed: replacements were ${counts.join(', ')}`);
      }
    },
  };
}

/** Puts MSW's worker script beside the page: taken from the installed package, it always fits its version. */
function mockServiceWorker(): Plugin {
  return {
    name: 'rowlock:mock-service-worker',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'mockServiceWorker.js',
        source: readFileSync(`${root}node_modules/msw/lib/mockServiceWorker.js`),
      });
    },
  };
}
