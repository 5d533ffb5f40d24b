import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_HUB_LIMITS, Hub, hubLimits } from '../../../../core/index.ts';

describe('the limits of a hub', () => {
  it('have defaults, and each can be given', () => {
    assert.deepEqual(hubLimits(), DEFAULT_HUB_LIMITS);
    assert.deepEqual(hubLimits({ maxOpenCalls: 1 }), { ...DEFAULT_HUB_LIMITS, maxOpenCalls: 1 });
  });

  it('refuse what is no positive integer, and name it', () => {
    for (const value of [0, -1, 1.5, NaN, Infinity]) {
      for (const option of Object.keys(DEFAULT_HUB_LIMITS)) {
        assert.throws(
          () => hubLimits({ [option]: value }),
          new RangeError(`${option}: expected a positive integer, got ${value}.`),
        );
      }
    }
    assert.throws(() => new Hub({ limits: { maxMessageBytes: 0 } }), RangeError);
  });
});
