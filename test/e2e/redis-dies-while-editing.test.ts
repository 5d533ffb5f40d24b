import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setStage } from '../support/stage.ts';

/** Nobody waits longer than this for an answer, whatever state Redis is in. */
const LONGEST_ANSWER_MS = 1_000;
/** Back-off of the connection (1 s at most) and of the page, with headroom. */
const RECOVERY_MS = 30_000;

describe('redis-server dies while Anna edits', () => {
  const stage = setStage();

  it('saves on, warns, and is still hers when Redis comes back empty', async () => {
    const anna = await stage.open('anna', 'REQ-2041');
    await anna.inState('mine');
    const ben = await stage.open('ben', 'REQ-2041');
    await ben.inState('held');
    await anna.page.evaluate(() => Object.assign(window, { neverReloaded: true }));
    const answers: number[] = [];
    for (const { page } of [anna, ben]) {
      page.on('requestfinished', (request) => {
        if (new URL(request.url()).pathname.startsWith('/api/')) answers.push(request.timing().responseEnd);
      });
    }

    stage.redis.kill('SIGKILL');
    await anna.get('field-note').fill('Written while Redis is away');
    const saved = anna.page.waitForResponse((response) => response.request().method() === 'PUT');
    await anna.get('save').click();
    assert.equal((await saved).status(), 200, 'saving works');
    await stage.demo.printed(/Locks are open/, LONGEST_ANSWER_MS * 3);
    const stored = await stage.demo.call('anna', 'GET', '/api/requests/REQ-2041');
    assert.match(JSON.stringify(stored.body), /Written while Redis is away/);
    const direct = await stage.demo.call('anna', 'POST', '/api/locks/ApprovalRequest/REQ-2041/claim', {
      body: {},
    });
    assert.equal(direct.body['outcome'], 'unknown');
    assert.ok(direct.tookMs < LONGEST_ANSWER_MS, `a claim was answered after ${direct.tookMs} ms`);

    const renewed = anna.page.waitForResponse(
      async (response) => response.url().endsWith('/renew') && (await response.text()).includes('"acquired"'),
      { timeout: RECOVERY_MS },
    );
    await stage.redis.restart();
    await renewed;
    const { body } = await stage.demo.call('ben', 'GET', '/api/locks/ApprovalRequest/REQ-2041');
    assert.equal(body['store'], 'ok');
    assert.match(JSON.stringify(body['locks']), /Anna/, 'her page brought the lock back');
    await anna.inState('mine');
    assert.equal(
      await anna.page.evaluate(() => (window as unknown as { neverReloaded?: boolean }).neverReloaded),
      true,
      'without a reload',
    );
    assert.equal(await anna.get('field-note').inputValue(), 'Written while Redis is away');
    await ben.inState('held');
    assert.match(await ben.bannerText(), /Anna/);
    assert.ok(answers.length > 0);
    const worst = Math.max(...answers);
    console.log(`answers while Redis was away and after: ${answers.length}, worst ${Math.round(worst)} ms`);
    assert.ok(worst < LONGEST_ANSWER_MS, `the longest answer took ${worst} ms`);
    assert.deepEqual([...anna.errors, ...ben.errors], []);
    await ben.close();
    await anna.close();
  });
});
