import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import {
  bannerOf,
  inState,
  person,
  record,
  seenBy,
  sleepPage,
  startPageStage,
  withJumpingClock,
  type PageStage,
} from '../support/page-stage.ts';
import { until } from '../support/until.ts';

const LEASE_MS = 300_000;
const HOUR_MS = 3_600_000;
const GRACE_MS = 5_000;
/** So long a longest poll, 20 s, and more. */
const POLL_MS = 30_000;
const BENS = { sessionId: 'bens' };

describe('the life of a page', () => {
  let stage: PageStage;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  before(async () => {
    [stage, browser] = await Promise.all([
      startPageStage(),
      launchChromium({
        args: ['--host-resolver-rules=MAP intranet.test 127.0.0.1'],
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      }),
    ]);
  });
  after(async () => {
    await browser.close();
    await stage.stop();
  });
  afterEach(async () => {
    stage.mend();
    for (const context of contexts.splice(0)) await context.close();
  });

  const newContext = async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(15_000);
    await context.addInitScript('globalThis.__name ??= (target) => target');
    contexts.push(context);
    return context;
  };
  /** Opens a record as Anna. */
  const open = async (uid: string, { context, more }: { context?: BrowserContext; more?: string } = {}) => {
    const page = await (context ?? (await newContext())).newPage();
    await page.goto(stage.page('anna', uid, more));
    return page;
  };
  const holderOf = async (uid: string) => {
    const { locks } = await stage.rowlock.service.read(person('ben'), record(uid));
    return locks[0]?.holderOid;
  };
  const claimAsBen = (uid: string) => stage.rowlock.service.claim(person('ben'), record(uid), BENS);
  const releaseAsBen = (uid: string) => stage.rowlock.service.release(person('ben'), record(uid), BENS);
  const takeOverAsBen = (uid: string) =>
    stage.rowlock.service.takeOver(person('ben'), record(uid), { ...BENS, fromHolderOid: 'anna' });
  const callsOf = (uid: string) => stage.calls.filter(({ line }) => line.includes(`/${uid}`));
  const isConnected = async (page: Page) =>
    page.evaluate(
      () =>
        (
          window as unknown as { Rowlock: { defaultClient(): { connected: boolean } } }
        ).Rowlock.defaultClient().connected,
    );
  const connected = (page: Page, wanted = true) =>
    until(`connected: ${wanted}`, async () => (await isConnected(page)) === wanted, 15_000);

  /** By a click, as it were: Playwright's own ways of going wait for a load that a cached page does not have. */
  const leave = async (page: Page) => {
    await page.evaluate((to) => {
      location.href = to;
    }, `${stage.url}/elsewhere`);
    await page.waitForURL('**/elsewhere');
  };
  const goBack = (page: Page) =>
    page.evaluate(() => {
      history.back();
    });

  it('a closed tab lets go at once, by a request that says who it is and leaves time for a reload (F2, R18)', async () => {
    const page = await open('close');
    await inState(page, 'mine');
    await page.close({ runBeforeUnload: true });
    const { line, authorization } = await until('the release', () =>
      callsOf('close').find(({ line }) => line.startsWith('DELETE')),
    );
    assert.match(line, new RegExp(`graceMs=${GRACE_MS}`));
    assert.equal(authorization, 'Bearer anna');
    stage.pass(GRACE_MS + 1);
    assert.equal(await holderOf('close'), undefined);
  });

  it('two tabs: closing one never frees the other, nor does one that was duplicated (F21, R19)', async () => {
    const context = await newContext();
    const first = await open('tabs', { context });
    await inState(first, 'mine');
    await first.evaluate(() => sessionStorage.setItem('kept', 'yes'));
    const [second] = await Promise.all([
      context.waitForEvent('page'),
      first.evaluate(() => void window.open(location.href)),
    ]);
    await inState(second, 'mine');
    assert.equal(await second.evaluate(() => sessionStorage.getItem('kept')), 'yes', 'it is a duplicate');
    const sessions = callsOf('tabs').length;
    await second.close({ runBeforeUnload: true });
    await until('its release', () =>
      callsOf('tabs')
        .slice(sessions)
        .some(({ line }) => line.startsWith('DELETE')),
    );
    stage.pass(GRACE_MS + 1);
    assert.equal(await holderOf('tabs'), 'anna');
    assert.deepEqual(await seenBy(first), ['acquired']);
    await first.close({ runBeforeUnload: true });
    await until('the last release', async () => {
      stage.pass(GRACE_MS);
      return (await holderOf('tabs')) === undefined;
    });
  });

  it('signing out frees everything and says nothing more to the hub (F4)', async () => {
    const page = await open('sign-out');
    await inState(page, 'mine');
    await page.evaluate(() =>
      (
        window as unknown as { Rowlock: { defaultClient(): { signOut(): Promise<void> } } }
      ).Rowlock.defaultClient().signOut(),
    );
    assert.equal(await holderOf('sign-out'), undefined);
    await until('no connection', () => stage.rowlock.hub.connectionCount === 0);
    await inState(page, 'released');
  });

  it('shown again from the back/forward cache, it claims again; left for it, it had let go (F9, R18)', async () => {
    const page = await open('cached');
    await inState(page, 'mine');
    await connected(page);
    await page.locator('input').fill('typed');
    await leave(page);
    await until('the release', () => callsOf('cached').find(({ line }) => line.startsWith('DELETE')));
    stage.pass(GRACE_MS + 1);
    assert.equal(await holderOf('cached'), undefined);
    await goBack(page);
    await until('claimed again', async () => (await holderOf('cached')) === 'anna', 15_000);
    await inState(page, 'mine');
    assert.deepEqual(await seenBy(page), ['acquired', 'restored', 'acquired']);
    assert.equal(await page.locator('input').inputValue(), 'typed');
    await connected(page);
    await takeOverAsBen('cached');
    await inState(page, 'lost');
    await releaseAsBen('cached');
  });

  it('shown again from the back/forward cache while Ben has it, it is blocked and names him (F9, R18)', async () => {
    const page = await open('cached-held');
    await inState(page, 'mine');
    await page.locator('input').fill('typed');
    await leave(page);
    await until('the release', () => callsOf('cached-held').find(({ line }) => line.startsWith('DELETE')));
    stage.pass(GRACE_MS + 1);
    await claimAsBen('cached-held');
    await goBack(page);
    await inState(page, 'lost');
    assert.ok((await seenBy(page)).includes('restored'), 'it came from the cache');
    assert.match(await bannerOf(page), /Ben/);
    assert.equal(await page.locator('input').inputValue(), 'typed');
    await releaseAsBen('cached-held');
  });

  it('over plain HTTP in an intranet, without a secure context, all works the same (R19, R20)', async () => {
    const page = await (await newContext()).newPage();
    await page.goto(stage.page('anna', 'plain').replace('127.0.0.1', 'intranet.test'));
    await inState(page, 'mine');
    assert.deepEqual(
      await page.evaluate(() => [isSecureContext, typeof navigator.locks, typeof crypto.randomUUID]),
      [false, 'undefined', 'undefined'],
    );
    await connected(page);
    await takeOverAsBen('plain');
    await inState(page, 'lost');
    await page.close({ runBeforeUnload: true });
    await releaseAsBen('plain');
  });

  describe('a laptop sleeps past the lease (F8, R21)', () => {
    const asleep = async (uid: string) => {
      const context = await newContext();
      await withJumpingClock(context);
      const page = await open(uid, { context });
      await inState(page, 'mine');
      await connected(page);
      await page.locator('input').fill('typed before');
      stage.pass(HOUR_MS);
      return page;
    };

    it('free and unchanged: silently theirs again', async () => {
      const page = await asleep('sleep-free');
      await sleepPage(page, HOUR_MS);
      await until(
        'acquired again',
        async () => (await seenBy(page)).filter((name) => name === 'acquired').length === 2,
      );
      await inState(page, 'mine');
      assert.deepEqual(await seenBy(page), ['acquired', 'acquired']);
      assert.equal(await page.locator('input').inputValue(), 'typed before');
      assert.equal(await holderOf('sleep-free'), 'anna');
    });

    it('free, but somebody else had it: asks to reload', async () => {
      const page = await asleep('sleep-changed');
      stage.cut('hub');
      await claimAsBen('sleep-changed');
      await releaseAsBen('sleep-changed');
      await sleepPage(page, HOUR_MS);
      await page.locator('lock-banner').getByText('has changed since you opened it').waitFor();
      assert.equal(await page.locator('lock-guard:state(blocked)').count(), 1);
    });

    it('held by Ben: names him, and what was typed stays', async () => {
      const page = await asleep('sleep-held');
      stage.cut('hub');
      await claimAsBen('sleep-held');
      await sleepPage(page, HOUR_MS);
      await inState(page, 'lost');
      assert.match(await bannerOf(page), /Ben/);
      assert.equal(await page.locator('input').inputValue(), 'typed before');
      await releaseAsBen('sleep-held');
    });

    it('no event tells of it, and the first key waits for the answer: nothing is typed into a lost record', async () => {
      const page = await asleep('sleep-key');
      stage.cut('hub');
      await claimAsBen('sleep-key');
      await page.locator('input').focus();
      await page.evaluate((ms) => {
        (window as unknown as { sleepFor(ms: number): void }).sleepFor(ms);
      }, HOUR_MS);
      await page.keyboard.type('!');
      await inState(page, 'lost');
      assert.equal(await page.locator('input').inputValue(), 'typed before');
      await releaseAsBen('sleep-key');
    });
  });

  it('frozen and resumed past the lease, it asks at once (R17)', async () => {
    const context = await newContext();
    await withJumpingClock(context);
    const page = await open('frozen', { context });
    await inState(page, 'mine');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
    stage.pass(2 * LEASE_MS);
    await claimAsBen('frozen');
    await cdp.send('Page.setWebLifecycleState', { state: 'active' });
    await inState(page, 'lost');
    assert.match(await bannerOf(page), /Ben/);
    await releaseAsBen('frozen');
  });

  for (const hours of [24, -24]) {
    it(`a page whose clock is wrong by ${hours} h claims, waits and gets in as any other (F23)`, async () => {
      const context = await newContext();
      await withJumpingClock(context, hours * HOUR_MS);
      const uid = `clock${hours}`;
      await claimAsBen(uid);
      const page = await open(uid, { context });
      await inState(page, 'held');
      await connected(page);
      await page.locator('locked-by-cell').getByText('Ben').waitFor();
      await releaseAsBen(uid);
      await inState(page, 'mine');
      await page.locator('input').fill('typed');
      assert.deepEqual(await seenBy(page), ['held', 'acquired']);
    });
  }

  it('offline and online again: what was missed is there, and the lock was kept (F25)', async () => {
    const context = await newContext();
    const page = await open('offline', { context });
    await inState(page, 'mine');
    await connected(page);
    const waiting = await open('offline-2', { context });
    await inState(waiting, 'mine');
    const cdp = await context.newCDPSession(page);
    const network = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', { offline: true, ...network });
    // What is open stays open in the emulation: a network that is gone would break it.
    stage.cut('hub');
    await connected(page, false);
    await takeOverAsBen('offline');
    stage.mend();
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...network });
    await inState(page, 'lost');
    assert.match(await bannerOf(page), /Ben/);
    await releaseAsBen('offline');
    assert.equal(await holderOf('offline-2'), 'anna');
  });

  it('the hub is away, the API is not: grid and waiting form become right by polling', async () => {
    const context = await newContext();
    await withJumpingClock(context);
    await claimAsBen('polled');
    const page = await open('polled', { context });
    await inState(page, 'held');
    await connected(page);
    stage.cut('hub');
    await connected(page, false);
    await releaseAsBen('polled');
    await sleepPage(page, POLL_MS);
    await page.locator('lock-banner').getByText('has changed since you opened it').waitFor();
    await page.locator('locked-by-cell').getByText('You').waitFor();
  });

  it('the API is away, the hub is not: typing goes on inside the lease, and a take-over is heard (F12, F15)', async () => {
    const context = await newContext();
    await withJumpingClock(context);
    const page = await open('api-away', { context });
    await inState(page, 'mine');
    await connected(page);
    stage.cut('api');
    await sleepPage(page, 130_000);
    await page.locator('lock-banner').getByText('Reconnecting').waitFor();
    await page.locator('input').fill('typed meanwhile');
    await takeOverAsBen('api-away');
    await inState(page, 'lost');
    assert.match(await bannerOf(page), /Ben/);
    assert.equal(await page.locator('input').inputValue(), 'typed meanwhile');
    await releaseAsBen('api-away');
  });

  it('htmx swaps the form, the new one before the old one is gone: the lock is never let go (R14)', async () => {
    const page = await open('htmx');
    await inState(page, 'mine');
    await page.evaluate(async () => {
      const { htmx } = window as unknown as {
        htmx: { ajax(verb: string, path: string, how: object): Promise<void> };
      };
      for (let n = 0; n < 3; n += 1)
        await htmx.ajax('GET', '/fragment?uid=htmx', { target: 'lock-guard', swap: 'outerHTML' });
    });
    await inState(page, 'mine');
    // A release would come in the next turn, before the answer to a call that is made now.
    await page.evaluate(() => fetch('/elsewhere'));
    assert.deepEqual([...new Set(callsOf('htmx').map(({ line }) => line.split(' ')[0]))], ['POST']);
    assert.equal(await page.locator('lock-guard').count(), 1);
  });

  for (const way of ['append', 'moveBefore'] as const) {
    it(`an element that is moved by ${way} keeps its lock, and hears on (R14)`, async () => {
      const page = await open(`moved-${way}`);
      await inState(page, 'mine');
      await connected(page);
      await page.evaluate((method) => {
        const guard = document.querySelector('lock-guard') as Element;
        const there = document.querySelector('#elsewhere') as Element & {
          moveBefore(node: Node, before: null): void;
        };
        if (method === 'append') there.append(guard);
        else there.moveBefore(guard, null);
      }, way);
      await page.evaluate(() => fetch('/elsewhere'));
      const verbs = callsOf(`moved-${way}`).map(({ line }) => /claim|DELETE/.exec(line)?.[0]);
      assert.deepEqual(
        verbs.filter((verb) => verb !== undefined),
        ['claim'],
      );
      assert.deepEqual(await seenBy(page), ['acquired']);
      await takeOverAsBen(`moved-${way}`);
      await inState(page, 'lost');
      await releaseAsBen(`moved-${way}`);
    });
  }

  it('saving and staying on the form keeps the lock, and nothing is told as released (F10)', async () => {
    const page = await open('saved');
    await inState(page, 'mine');
    await connected(page);
    await stage.rowlock.hub.publish('acme', {
      ...record('saved'),
      operation: 'Updated',
      by: { oid: 'anna', name: 'Anna', kind: 'user' },
    });
    await takeOverAsBen('saved');
    await inState(page, 'lost');
    assert.deepEqual(await seenBy(page), ['acquired', 'lost'], 'heard in order: the save meant nothing');
    await releaseAsBen('saved');
  });

  it('idle: warned, let go, and silently theirs again when they come back (F19)', async () => {
    const page = await open('idle', { more: 'idle-after="1000"' });
    await inState(page, 'mine');
    await page.locator('input').fill('typed');
    await page.locator('lock-banner').getByText('Are you still editing').waitFor();
    await inState(page, 'released');
    assert.equal(await holderOf('idle'), undefined);
    // Not again while this looks at it.
    await page.locator('lock-guard').evaluate((guard) => guard.setAttribute('idle-after', '600000'));
    await page.keyboard.press('Shift');
    await inState(page, 'mine');
    assert.equal(await holderOf('idle'), 'anna');
    assert.equal(await page.locator('input').inputValue(), 'typed');
    assert.deepEqual((await seenBy(page)).slice(0, 3), ['acquired', 'released', 'acquired']);
  });
});
