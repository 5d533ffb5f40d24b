// Makes docs/two-windows.png, the README's picture: Anna edits a request, Ben's form is blocked and says so.
//   npm run build && node scripts/screenshot.mjs [file]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { buildIfStale } from './build.mjs';
import { findChromium } from './find-chromium.mjs';

const file = process.argv[2] ?? fileURLToPath(new URL('../docs/two-windows.png', import.meta.url));
const executablePath = findChromium();
if (executablePath === undefined)
  throw new Error('No Chromium: run "node scripts/ensure-tools.mjs chromium"');
buildIfStale();

const demo = spawn(process.execPath, [fileURLToPath(new URL('../dist/demo/server.js', import.meta.url))], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const url = await firstAddress(demo.stdout);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await page.goto(`${url}/approvals.html?request=REQ-2041`);
  await page.locator('lock-guard:state(mine)').first().waitFor({ state: 'attached' });
  await page.locator('lock-guard:state(held)').first().waitFor({ state: 'attached' });
  await page
    .getByText(/is editing/i)
    .first()
    .waitFor();
  await page.screenshot({ path: file });
  console.log(`Wrote ${file}`);
} finally {
  await browser.close();
  demo.kill('SIGTERM');
}

/**
 * The address in what the demo prints first.
 *
 * @param {import('node:stream').Readable} stdout
 * @returns {Promise<string>}
 */
async function firstAddress(stdout) {
  let text = '';
  for await (const chunk of stdout) {
    text += String(chunk);
    const address = /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`The demo ended without an address:\n${text}`);
}
