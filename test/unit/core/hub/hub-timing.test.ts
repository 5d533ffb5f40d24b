import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_HUB_TIMING, Hub, hubTiming } from '../../../../core/index.ts';

describe('the timing of a hub', () => {
  it('is ASP.NET Core’s by default, and each part can be given', () => {
    assert.deepEqual(hubTiming(), DEFAULT_HUB_TIMING);
    assert.deepEqual(hubTiming({ pingEveryMs: 1_000 }), { ...DEFAULT_HUB_TIMING, pingEveryMs: 1_000 });
  });

  it('refuses a client timeout that a client pinging as often as the server cannot meet', () => {
    assert.throws(
      () => hubTiming({ pingEveryMs: 15_001 }),
      new RangeError('clientTimeoutMs (30000) must be at least 2 × pingEveryMs (15001).'),
    );
    assert.throws(() => new Hub({ timing: { clientTimeoutMs: 29_999 } }), RangeError);
    assert.equal(hubTiming({ pingEveryMs: 15_000, clientTimeoutMs: 30_000 }).handshakeTimeoutMs, 15_000);
  });

  it('refuses a heartbeat that is slower than one of the timers', () => {
    assert.throws(
      () => hubTiming({ heartbeatMs: 5_001 }),
      new RangeError('heartbeatMs (5001) must not be greater than closeTimeoutMs (5000).'),
    );
    assert.throws(() => hubTiming({ pingEveryMs: 999 }), /heartbeatMs \(1000\).*pingEveryMs \(999\)/);
    assert.equal(hubTiming({ heartbeatMs: 100, pingEveryMs: 100 }).heartbeatMs, 100);
  });

  it('refuses a heartbeat slower than a second, by which messages are counted', () => {
    const slow = { heartbeatMs: 1_001, closeTimeoutMs: 9_000 };
    assert.throws(() => hubTiming(slow), /heartbeatMs \(1001\) must not be greater than 1000/);
  });

  it('refuses what is no time, and names it', () => {
    // Timers take 31 bits: a longer one would end at once.
    for (const ms of [0, -1, NaN, Infinity, 2 ** 31]) {
      for (const option of Object.keys(DEFAULT_HUB_TIMING)) {
        assert.throws(
          () => hubTiming({ [option]: ms }),
          new RegExp(`^RangeError: (${option}|heartbeatMs)[: ]`),
        );
      }
    }
  });
});
