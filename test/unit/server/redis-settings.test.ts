import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reconnectIfDemoted } from '../../../server/redis/redis-settings.ts';

describe('a Redis that was demoted', () => {
  it('is left at once, and not with every refused write: lists go on meanwhile', () => {
    const refusal = new Error("READONLY You can't write against a read only replica.");
    const asked = Array.from({ length: 100 }, () => reconnectIfDemoted(refusal));
    assert.deepEqual(
      asked.map((answer, index) => (index === 0 ? answer === 1 : answer === false)),
      asked.map(() => true),
    );
  });

  it('is not what other refusals tell of', () => {
    assert.equal(reconnectIfDemoted(new Error('OOM command not allowed')), false);
  });
});
