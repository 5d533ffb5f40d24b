import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setStage } from '../support/stage.ts';

describe('a double click on Approve by the same user', () => {
  const stage = setStage();

  const decidesOnce = async (request: string) => {
    const anna = await stage.open('anna', request);
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
  const answersOnce = async (request: string, codes: RegExp) => {
    const path = `/api/requests/${request}/approve`;
    const both = await Promise.all([1, 2].map(() => stage.demo.call('anna', 'POST', path, { body: {} })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.match(String(both.find(({ status }) => status === 409)?.body['code']), codes);
  };

  it('is one decision', async () => {
    await decidesOnce('REQ-2041');
    // The guard refuses a second one beside the first; the application's own state check one that comes after it.
    await answersOnce('REQ-2042', /^(write-in-progress|already-decided)$/);
  });

  it('is one decision while Redis is down', async () => {
    stage.redis.kill('SIGKILL');
    await decidesOnce('REQ-2043');
    // No lock then: the state check alone.
    await answersOnce('REQ-2044', /^already-decided$/);
  });
});
