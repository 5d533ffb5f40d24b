// Pictures of the catalogue, from the plain files of npm run build:demo: every story in three looks, in
// .cache/screenshots/ for whoever changes how something looks, and a few of them in docs/screenshots/ for readers.
//   node scripts/catalogue-screenshots.mjs [part of a story's id]
import express from 'express';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { buildDemo } from './build-demo.mjs';
import { findChromium } from './find-chromium.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}.cache/screenshots`;
/** On a machine that may have other work. */
const TIMEOUT_MS = 60_000;
/** Long enough for a banner to come in and for a grid to draw, after everything has been answered. */
const SETTLED_MS = 500;

/** @type {Record<string, import('playwright-core').BrowserContextOptions>} */
const LOOKS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  mobile: { viewport: { width: 390, height: 844 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
};
/** What docs/screenshots/ shows, by story and look: the part of the page that a window shows at first. */
const CHOSEN = new Map([
  ['guard-held-desktop', 'catalogue-light.png'],
  ['guard-held-dark', 'catalogue-dark.png'],
  ['guard-held-mobile', 'catalogue-mobile.png'],
]);

const executablePath = findChromium();
if (executablePath === undefined)
  throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');
const part = process.argv[2] ?? '';

buildDemo();
const server = express()
  .use(express.static(`${ROOT}dist/demo-site`))
  .listen(0, '127.0.0.1');
await new Promise((resolve) => server.on('listening', resolve));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('The server has no port.');
const url = `http://127.0.0.1:${String(address.port)}/`;

mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
    // The same pictures on any day.
    await context.clock.setFixedTime(new Date('2026-03-09T14:00:00Z'));
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.goto(url);
    const links = page.locator('.nav-side a');
    await links.first().waitFor({ state: 'attached' });
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const address of addresses) {
      const story = new URLSearchParams(address).get('story') ?? '';
      if (!story.includes(part)) continue;
      await page.goto(url + address);
      await settled(page);
      const name = `${story}-${look}`;
      const chosen = CHOSEN.get(name);
      if (chosen !== undefined) {
        await page.screenshot({ path: `${OUT}/${chosen}` });
        copyFileSync(`${OUT}/${chosen}`, `${ROOT}docs/screenshots/${chosen}`);
        console.log(`${chosen} ${String(Math.round(readFileSync(`${OUT}/${chosen}`).length / 1000))} kB`);
      }
      await page.screenshot({ path: `${OUT}/${name}.png`, fullPage: true });
    }
    await context.close();
  }
  console.log(`Every story in .cache/screenshots/`);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}

/** @param {import('playwright-core').Page} page */
async function settled(page) {
  await page.locator('[data-testid=stage]:is([data-state=ready], [data-state=other])').waitFor();
  await page.waitForFunction(
    () => document.querySelector('lock-guard:state(claiming), [data-outcome=waiting]') === null,
  );
  await page.waitForTimeout(SETTLED_MS);
}
