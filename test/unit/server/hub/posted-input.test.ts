import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PostedInput } from '../../../../server/hub/posted-input.ts';

describe('PostedInput', () => {
  it('takes one after the other, in the order in which they came', async () => {
    const input = new PostedInput();
    const log: string[] = [];
    let finishFirst = () => {};
    const first = input.inTurn(async () => {
      log.push('first');
      await new Promise<void>((resolve) => (finishFirst = resolve));
      log.push('first is through');
    });
    const second = input.inTurn(async () => void log.push('second'));
    await Promise.resolve();
    assert.deepEqual(log, ['first']);
    finishFirst();
    await Promise.all([first, second]);
    assert.deepEqual(log, ['first', 'first is through', 'second']);
  });

  it('one that fails tells its own request, and the next one is taken', async () => {
    const input = new PostedInput();
    await assert.rejects(
      input.inTurn(() => Promise.reject(new Error('broken'))),
      /broken/,
    );
    let isTaken = false;
    await input.inTurn(async () => void (isTaken = true));
    assert.equal(isTaken, true);
  });

  it('counts the requests that are not through, also those that fail', async () => {
    const input = new PostedInput();
    const [first, second] = [
      input.inTurn(async () => {}),
      input.inTurn(() => Promise.reject(new Error('no'))),
    ];
    assert.equal(input.waiting, 2);
    await first;
    assert.equal(input.waiting, 1);
    await assert.rejects(second, /no/);
    assert.equal(input.waiting, 0);
  });

  it('waits while the connection is not read, and no longer', async () => {
    const input = new PostedInput();
    await input.reading();
    input.pause();
    input.pause();
    let isReading = false;
    const reading = input.reading().then(() => (isReading = true));
    await Promise.resolve();
    assert.equal(isReading, false);
    input.resume();
    await reading;
    await input.reading();
  });
});
