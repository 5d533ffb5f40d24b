import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { microClock } from '../../../core/index.ts';

describe('microClock', () => {
  it('counts microseconds from a clock of milliseconds, fractions included', () => {
    assert.equal(microClock(() => 1_000)(), 1_000_000);
    assert.equal(microClock(() => 1_000.5)(), 1_000_500);
  });

  it('never says the same twice while the clock stands still', () => {
    const clock = microClock(() => 5);
    assert.deepEqual([clock(), clock(), clock()], [5_000, 5_001, 5_002]);
  });

  it('never goes back when the clock does', () => {
    let nowMs = 10;
    const clock = microClock(() => nowMs);
    const before = clock();
    nowMs = 3;
    assert.equal(clock(), before + 1);
    nowMs = 20;
    assert.equal(clock(), 20_000);
  });
});
