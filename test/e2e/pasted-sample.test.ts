import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { startDemo, type DemoServer } from '../support/demo-server.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));

/** What `npm start` prints: the sample's own address of the server. */
const ADDRESS = 'http://127.0.0.1:8080';

/**
 * The first sample of the README, as somebody meets it: pasted into a file, served by any static server beside the
 * demo. Only the demo's port is another, as 8080 may be taken.
 */
describe('the sample of the README, pasted into a page', () => {
  let browser: Browser;
  let sample = '';
  let pages: Server;
  let port = 0;
  /** Any page of this machine may use this one. */
  let demo: DemoServer;
  /** Only `http://127.0.0.1:<port>` may use this one. */
  let strict: DemoServer;
  const contexts: BrowserContext[] = [];

  before(async () => {
    sample = /^```html\n(.*?)^```$/ms.exec(await readFile(README, 'utf8'))?.[1] ?? '';
    assert.match(sample, /^<!doctype html>/, 'the first HTML sample is a whole page');
    assert.equal(sample.split(ADDRESS).length > 1, true, 'it names the server');
    pages = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const of = pathname.startsWith('/strict') ? strict : demo;
      const text = sample.replaceAll(ADDRESS, of.url);
      // Such as a preview in an editor has it.
      const frame = `<!doctype html><iframe sandbox="allow-scripts" srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pathname.endsWith('/framed.html') ? frame : text);
    });
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    ({ port } = pages.address() as AddressInfo);
    [demo, strict, browser] = await Promise.all([
      startDemo(),
      startDemo({ allowedOrigins: `http://127.0.0.1:${port}` }),
      launchChromium(),
    ]);
  });
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
  after(async () => {
    await Promise.all([browser.close(), demo.stop(), strict.stop()]);
    pages.closeAllConnections();
    pages.close();
  });

  /** Opens an address in a window of its own; answers the page and the errors of its scripts. */
  const open = async (url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> => {
    const context = await browser.newContext({ locale: 'en-GB' });
    context.setDefaultTimeout(15_000);
    contexts.push(context);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) errors.push(message.text());
    });
    await page.goto(url);
    return { page, errors };
  };
  const isOpen = (page: Page) =>
    page.locator('lock-guard:state(mine):not(:state(blocked))').waitFor({ state: 'attached' });

  it('Anna edits; for Ben it is shut, with her name, and opens by itself when she closes her page', async () => {
    const anna = await open(`http://127.0.0.1:${port}/page.html`);
    await isOpen(anna.page);
    await anna.page.getByLabel('Note').fill('Second driver needed');

    const ben = await open(`http://127.0.0.1:${port}/page.html?user=ben`);
    await ben.page.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
    assert.match(await ben.page.locator('lock-banner [part="banner"]').innerText(), /Anna Berger/);
    await assert.rejects(ben.page.getByLabel('Note').click({ timeout: 500 }), 'the form is out of reach');

    await anna.page.close({ runBeforeUnload: true });
    await isOpen(ben.page);
    await ben.page.getByLabel('Note').fill('Booked');
    assert.deepEqual([...anna.errors, ...ben.errors], []);
  });

  it('a listed origin is let in; the same page of another is refused, stays editable, and the server says why', async () => {
    const listed = await open(`http://127.0.0.1:${port}/strict/page.html`);
    await isOpen(listed.page);
    assert.deepEqual(listed.errors, []);

    // The same server under its other name: another origin.
    const other = await open(`http://localhost:${port}/strict/page.html?user=ben`);
    await refused(other.page);
    await strict.printed(new RegExp(`A page of http://localhost:${port} may not .*ALLOWED_ORIGINS`), 5_000);
  });

  it('a page opened from a file, and one in a sandboxed frame, have no origin and are refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowlock-pasted-'));
    const file = join(folder, 'page.html');
    writeFileSync(file, sample.replaceAll(ADDRESS, demo.url));
    const local = await open(pathToFileURL(file).href);
    await refused(local.page);
    await demo.printed(/A page without an origin .*http-server/, 5_000);
    rmSync(folder, { recursive: true });

    const framed = await open(`http://127.0.0.1:${port}/framed.html`);
    await refused(framed.page, 'iframe');
  });
});

/** The script came, the server did not let the page in: the form can be used, under a notice that it has no lock. */
async function refused(page: Page, frame?: string): Promise<void> {
  const place = frame === undefined ? page : page.frameLocator(frame);
  await place.locator('lock-guard:state(error), lock-guard:state(unknown)').waitFor({ state: 'attached' });
  assert.equal(await place.locator('lock-guard:state(mine)').count(), 0);
  assert.match(await place.locator('lock-banner [part="banner"]').innerText(), /can go on/);
  await place.getByLabel('Note').fill('still possible');
}
