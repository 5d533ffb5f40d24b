import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchBareChromium } from '../support/bare-chromium.ts';
import { person, record, startPageStage } from '../support/page-stage.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 300_000;
/** What is jumped over at once: the time to the next renewal. */
const JUMP_MS = 2 * MINUTE_MS;

/**
 * A tab that is really hidden, whose timers Chromium throttles as it does for users (once a minute), with its grace of
 * five minutes shortened to ten seconds. Time is jumped over on both sides, two minutes at a time: what is left until
 * the renewal is the browser's own doing.
 */
describe('a hidden tab with throttled timers', () => {
  it('holds its lock, renewal by renewal, and nothing has happened to it when it is seen again (F7, R17)', async () => {
    const stage = await startPageStage();
    const chromium = await launchBareChromium([
      '--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/10',
    ]);
    try {
      const tab = await chromium.open(stage.page('anna', 'hidden'));
      const seen = () => tab.evaluate<string[]>('window.seen ?? []');
      await until('mine', async () => (await seen()).includes('acquired'), 60_000);
      await tab.evaluate(`{
        const { now } = Date;
        let skippedMs = 0;
        Date.now = () => now() + skippedMs;
        window.sleepFor = (ms) => (skippedMs += ms);
        window.ticks = [];
        setInterval(() => ticks.push(performance.now()), 5_000);
      }`);
      const front = await chromium.open(`${stage.url}/elsewhere`);
      await front.send('Page.bringToFront');
      await until('hidden', () => tab.evaluate<boolean>('document.hidden'), 15_000);
      await until(
        'timers that run once a minute',
        () => tab.evaluate<boolean>('ticks.some((tick, n) => tick - (ticks[n - 1] ?? tick) > 40_000)'),
        3 * MINUTE_MS,
      );

      // As the page counts them: time must not be jumped over while an answer is on its way.
      const renewals = () =>
        tab.evaluate<number>(
          `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/renew')).length`,
        );
      for (let round = 0; round < 2; round += 1) {
        const before = await renewals();
        stage.pass(JUMP_MS);
        await tab.evaluate(`sleepFor(${JUMP_MS})`);
        // One that was on its way when time was jumped over is not meant: it leaves less than a full lease.
        await until(
          'a renewal within the next minute, and a full lease again',
          async () => {
            const { locks } = await stage.rowlock.service.read(person('ben'), record('hidden'));
            assert.equal(locks[0]?.holderOid, 'anna');
            return (await renewals()) > before && locks[0].expiresInMs > LEASE_MS - MINUTE_MS;
          },
          MINUTE_MS + 10_000,
        );
      }
      await tab.send('Page.bringToFront');
      await until('seen again', () => tab.evaluate<boolean>('!document.hidden'), 15_000);
      assert.deepEqual(await seen(), ['acquired']);
    } finally {
      await chromium.close();
      await stage.stop();
    }
  });
});
