import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FENCE_LIFETIME_MS, changedSince, nextFence, storeLostFence } from '../../../core/index.ts';

const NOW = 1_700_000_000_000;

describe('nextFence', () => {
  it('is the time, and grows even where the clock does not', () => {
    assert.equal(nextFence(0, NOW), NOW);
    assert.equal(nextFence(NOW - 5, NOW), NOW);
    assert.equal(nextFence(NOW, NOW), NOW + 1);
    assert.equal(nextFence(NOW + 1_000, NOW), NOW + 1_001);
  });
});

describe('changedSince', () => {
  const young = NOW - FENCE_LIFETIME_MS + 1;
  const old = NOW - FENCE_LIFETIME_MS;
  const table: readonly (readonly [
    what: string,
    caller: number | undefined,
    stored: number,
    changed: boolean | null,
  ])[] = [
    ['a caller without a fence', undefined, NOW, null],
    ['a caller without a fence, where the store has none', undefined, 0, null],
    ['the fence that stands', NOW, NOW, false],
    ['a fence that was overtaken', NOW - 10, NOW, true],
    ['a fence that the store has not reached: it lost the last ones', NOW + 10, NOW, null],
    ['a young fence, where the store has none: it lost it', young, 0, null],
    ['an old fence, where the store has none: it ran out', old, 0, true],
    ['a fence from the future, where the store has none: never given out', NOW + 1, 0, true],
  ];
  for (const [what, caller, stored, changed] of table) {
    it(`says ${changed} for ${what}`, () => {
      assert.equal(changedSince(caller, stored, NOW), changed);
    });
  }
});

describe('storeLostFence', () => {
  it('is true for exactly the fences that must still be there', () => {
    assert.equal(storeLostFence(NOW - FENCE_LIFETIME_MS, NOW), false);
    assert.equal(storeLostFence(NOW - FENCE_LIFETIME_MS + 1, NOW), true);
    assert.equal(storeLostFence(NOW, NOW), true);
    assert.equal(storeLostFence(NOW + 1, NOW), false);
  });
});
