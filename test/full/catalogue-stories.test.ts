import express from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { launchChromium } from '../support/chromium.ts';

const SITE = fileURLToPath(new URL('../../dist/demo-site', import.meta.url));

/** One story in a page of its own. */
interface StoryPage {
  readonly page: Page;
  readonly guard: Locator;
  /** What the banner that is shown says. */
  readonly banner: Locator;
  /** A field of the form. */
  field(name: string): Locator;
  press(action: string): Promise<void>;
  /** The guard comes into this state. */
  becomes(state: string): Promise<void>;
  /** The event log says so. */
  logs(text: string | RegExp): Promise<void>;
}

describe("the catalogue's stories do what they say", () => {
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let address = '';

  before(async () => {
    buildDemo();
    server = createServer(express().use('/demo/', express.static(SITE)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/demo/`;
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
    context.setDefaultTimeout(20_000);
  });
  after(async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  });

  /** Tells a story, and closes its page. */
  const tell = async (id: string, act: (story: StoryPage) => Promise<void>, values = ''): Promise<void> => {
    const page = await context.newPage();
    await page.goto(`${address}?story=${id}${values}`);
    const stage = page.getByTestId('stage');
    const guard = stage.locator('#story-guard');
    await guard.waitFor({ state: 'attached' });
    await act({
      page,
      guard,
      banner: guard.locator('[part=banner]'),
      field: (name) => guard.locator(`[name=${name}]`),
      press: (action) =>
        page.getByTestId('actions').getByRole('button', { name: action, exact: true }).click(),
      becomes: (state) => stage.locator(`#story-guard:state(${state})`).waitFor({ state: 'attached' }),
      logs: (text) => page.getByTestId('event-log').getByText(text).first().waitFor(),
    });
    await page.close();
  };
  /** The form can be used, or not. */
  const isOpen = ({ guard }: StoryPage, state: boolean) =>
    guard
      .page()
      .waitForFunction(
        (expected) => document.querySelector('#story-guard')?.matches(':state(blocked)') !== expected,
        state,
      );

  it('guard-held: Ben is named, and when he lets go the form opens by itself', () =>
    tell('guard-held', async (story) => {
      await story.becomes('held');
      await story.banner.getByText('Ben Okafor is editing this record.').waitFor();
      await isOpen(story, false);
      await story.press('Ben lets go');
      await story.becomes('mine');
      await isOpen(story, true);
      await story.logs(/now holds the lock/);
    }));

  it('guard-held: with wait="off" it stays shut until Edit is pressed', () =>
    tell(
      'guard-held',
      async (story) => {
        await story.becomes('held');
        await story.press('Ben lets go');
        await story.banner.getByText('This record is free now.').waitFor();
        await isOpen(story, false);
        await story.guard.getByRole('button', { name: 'Edit' }).click();
        await story.becomes('mine');
      },
      '&wait=off',
    ));

  it('guard-lost: what was typed stays readable, and Reload is offered when the record comes back', () =>
    tell('guard-lost', async (story) => {
      await story.becomes('mine');
      await story.field('contact').fill('Jörg Weiß');
      await story.press('Ben takes over');
      await story.becomes('lost');
      await isOpen(story, false);
      assert.equal(await story.field('contact').inputValue(), 'Jörg Weiß');
      const isInert = await story.guard.evaluate(({ shadowRoot }) =>
        shadowRoot?.querySelector<HTMLElement>('[part=body]')?.matches('[inert]'),
      );
      assert.equal(isInert, false, 'readable');
      await story.press('Ben lets go');
      await story.becomes('mine');
      await isOpen(story, false);
      await story.guard.getByRole('button', { name: 'Reload' }).waitFor();
    }));

  it('guard-stale: the form stays shut on old data, and opens when that was loaded anew', () =>
    tell('guard-stale', async (story) => {
      await story.becomes('mine');
      await story.press('Ben edits and lets go');
      await story.banner.getByText('This record has changed since you opened it.').waitFor();
      await isOpen(story, false);
      await story.guard.getByRole('button', { name: 'Reload' }).click();
      await isOpen(story, true);
      assert.equal(await story.field('amount').inputValue(), '2000');
      await story.logs('loaded the request anew');
    }));

  it('guard-claim-manual: nothing is claimed before the application says so', () =>
    tell('guard-claim-manual', async (story) => {
      await story.becomes('idle');
      const claims = story.page.getByTestId('wire').locator('li').filter({ hasText: '/claim' });
      assert.equal(await claims.count(), 0);
      await story.press('Claim now');
      await story.becomes('mine');
      await claims.first().waitFor();
      await story.press('Let go');
      await story.becomes('released');
      await story.logs(/let go of/);
    }));

  it('guard-claim-edit: the first edit claims, and is not held up', () =>
    tell('guard-claim-edit', async (story) => {
      await story.becomes('idle');
      await story.field('supplier').fill('Bakker Logistiek B.V.');
      await story.becomes('mine');
      assert.equal(await story.field('supplier').inputValue(), 'Bakker Logistiek B.V.');
    }));

  it('guard-new-record: it claims as soon as the record has an id', () =>
    tell('guard-new-record', async (story) => {
      await story.becomes('idle');
      await story.press('The first save gives it an id');
      await story.becomes('mine');
    }));

  it('guard-drafts: what was typed is offered after the loss, and put back when that is wanted', () =>
    tell('guard-drafts', async (story) => {
      await story.becomes('mine');
      await story.field('contact').fill('Jörg Weiß');
      await story.press('Ben takes over');
      await story.becomes('lost');
      await story.press('Ben lets go');
      await story.guard.getByRole('button', { name: 'Reload' }).click();
      await isOpen(story, true);
      assert.equal(await story.field('contact').inputValue(), 'Lucía Herrera');
      await story.page.getByRole('button', { name: 'Put it back' }).click();
      assert.equal(await story.field('contact').inputValue(), 'Jörg Weiß');
    }));

  it('guard-allowed: edits are stopped, and what is allowed works', () =>
    tell('guard-allowed', async (story) => {
      await story.becomes('held');
      await story.field('contact').focus();
      await story.page.keyboard.type('x');
      assert.equal(await story.field('contact').inputValue(), 'Lucía Herrera');
      await story.page.getByRole('button', { name: 'Phone list' }).click();
      await story.logs('opened the phone list');
    }));

  it('guard-editor: an editor outside the guard follows', () =>
    tell('guard-editor', async (story) => {
      const bold = story.page.getByRole('button', { name: 'Bold' });
      await story.becomes('mine');
      await story.press('Ben takes over');
      await story.page.locator('.story-editable[contenteditable=false]').waitFor();
      assert.equal(await bold.isDisabled(), true);
    }));

  it('break-redis: open with a notice while nobody can say, and without it when Redis is back', () =>
    tell('break-redis', async (story) => {
      await story.becomes('unknown');
      await isOpen(story, true);
      await story.banner.getByText('Locking is not available.').waitFor();
      await story.press('Redis is back');
      await story.press('Ask again at once');
      await story.becomes('mine');
      await story.logs('works again');
    }));

  it('break-slow: a claim that is not answered opens the form after its time', () =>
    tell(
      'break-slow',
      async (story) => {
        await story.press('Open it while nothing answers');
        await story.becomes('claiming');
        await isOpen(story, false);
        await story.becomes('unknown');
        await isOpen(story, true);
      },
      '&timeout=1500',
    ));

  it('break-api: a failing server blocks nobody who has a lease', () =>
    tell('break-api', async (story) => {
      await story.becomes('mine');
      for (const failure of ['Answer 503', 'No answer', 'No network']) {
        await story.press(failure);
        await story.banner.getByText('Reconnecting…').waitFor();
        await isOpen(story, true);
        await story.press('Mend it');
        await story.press('Ask again at once');
        await story.banner.getByText('Reconnecting…').waitFor({ state: 'hidden' });
      }
    }));

  it('break-signed-out: 401 is an error that is told, and signing in again claims', () =>
    tell('break-signed-out', async (story) => {
      await story.becomes('mine');
      await story.press('The session ends');
      await story.becomes('error');
      await isOpen(story, true);
      await story.banner.getByText('(unauthenticated)').waitFor();
      await story.press('Anna signs in again');
      await story.becomes('mine');
    }));

  it('break-not-lockable: is loud, and open', () =>
    tell('break-not-lockable', async (story) => {
      const errors: string[] = [];
      story.page.on('console', (message) => errors.push(message.text()));
      await story.press('Claim');
      await story.becomes('error');
      await isOpen(story, true);
      await story.banner.getByText('(type-not-lockable)').waitFor();
      assert.ok(
        errors.some((text) => text.includes('is not lockable')),
        errors.join('\n'),
      );
    }));

  it('time-idle: a warning first, then the release; the lock comes back with the person', () =>
    tell(
      'time-idle',
      async (story) => {
        await story.becomes('mine');
        await story.banner.getByText('Are you still editing this record?').waitFor();
        await story.becomes('released');
        await story.logs('saves before the lock is let go');
        await story.page.mouse.move(600, 500);
        await story.page.mouse.down();
        await story.becomes('mine');
      },
      '&idle=4000',
    ));

  it('time-two-tabs: neither is blocked, and the lock outlives the first to go', () =>
    tell2(async (page, tab) => {
      await tab('first', 'mine');
      await tab('second', 'mine');
      await page.getByText('You are editing this record in another window, too.').first().waitFor();
      await page.getByRole('button', { name: 'The first tab lets go' }).click();
      await tab('first', 'released');
      await page.getByRole('button', { name: 'Ben takes over' }).click();
      await tab('second', 'lost');
    }));

  it('time-automation: the driver app writes through the lock, and Reload is the decision of who edits', () =>
    tell('time-automation', async (story) => {
      await story.becomes('mine');
      const before = Number(await story.field('amount').inputValue());
      await story.press('The driver app writes');
      await story.banner.getByText('This record has changed since you opened it.').waitFor();
      await story.banner.getByText('By Driver app.').waitFor();
      await isOpen(story, true);
      assert.equal(Number(await story.field('amount').inputValue()), before);
      await story.guard.getByRole('button', { name: 'Reload' }).click();
      await story.logs(/loaded REQ-\d+ anew/);
      assert.equal(Number(await story.field('amount').inputValue()), before + 45);
      assert.match(await story.field('note').inputValue(), /\(driver app\)\.$/);
    }));

  it('time-rescue: what was typed is handed over before the form is shut', () =>
    tell('time-rescue', async (story) => {
      await story.becomes('mine');
      await story.field('email').fill('joerg.weiss@nunez.example');
      await story.press('Ben takes over');
      await story.becomes('lost');
      await story.page.locator('.story-rescued').getByText('joerg.weiss@nunez.example').waitFor();
    }));

  it('banner-take-over: asks first; a refusal says why, and changes nothing', () =>
    tell('banner-take-over', async (story) => {
      const takeOver = async () => {
        await story.guard.locator('[part=take-over]').click();
        await story.guard.locator('[part=confirm]').click();
      };
      await story.becomes('held');
      await story.page.getByTestId('controls').getByLabel('The server says').selectOption('refused');
      await story.becomes('held');
      await takeOver();
      await story.banner.getByText('Only a team leader may take over from Ben Okafor.').waitFor();
      await story.becomes('held');
      await story.page.getByTestId('controls').getByLabel('The server says').selectOption('allowed');
      await story.guard.locator('[part=take-over]').waitFor();
      await takeOver();
      await story.becomes('mine');
    }));

  it('time-lease: nobody says so, and the form opens when the lease is over', () =>
    tell(
      'time-lease',
      async (story) => {
        await story.becomes('held');
        await story.becomes('mine');
        await isOpen(story, true);
      },
      '&left=4',
    ));

  /** The story with two guards. */
  const tell2 = async (
    act: (page: Page, tab: (name: string, state: string) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const page = await context.newPage();
    await page.goto(`${address}?story=time-two-tabs`);
    await act(page, (name, state) =>
      page.locator(`#${name}-tab:state(${state})`).waitFor({ state: 'attached' }),
    );
    await page.close();
  };
});
