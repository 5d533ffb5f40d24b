import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { Desk } from '../support/desk.ts';
import { startDemo, type DemoServer } from '../support/demo-server.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';

describe('a double click on Approve by the same user', () => {
  let redis: RedisServer;
  let demo: DemoServer;
  let browser: Browser;
  before(async () => {
    redis = await startRedis();
    [demo, browser] = await Promise.all([startDemo({ redisUrl: redis.url }), launchChromium()]);
  });
  after(async () => {
    await browser.close();
    await demo.stop();
    await redis.stop();
  });

  const decidesOnce = async (request: string) => {
    const anna = await Desk.open(browser, demo, 'anna', request);
    await anna.get('approve').waitFor();
    const answers: number[] = [];
    anna.page.on('response', (response) => {
      if (response.url().endsWith('/approve')) answers.push(response.status());
    });
    await anna.get('approve').dblclick();
    await anna
      .get('status')
      .filter({ hasText: /approved/i })
      .waitFor();
    assert.equal(
      answers.filter((status) => status === 200).length,
      1,
      `the page heard ${answers.join(', ')}`,
    );
    assert.deepEqual(anna.errors, []);
    await anna.close();
  };
  /** Two requests that arrive together, as from a page without a busy button. */
  const answersOnce = async (request: string) => {
    const path = `/api/requests/${request}/approve`;
    const both = await Promise.all([1, 2].map(() => demo.call('anna', 'POST', path, { body: {} })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(both.find(({ status }) => status === 409)?.body['code'], 'already-decided');
  };

  it('is one decision', async () => {
    await decidesOnce('REQ-2041');
    await answersOnce('REQ-2042');
  });

  it('is one decision while Redis is down', async () => {
    redis.kill('SIGKILL');
    await decidesOnce('REQ-2043');
    await answersOnce('REQ-2044');
  });
});
