import axe from 'axe-core';
import express from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { catalogueFaults } from '../support/catalogue-faults.ts';
import { launchChromium } from '../support/chromium.ts';

const SITE = fileURLToPath(new URL('../../dist/demo-site', import.meta.url));
const BELOW = '/some/where/';
/** Stories of this group break their own backend: the browser itself tells the console of refused calls. */
const BREAKING = 'When things break';

const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 900 } }],
  ['390 pixels wide', { viewport: { width: 390, height: 844 } }],
  ['320 pixels wide', { viewport: { width: 320, height: 640 } }],
  ['in the dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
];

describe('the catalogue as plain files below a path', () => {
  let server: Server;
  let browser: Browser;
  let address = '';
  /** What the server was asked for. */
  const asked: string[] = [];

  before(async () => {
    buildDemo();
    const app = express()
      .use(({ method, url }, _response, next) => {
        asked.push(`${method} ${url}`);
        next();
      })
      .use(BELOW, express.static(SITE));
    server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BELOW}`;
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  });

  for (const [look, options] of LOOKS) {
    it(`shows every story ${look}: without a fault, and accessible`, async () => {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      const faults = catalogueFaults(page);
      await page.goto(address);
      await ready(page);
      await page.addScriptTag({ content: axe.source });
      const stories = await storiesOf(page);
      assert.ok(stories.length > 1, 'there are stories');
      const findings: string[] = [];
      for (const { href, title } of stories) {
        const before = faults.length;
        await open(page, href);
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
        await ready(page);
        const group = await page.locator('.story-group').innerText();
        findings.push(
          ...[
            ...faults.slice(before).filter((fault) => group !== BREAKING || !isRefusal(fault)),
            ...(await wideParts(page)).map((part) => `wider than the window: ${part}`),
            ...(await axeFindings(page)),
          ].map((finding) => `${href}: ${finding}`),
        );
      }
      assert.deepEqual(findings, []);
      assert.deepEqual(
        asked.filter((call) => !call.startsWith(`GET ${BELOW}`)),
        [],
        'everything else is in the page',
      );
      await context.close();
    });
  }

  it('says that it has no server, and offers none; the approvals page too', async () => {
    const page = await browser.newPage();
    const faults = catalogueFaults(page);
    await page.goto(`${address}?backend=live`);
    await ready(page);
    assert.equal(await page.getByTestId('backend-switch').count(), 0);
    await page.getByTestId('backend-note').waitFor();
    await page.goto(`${address}approvals.html?user=anna&request=REQ-2041`);
    await page.locator('lock-guard:state(mine)').waitFor({ state: 'attached' });
    assert.equal(await page.getByTestId('backend-switch').count(), 0);
    assert.deepEqual(
      faults.filter((fault) => !fault.endsWith('failed')),
      [],
    );
    await page.close();
  });

  it('opens a copied deep link', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}?story=guard-held&blocking=readonly`);
    await page.getByTestId('stage').locator('lock-guard[blocking=readonly]:state(held)').waitFor();
    await page.close();
  });
});

/** The story is there, and what it asked for has been answered. */
async function ready(page: Page): Promise<void> {
  await page.locator('[data-testid=stage]:is([data-state=ready], [data-state=other])').waitFor();
  await page.locator('[data-testid=stage] [role=alert].stage-note').waitFor({ state: 'detached' });
  await page.waitForFunction(
    () => document.querySelector('lock-guard:state(claiming), [data-outcome=waiting]') === null,
  );
}

async function storiesOf(page: Page): Promise<readonly { href: string; title: string }[]> {
  const links = page.locator('.nav-side a');
  return links.evaluateAll((all) =>
    all.map((link) => ({ href: link.getAttribute('href') ?? '', title: link.textContent.trim() })),
  );
}

/** Through the menu, where the window has no room for the navigation. */
async function open(page: Page, href: string): Promise<void> {
  const menu = page.getByTestId('menu');
  const isNarrow = await menu.isVisible();
  if (isNarrow) await menu.click();
  await page.locator(`${isNarrow ? '.nav-dialog' : '.nav-side'} a[href="${href}"]`).click();
}

function isRefusal(fault: string): boolean {
  return /\/(api|hubs)\/|status of 5\d\d|ERR_FAILED|rowlock:/.test(fault);
}

/** What makes the page scroll sideways. */
async function wideParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return wide.slice(0, 3).map(({ localName, className }) => `${localName}.${className}`);
  });
}

async function axeFindings(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
    );
  });
}
