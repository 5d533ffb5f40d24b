import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TIMING, FENCE_LIFETIME_MS, lockTiming } from '../../../core/index.ts';

describe('lockTiming', () => {
  it('gives a lease of five minutes, renewed every two', () => {
    assert.deepEqual(lockTiming(), { leaseMs: 300_000, renewEveryMs: 120_000 });
    assert.deepEqual(lockTiming({ leaseMs: 600_000 }), { ...DEFAULT_TIMING, leaseMs: 600_000 });
  });

  it('refuses a lease that a hidden tab cannot keep alive, naming both values and the least', () => {
    assert.throws(
      () => lockTiming({ leaseMs: 30_000, renewEveryMs: 10_000 }),
      (error: unknown) =>
        error instanceof RangeError &&
        error.message.includes('leaseMs (30000)') &&
        error.message.includes('renewEveryMs (10000)') &&
        error.message.includes('= 80000'),
    );
  });

  it('checks the relation against a default, too', () => {
    assert.throws(() => lockTiming({ renewEveryMs: 200_000 }), /leaseMs \(300000\).*renewEveryMs \(200000\)/);
  });

  it('takes the least lease, and refuses one millisecond less', () => {
    assert.equal(lockTiming({ leaseMs: 80_000, renewEveryMs: 10_000 }).leaseMs, 80_000);
    assert.throws(() => lockTiming({ leaseMs: 79_999, renewEveryMs: 10_000 }), RangeError);
  });

  it('refuses a lease that outlives the fence', () => {
    assert.throws(() => lockTiming({ leaseMs: FENCE_LIFETIME_MS }), /fence/);
    assert.equal(lockTiming({ leaseMs: FENCE_LIFETIME_MS - 1 }).leaseMs, FENCE_LIFETIME_MS - 1);
  });

  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuses ${value} for either, naming the option`, () => {
      assert.throws(() => lockTiming({ leaseMs: value }), /^RangeError: leaseMs: /);
      assert.throws(() => lockTiming({ renewEveryMs: value }), /^RangeError: renewEveryMs: /);
    });
  }
});
