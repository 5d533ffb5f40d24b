import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setStage } from '../support/stage.ts';

const CLAIM_TIMEOUT_MS = 3_000;

describe('the lock API swallows every request', () => {
  const stage = setStage();

  it('the form opens with a notice within the claim timeout', async () => {
    const anna = await stage.open('anna', 'REQ-2041', async (context) => {
      // Neither answered nor refused: the request stays open, as behind a black hole.
      await context.route('**/api/locks/**', () => {});
    });
    await anna.guard.waitFor({ state: 'attached' });
    const begun = performance.now();
    await anna.inState('unknown');
    const tookMs = performance.now() - begun;
    console.log(`black-holed lock API: the form opened after ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < 3 * CLAIM_TIMEOUT_MS, `it took ${tookMs} ms`);
    assert.equal(await anna.isReachable('save'), true);
    assert.notEqual(await anna.bannerText(), '', 'a notice says so');
    await anna.get('field-note').fill('Without a lock');
    const saved = anna.page.waitForResponse((response) => response.request().method() === 'PUT');
    await anna.get('save').click();
    assert.equal((await saved).status(), 200);
    assert.deepEqual(anna.errors, []);
    await anna.close();
  });
});
