// npm run screenshots: pictures of every state of the elements, in docs/screenshots/. With them, changes of how things
// look are seen in review. The elements come from the sources, with a client that has no network.
import { build } from 'esbuild';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

const ROOT = new URL('../', import.meta.url);
/** Twenty scenes in one page, on a machine that may have other work. */
const TIMEOUT_MS = 120_000;
const OUT = new URL('docs/screenshots/', ROOT);

/**
 * @typedef {{ file: string, width: number, query?: Record<string, string>, rightToLeft?: boolean,
 *   media?: { colorScheme?: 'light' | 'dark', forcedColors?: 'active' | 'none' }, sceneWidth?: number, sceneHeight?: number }} Sheet
 */
/** @type {readonly Sheet[]} */
const SHEETS = [
  { file: 'light.png', width: 1200 },
  { file: 'dark.png', width: 1200, media: { colorScheme: 'dark' } },
  { file: 'forced-colors.png', width: 1200, media: { forcedColors: 'active', colorScheme: 'dark' } },
  { file: 'right-to-left.png', width: 1200, rightToLeft: true },
  {
    // As at 400 % zoom.
    file: 'narrow.png',
    width: 1346,
    sceneWidth: 320,
    sceneHeight: 400,
    query: {
      scenes: 'held, take-over allowed|the question|lost|error',
      holder: 'Dr. Maximiliane-Friederike Freifrau von und zu Hohenstaufen-Donaudampfschifffahrt',
    },
  },
  {
    file: 'themes.png',
    width: 1200,
    query: {
      themes: ['Bootstrap 5', 'Material 3', 'Fluent 2']
        .flatMap((theme) => [`${theme}, light`, `${theme}, dark`])
        .join('|'),
      scenes: 'held, take-over allowed|the question|changed by somebody',
    },
  },
];

const executablePath = findChromium();
if (executablePath === undefined)
  throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');

const [script] = (
  await build({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: ['test/components/gallery.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: 'tsconfig.base.json',
    write: false,
    logLevel: 'warning',
    minify: true,
    plugins: [
      {
        // The fake client's file imports it for tests alone.
        name: 'without-test-library',
        setup(bundler) {
          bundler.onResolve({ filter: /^@open-wc\/testing$/ }, async ({ path, pluginData, ...from }) => {
            if (pluginData === 'resolved') return undefined;
            return {
              ...(await bundler.resolve(path, { ...from, pluginData: 'resolved' })),
              sideEffects: false,
            };
          });
        },
      },
    ],
  })
).outputFiles;

/**
 * @param {Sheet} sheet
 */
const pageOf = ({ rightToLeft = false, width, sceneWidth = 382, sceneHeight = 190 }) => `<!doctype html>
<html lang="${rightToLeft ? 'he' : 'en-GB'}" dir="${rightToLeft ? 'rtl' : 'ltr'}">
  <meta charset="utf-8">
  <title>Rowlock</title>
  <style>
    :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
    body { margin: 12px !important; }
    .sheet { display: grid; grid-template-columns: repeat(${String(Math.floor(width / sceneWidth))}, ${String(sceneWidth)}px); gap: 14px; }
    figure { margin: 0; }
    figcaption { font-weight: 600; font-size: 13px; direction: ltr; }
    iframe { box-sizing: border-box; inline-size: 100%; block-size: ${String(sceneHeight)}px; border: 1px solid GrayText; }
    form { display: grid; justify-items: start; gap: 8px; }
    table { inline-size: 100%; border-collapse: collapse; }
    td { padding: 6px; border-block-end: 1px solid GrayText; text-align: start; }
  </style>
  <body><script type="module" src="/gallery.js"></script></body>
</html>`;

/** @type {Sheet} */
let current = { file: '', width: 0 };
/** @type {Record<string, () => readonly [type: string, text: string]>} */
const ROUTES = {
  '/': () => ['text/html', pageOf(current)],
  '/gallery.js': () => ['text/javascript', script?.text ?? ''],
  '/bootstrap.css': () => ['text/css', textOf('node_modules/bootstrap/dist/css/bootstrap.css')],
  '/docs/theming.md': () => ['text/markdown', textOf('docs/theming.md')],
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [type, text] = ROUTES[pathname]?.() ?? ['text/plain', ''];
  response.writeHead(ROUTES[pathname] === undefined ? 404 : 200, {
    'content-type': `${type}; charset=utf-8`,
  });
  response.end(text);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('The server has no port.');

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  mkdirSync(OUT, { recursive: true });
  for (const sheet of SHEETS) {
    current = sheet;
    const context = await browser.newContext({
      viewport: { width: sheet.width, height: 400 },
      timezoneId: 'UTC',
      locale: 'en-GB',
      ...sheet.media,
    });
    // The same pictures on any day.
    await context.clock.setFixedTime(new Date('2026-03-09T14:00:00Z'));
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
    const query = new URLSearchParams(sheet.query).toString();
    await page.goto(`http://127.0.0.1:${String(address.port)}/?${query}`, { waitUntil: 'commit' });
    await page.locator('body[data-ready]').waitFor();
    for (const frame of page.frames()) await frame.locator('body[data-ready]').waitFor();
    const path = fileURLToPath(new URL(sheet.file, OUT));
    await page.screenshot({ path, fullPage: true });
    console.log(`${sheet.file} ${String(Math.round(readFileSync(path).length / 1000))} kB`);
    await context.close();
  }
} finally {
  await browser.close();
  server.close();
}

/** @param {string} path */
function textOf(path) {
  return readFileSync(new URL(path, ROOT), 'utf8');
}
