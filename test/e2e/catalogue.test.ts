import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { catalogueFaults } from '../support/catalogue-faults.ts';
import { launchChromium } from '../support/chromium.ts';
import { startDemo, type DemoServer } from '../support/demo-server.ts';

describe('the catalogue', () => {
  let demo: DemoServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: readonly string[];

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(15_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: demo.url });
    page = await context.newPage();
    faults = catalogueFaults(page);
  });
  after(async () => {
    await browser.close();
    await demo.stop();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const focused = () => page.evaluate(() => document.activeElement?.localName);

  it('begins with two people and one request, and shows what they say on the wire, without tokens', async () => {
    await page.goto(demo.url);
    await heading('Two people, one request').waitFor();
    const [anna, ben] = ['anna', 'ben'].map((user) => page.getByTestId(`desk-${user}`));
    await anna?.locator('lock-guard:state(mine)').waitFor({ state: 'attached' });
    await ben?.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
    const wire = (user: string, ...texts: readonly (string | RegExp)[]) =>
      texts.reduce<Locator>(
        (found, hasText) => found.filter({ hasText }),
        page
          .getByTestId('wire')
          .locator('li')
          .filter({ has: page.locator(`[data-user=${user}]`) }),
      );
    for (const user of ['anna', 'ben']) {
      await wire(user, 'POST', 'REQ-2041/claim', /200 · \d+ ms/).waitFor();
      await wire(user, 'hub', 'connected').waitFor();
    }

    // Now that the hub listens: Anna goes on to the next request, so both hear of it, and Ben gets the first.
    await anna?.getByTestId('row-REQ-2042').click();
    for (const user of ['anna', 'ben']) {
      await wire(user, 'EntityChanged', 'Acquired REQ-2042 · Anna Berger').waitFor();
    }
    await ben?.locator('lock-guard:state(mine)').waitFor({ state: 'attached' });
    const log = page.getByTestId('event-log');
    await log.getByText('now holds the lock on REQ-2042').waitFor();

    const text = await page.locator('body').innerText();
    assert.doesNotMatch(text, /bearer|eyJ|access_token/i);
    assert.deepEqual(faults, []);
  });

  it('opens a deep link with the value of a control, and follows the control in story, HTML and address', async () => {
    await page.goto(`${demo.url}/?story=guard-held&blocking=readonly`);
    const guard = page.getByTestId('stage').locator('lock-guard');
    await page.getByTestId('stage').locator('lock-guard:state(held)').waitFor();
    assert.equal(await guard.getAttribute('blocking'), 'readonly');
    const control = page.getByTestId('controls').getByLabel('blocking');
    assert.equal(await control.inputValue(), 'readonly');
    const source = page.getByTestId('source').locator('code');
    assert.match(await source.innerText(), /blocking="readonly"/);

    await control.selectOption('inert');
    await page.waitForURL(`${demo.url}/?story=guard-held`);
    assert.equal(await guard.getAttribute('blocking'), 'inert');
    assert.doesNotMatch(await source.innerText(), /readonly/);

    await page.getByTestId('copy').click();
    await page.getByTestId('source').getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await source.evaluate((code) => code.textContent));
    assert.match(copied, /^<lock-guard entity-type="ApprovalRequest"/);
  });

  it('goes to the next story with the keyboard, and back again', async () => {
    const title = await page.title();
    const links = page.getByRole('navigation', { name: 'Stories' }).getByRole('link');
    const current = await links.evaluateAll((all) => all.findIndex((link) => link.ariaCurrent === 'page'));
    await links.nth(current - 1).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const before = (await links.nth(current - 1).innerText()).trim();
    await heading(before).waitFor();
    await page.waitForFunction(() => document.activeElement?.localName === 'h1');
    assert.equal(await page.title(), `${before} · Rowlock`);

    await page.goBack();
    await heading(title.replace(' · Rowlock', '')).waitFor();
    assert.equal(await page.title(), title);
    await page.waitForFunction(() => document.activeElement?.localName === 'h1');
    await page.goForward();
    await heading(before).waitFor();

    // A narrow window has the stories in a menu, which Escape closes.
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByTestId('menu').click();
    await page.getByRole('dialog', { name: 'Stories' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Stories' }).waitFor({ state: 'hidden' });
    assert.equal(await focused(), 'button');
    assert.deepEqual(faults, []);
  });
});
