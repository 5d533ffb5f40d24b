import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite';
import { besideRowlock } from './scripts/beside-rowlock.mjs';
import { minifyAgain } from './scripts/minify-again.mjs';
import { globalOf } from './scripts/script-tags.mjs';
import { signalrForBrowsers } from './scripts/signalr-for-browsers.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const entry = `${root}components/define.ts`;

/**
 * `vite build --mode iife | esm | lock-list | demo | demo-site`: the script tag, the self-contained module, the script of
 * `<lock-list>` beside the first, and the demo's pages for its server. `demo-site`: the same pages as plain files, on the
 * mock alone. Any other mode is one of the further script tags.
 */
export default defineConfig(({ mode }) => ({
  root,
  base: './',
  publicDir: false,
  plugins:
    mode === 'demo'
      ? [mockServiceWorker(), signalrForBrowsers()]
      : mode === 'demo-site'
        ? [mockServiceWorker(), signalrForBrowsers(), markedAsStatic()]
        : [
            ...(mode === 'lock-list' ? [besideRowlock()] : []),
            signalrForBrowsers(),
            compactTemplates(),
            minifyAgain(),
          ],
  build: { target: 'es2022', emptyOutDir: false, ...buildFor(mode) },
}));

function buildFor(mode: string): BuildEnvironmentOptions {
  switch (mode) {
    case 'iife':
      return scriptTag(entry, 'Rowlock', 'rowlock.js');
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
    case 'lock-list':
      return {
        outDir: 'dist/cdn',
        sourcemap: true,
        minify: 'oxc',
        lib: {
          entry: `${root}components/define-lock-list.ts`,
          formats: ['iife'],
          name: 'RowlockList',
          fileName: () => 'rowlock-lock-list.js',
        },
      };
    case 'demo':
      return demoPages('dist/site');
    case 'demo-site':
      return demoPages('dist/demo-site');
    default: {
      const name = globalOf(mode);
      if (name === undefined) throw new Error(`vite build --mode: there is no ${mode}`);
      return scriptTag(`${root}components/${mode}.ts`, name, `${mode}.js`);
    }
  }
}

function demoPages(outDir: string): BuildEnvironmentOptions {
  return {
    outDir,
    sourcemap: true,
    // MSW is half a megabyte; on pages that are themselves a demonstration of it, that is no surprise.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { input: [`${root}index.html`, `${root}approvals.html`] },
  };
}

function scriptTag(file: string, name: string, output: string): BuildEnvironmentOptions {
  return {
    outDir: 'dist/cdn',
    sourcemap: true,
    minify: 'oxc',
    lib: { entry: file, formats: ['iife'], name, fileName: () => output },
  };
}

/**
 * Takes the indentation out of our css`` and html`` templates. The line breaks move behind the text they were in, so that
 * source maps keep to the line without a map of this step.
 */
function compactTemplates(): Plugin {
  return {
    name: 'rowlock:compact-templates',
    transform: {
      filter: { id: /\/components\/[^/]+\.ts$/, code: /\b(?:css|html)`/ },
      handler(code) {
        const pieces: string[] = [];
        let end = 0;
        visit(this.parse(code, { lang: 'ts' }), (text, language) => {
          // With its delimiters.
          const old = code.slice(text.start, text.end);
          const compact =
            language === 'css'
              ? old
                  .replace(/\s+/g, ' ')
                  .replace(/ ?([{};,>`]) ?|(?<=:) /g, '$1')
                  .replaceAll(';}', '}')
                  .replace(/='([\w-]+)'(?=\])/g, '=$1')
              : old.replace(/\s*\n\s*/g, ' ').replace(/> (?=<)/g, '>');
          pieces.push(code.slice(end, text.start), compact, '\n'.repeat(old.split('\n').length - 1));
          end = text.end;
        });
        return { code: pieces.join('') + code.slice(end), map: null };
      },
    },
  };
}

interface TemplateText {
  readonly start: number;
  readonly end: number;
}

/** Finds the texts of css`` and html`` templates, in their order. */
function visit(node: unknown, found: (text: TemplateText, language: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'TaggedTemplateExpression') {
    const { tag, quasi } = node as unknown as {
      readonly tag: { readonly name?: string };
      readonly quasi: { readonly quasis: readonly TemplateText[]; readonly expressions: readonly unknown[] };
    };
    if (tag.name === 'css' || tag.name === 'html') {
      quasi.quasis.forEach((text, index) => {
        found(text, tag.name ?? '');
        visit(quasi.expressions[index], found);
      });
      return;
    }
  }
  for (const value of Object.values(node)) visit(value, found);
}

/** Tells the pages that there is no server to ask (demo/demo-backend.ts). */
function markedAsStatic(): Plugin {
  return {
    name: 'rowlock:marked-as-static',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { name: 'rowlock-demo', content: 'static' }, injectTo: 'head' },
    ],
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
