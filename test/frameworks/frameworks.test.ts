import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { packPackage, type PackedPackage } from '../support/packed-package.ts';
import { until } from '../support/until.ts';
import { person, record, startAppServer, type AppServer } from './app-server.ts';
import { APPS, buildApps } from './build-apps.ts';

/** A person's page of an application. */
interface AppPage {
  readonly page: Page;
  /** Claims and releases that were sent, in their order: `POST …/claim`, `DELETE …`. Renewals come when they like. */
  readonly calls: readonly string[];
  get(testId: string): Locator;
  /** Waits until the open form is in a state; `mine` means open for editing. */
  inState(state: string): Promise<void>;
  /** Waits until the page has heard of an event. */
  heard(text: string): Promise<void>;
}

let packed: PackedPackage;
let server: AppServer;
let browser: Browser;
let count = 0;

before(async () => {
  packed = await packPackage('frameworks');
  server = await startAppServer(await buildApps(packed.folder));
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  await server.stop();
  await packed.remove();
});

/** The same stories for each: what a framework does to elements shows only in its own build, in a real browser. */
for (const app of Object.keys(APPS)) {
  describe(`an application with ${app}`, () => {
    let context: BrowserContext;
    const errors: string[] = [];
    before(async () => {
      context = await browser.newContext();
      context.setDefaultTimeout(15_000);
      await context.addInitScript('globalThis.__name ??= (target) => target');
    });
    after(() => context.close());

    /** Opens the application. `more` is added to its address. */
    async function open(
      uids: readonly string[],
      more: Readonly<Record<string, string>> = {},
    ): Promise<AppPage> {
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        // A script tag registers at once: elements that are there already ask before `configure()` can be called.
        const isTooEarly = app === 'bare' && more['late'] !== undefined && message.text().includes('401');
        if (message.type() === 'error' && !isTooEarly) errors.push(message.text());
      });
      const calls: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() === 'DELETE' || pathname.endsWith('/claim')) {
          calls.push(`${request.method()} ${pathname.replace('/api/locks/ApprovalRequest/', '')}`);
        }
      });
      const query = new URLSearchParams({ user: 'anna', uids: uids.join(), ...more });
      await page.goto(`${server.url}/${app}/?${String(query)}`);
      return {
        page,
        calls,
        get: (testId) => page.getByTestId(testId),
        inState: (state) =>
          page
            .locator(`lock-guard:state(${state})${state === 'mine' ? ':not(:state(blocked))' : ''}`)
            .waitFor({ state: 'attached' }),
        heard: (text) => page.getByTestId('log').getByText(text, { exact: true }).first().waitFor(),
      };
    }

    /** Names for records that no other test uses. */
    const newUids = (number: number): readonly string[] => {
      count += 1;
      return Array.from({ length: number }, (_, at) => `${app}-${count}-${at}`);
    };
    const ben = {
      holds: (uid: string) => server.rowlock.service.claim(person('ben'), record(uid), { sessionId: 'b' }),
    };
    const holderOf = async (uid: string): Promise<string | undefined> =>
      (await server.lockOf(uid))?.holderOid;

    it('claims, hears of it by its own syntax, and can be edited (R30)', async () => {
      const [uid = ''] = newUids(1);
      const { page, calls, get, inState, heard } = await open([uid], { open: uid });
      await inState('mine');
      await heard(`acquired ${uid}`);
      await get('note').fill('typed');
      assert.equal(await holderOf(uid), 'anna');
      // In React's strict mode, with a lease beside the form that is opened, closed and opened again.
      assert.deepEqual(calls, [`POST ${uid}/claim`]);
      await page.close();
    });

    it('is blocked while somebody else has the record, and opens when that one lets go', async () => {
      const [uid = ''] = newUids(1);
      await ben.holds(uid);
      const { page, get, inState, heard } = await open([uid], { open: uid });
      await inState('held');
      await heard('held Ben Okafor');
      await page.locator('lock-banner').getByText('Ben Okafor').first().waitFor();
      await get(`row-${uid}`).getByText('Ben Okafor').waitFor();
      await assert.rejects(get('note').click({ timeout: 500 }), 'the form is out of reach');
      await server.rowlock.service.release(person('ben'), record(uid), { sessionId: 'b' });
      await inState('mine');
      await get(`row-${uid}`).getByText('You').waitFor();
      await page.close();
    });

    it('takes over', async () => {
      const [uid = ''] = newUids(1);
      await ben.holds(uid);
      const { page, inState, heard } = await open([uid], { open: uid });
      await inState('held');
      await page.locator('lock-banner [part=take-over]').click();
      await page.locator('lock-banner dialog button[value=yes]').click();
      await heard(`acquired ${uid}`);
      assert.equal(await holderOf(uid), 'anna');
      await page.close();
    });

    it('is told what was typed when the lock is lost', async () => {
      const [uid = ''] = newUids(1);
      const { page, get, inState, heard } = await open([uid], { open: uid });
      await inState('mine');
      await get('note').fill('half a sentence');
      const request = { sessionId: 'b', fromHolderOid: 'anna' };
      await server.rowlock.service.takeOver(person('ben'), record(uid), request);
      await inState('lost');
      await heard('lost half a sentence');
      await page.close();
    });

    it('lets go when the form is removed, and claims again when it is back', async () => {
      const [uid = ''] = newUids(1);
      const { page, get, inState } = await open([uid], { open: uid });
      await inState('mine');
      await get('close').click();
      await page.locator('lock-guard').waitFor({ state: 'detached' });
      await until('the lock is free', async () => (await holderOf(uid)) === undefined);
      await get(`open-${uid}`).click();
      await inState('mine');
      assert.equal(await holderOf(uid), 'anna');
      await page.close();
    });

    it('follows another record, and lets the last one go', async () => {
      const [one = '', two = ''] = newUids(2);
      const { page, get, inState, heard } = await open([one, two]);
      await get(`open-${one}`).click();
      await heard(`acquired ${one}`);
      await get(`open-${two}`).click();
      await heard(`acquired ${two}`);
      await inState('mine');
      await until('the first is free', async () => (await holderOf(one)) === undefined);
      assert.equal(await holderOf(two), 'anna');
      await get(`row-${two}`).getByText('You').waitFor();
      await page.close();
    });

    it('keeps the lock when it renders again (R14)', async () => {
      const [uid = ''] = newUids(1);
      const { page, calls, get, inState } = await open([uid], { open: uid });
      await inState('mine');
      const guard = await page.locator('lock-guard').elementHandle();
      for (let round = 1; round <= 3; round += 1) {
        await get('again').click();
        if (app !== 'htmx')
          await page
            .locator('output', { hasText: String(round) })
            .first()
            .waitFor();
      }
      if (app === 'htmx') await guard.waitForElementState('hidden');
      await inState('mine');
      assert.equal(await holderOf(uid), 'anna');
      // A real deadline would be a wait for nothing: a release, if there were one, would come before the next claim.
      await get('close').click();
      await until('the lock is free', async () => (await holderOf(uid)) === undefined);
      assert.deepEqual(
        calls.map((call) => call.split(' ')[0]),
        ['POST', 'DELETE'],
      );
      await page.close();
    });

    it('shows each row’s own holder when the list is drawn in another order', async () => {
      const uids = newUids(3);
      const [first = '', , last = ''] = uids;
      await ben.holds(first);
      const { page, get, inState } = await open(uids, { open: last });
      await inState('mine');
      const names = () => page.locator('tbody tr locked-by-cell bdi').allInnerTexts();
      await until('all are shown', async () => (await names()).join() === 'Ben Okafor,,You');
      await get('reverse').click();
      await until(
        'all are shown in the other order',
        async () => (await names()).join() === 'You,,Ben Okafor',
      );
      const marks = await page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-locked-by')));
      assert.deepEqual(marks, ['me', null, 'other']);
      await page.close();
    });

    it('gives a provider settings that are functions, by property', async () => {
      const [uid = ''] = newUids(1);
      await ben.holds(uid);
      const { page, get } = await open([uid], { second: 'ben' });
      await get('second').getByText('You').waitFor();
      await get(`row-${uid}`).getByText('Ben Okafor').waitFor();
      await page.close();
    });

    it('keeps the lock of a page that is left, where it says so (R27)', async () => {
      for (const keep of [true, false]) {
        const [uid = ''] = newUids(1);
        const { page, inState } = await open([uid], { open: uid, ...(keep && { keep: '' }) });
        await inState('mine');
        const expiresInMs = (await server.lockOf(uid))?.expiresInMs ?? 0;
        await page.goto('about:blank');
        // A page that lets go leaves a few seconds, for the case that it comes back.
        const isShort = async () => ((await server.lockOf(uid))?.expiresInMs ?? 0) < 10_000;
        if (keep) assert.equal((await isShort()) || expiresInMs < 60_000, false, 'the lock is kept');
        else await until('the lock is about to end', isShort);
        await page.close();
      }
    });

    it('works the same where the elements are registered after the page was drawn (R26, R28)', async () => {
      const [uid = '', other = ''] = newUids(2);
      await ben.holds(other);
      const { page, get, inState, heard } = await open([uid, other], { open: uid, late: '', keep: '' });
      await get('note').fill('before');
      assert.equal(await holderOf(uid), undefined);
      await page.evaluate('defineRowlock()');
      await inState('mine');
      await heard(`acquired ${uid}`);
      await get(`row-${other}`).getByText('Ben Okafor').waitFor();
      assert.equal(await get('note').inputValue(), 'before');
      const keep = await page
        .locator('lock-guard')
        .evaluate((guard) => String(Reflect.get(guard, 'releaseOnLeave')));
      assert.equal(keep, 'false', 'a boolean that was set as an attribute');
      await get(`open-${other}`).click();
      await heard('held Ben Okafor');
      await page.close();
    });

    it('had no error on its console', () => {
      assert.deepEqual(errors, []);
    });
  });
}
