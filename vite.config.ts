import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite';
import { signalrForBrowsers } from './scripts/signalr-for-browsers.mjs';

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
