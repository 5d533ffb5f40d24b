import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDotnet } from '../support/dotnet.ts';
import { until } from '../support/until.ts';
import { LEASE_MS, setForeignStage, type ForeignPage } from './foreign-stage.ts';

const DAY_MS = 86_400_000;
/** The `Date` header leaves out up to a second, a waiting form claims within 0.3 s, and the machine is busy. */
const LATE_BY_AT_MOST_MS = 1_000 + 300 + 2_000;

describe(
  'elements on a hub and an API in ASP.NET Core, by options alone',
  { skip: findDotnet().missing },
  () => {
    const stage = setForeignStage();

    it('one person edits, the other sees who, and nothing offers to take over', async () => {
      const anna = await stage.open('anna', 'REQ-1');
      await anna.inState('mine');
      await anna.note.fill('Anna types');
      const ben = await stage.open('ben', 'REQ-1');
      await ben.inState('held');
      await ben.says(/Anna Berger is editing this record/);
      await ben.says(/Free by .* unless Anna Berger continues/);
      await assert.rejects(ben.note.click({ timeout: 300 }), 'the form is out of reach');
      assert.equal(await ben.button('Take over').count(), 0, 'the backend knows no take-over');
      const grid = await stage.open('ben', 'REQ-1', { show: 'grid' });
      await grid.cell.getByText('Anna Berger').waitFor();
      assert.equal(await grid.page.locator('tr').getAttribute('data-locked-by'), 'other');
      const own = await stage.open('anna', 'REQ-1', { show: 'grid' });
      await own.cell.getByText('You').waitFor();
      await ended(anna, ben, grid, own);
    });

    it('the grid hears of a lock and of its end by the hub of the application', async () => {
      const grid = await stage.open('ben', 'REQ-2', { show: 'grid' });
      const socket = await grid.connected;
      const told = (what: string) =>
        socket.waitForEvent('framereceived', {
          predicate: ({ payload }) => String(payload).includes(`"what":"${what}"`),
          timeout: LEASE_MS,
        });
      const locked = told('locked');
      const anna = await stage.open('anna', 'REQ-2');
      await locked;
      await grid.cell.getByText('Anna Berger').waitFor();
      await Promise.all([told('unlocked'), release(anna)]);
      await until('an empty cell', async () => (await grid.cell.innerText()) === '');
      assert.equal(await grid.page.locator('tr').getAttribute('data-locked-by'), null);
      await ended(anna, grid);
    });

    it('a form that waited asks to reload, since nothing says whether its data is old', async () => {
      const anna = await stage.open('anna', 'REQ-3');
      await anna.inState('mine');
      const ben = await stage.open('ben', 'REQ-3');
      await ben.inState('held');
      await ben.connected;
      await release(anna);
      await ben.says(/This record has changed since you opened it/);
      await ben.guard.and(ben.page.locator(':state(mine):state(blocked)')).waitFor({ state: 'attached' });
      await saveAs(anna, 409);
      await Promise.all([ben.page.waitForEvent('load'), ben.button('Reload').click()]);
      await ben.inState('mine');
      await ben.note.fill('Ben types');
      await ended(anna, ben);
    });

    it('whoever claims before loading goes on with what the other has saved, without a reload', async () => {
      const anna = await stage.open('anna', 'REQ-4', { claimThenLoad: true });
      await anna.inState('mine');
      const ben = await stage.open('ben', 'REQ-4', { claimThenLoad: true });
      await ben.inState('held');
      await ben.connected;
      await ben.page.evaluate('window.neverReloaded = true');
      await anna.note.fill('Saved by Anna');
      await saveAs(anna, 204);
      await release(anna);
      await ben.inState('mine');
      assert.equal(await ben.note.inputValue(), 'Saved by Anna');
      assert.equal(await ben.page.evaluate('window.neverReloaded'), true);
      await ended(anna, ben);
    });

    it('a lock lives as long as it is renewed, and nobody else sees it end, though the hub is silent about renewals', async () => {
      const anna = await stage.open('anna', 'REQ-5');
      await anna.inState('mine');
      const [ben, grid] = [
        await stage.open('ben', 'REQ-5'),
        await stage.open('ben', 'REQ-5', { show: 'grid' }),
      ];
      await ben.inState('held');
      await grid.cell.getByText('Anna Berger').waitFor();
      await grid.page.evaluate(`window.seen = new Set();
      new MutationObserver(() => seen.add(cell.textContent))
        .observe(window.cell = document.querySelector('locked-by-cell').shadowRoot, { childList: true, subtree: true });`);
      await ben.page.evaluate(`window.seen = new Set();
      document.addEventListener('lock-statechange', ({ detail }) => seen.add(detail.state));`);
      const since = performance.now();
      let renewals = 0;
      anna.page.on('response', (response) => {
        if (response.request().method() === 'PUT' && response.status() === 200) renewals += 1;
      });
      await until(
        'two leases',
        () => performance.now() - since > 1.6 * LEASE_MS && renewals >= 3,
        3 * LEASE_MS,
      );
      assert.deepEqual(await ben.page.evaluate('[...seen]'), [], 'the form waits all the time');
      assert.deepEqual(await grid.page.evaluate('[...seen].filter((text) => text === "")'), []);
      assert.equal(await grid.cell.innerText(), 'Anna Berger');
      await anna.inState('mine');
      await ended(anna, ben, grid);
    });

    it('F1, F23: when the holder is gone, the lock ends by the timer of the waiting page, whatever its clock says', async () => {
      await Promise.all(
        [0, DAY_MS, -DAY_MS].map(async (clockOffMs) => {
          const request = `REQ-6-${clockOffMs}`;
          const anna = await stage.open('anna', request);
          await anna.inState('mine');
          const ben = await stage.open('ben', request, { claimThenLoad: true, clockOffMs });
          await ben.inState('held');
          const heard: string[] = [];
          const socket = await ben.connected;
          socket.on('framereceived', ({ payload }) => heard.push(String(payload)));
          await anna.close();
          const since = performance.now();
          await ben.inState('mine');
          const tookMs = performance.now() - since;
          assert.ok(tookMs < LEASE_MS + LATE_BY_AT_MOST_MS, `open after ${tookMs} ms`);
          const others = heard.filter(
            (text) => text.includes('EntityChanged') && text.includes(request) && !text.includes('"ben"'),
          );
          assert.deepEqual(others, [], 'no message told of it');
          await ended(ben);
        }),
      );
    });
  },
);

/** Lets go by the guard's own method. */
async function release({ page }: ForeignPage): Promise<void> {
  await page.evaluate(`document.querySelector('lock-guard').release()`);
}

/** Saves the form's text through the application's own API. */
async function saveAs({ page }: ForeignPage, status: number): Promise<void> {
  const [response] = await Promise.all([
    page.waitForResponse((heard) => heard.request().method() === 'PUT' && !heard.url().endsWith('/lock')),
    page.evaluate(`document.querySelector('form').requestSubmit()`),
  ]);
  assert.equal(response.status(), status);
}

async function ended(...pages: readonly ForeignPage[]): Promise<void> {
  for (const page of pages) {
    assert.deepEqual(page.errors, []);
    await page.close();
  }
}
