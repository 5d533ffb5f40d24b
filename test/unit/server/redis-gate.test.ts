import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailable, type Timers } from '../../../core/index.ts';
import { RedisGate, type RedisMoment } from '../../../server/redis/redis-gate.ts';
import { DEADLINE_MS, PATIENCE_MS, PAUSE_MS } from '../../../server/redis/redis-settings.ts';

/** A clock and its timers, moved by hand. */
class FakeTime implements Timers {
  nowMs = 1_000;
  #timers = new Map<number, { readonly dueMs: number; readonly run: () => void }>();
  #last = 0;

  set(run: () => void, delayMs: number): unknown {
    this.#last += 1;
    this.#timers.set(this.#last, { dueMs: this.nowMs + delayMs, run });
    return this.#last;
  }

  clear(timer: unknown): void {
    this.#timers.delete(timer as number);
  }

  get pending(): number {
    return this.#timers.size;
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (const [id, { dueMs, run }] of [...this.#timers]) {
      if (dueMs > this.nowMs) continue;
      this.#timers.delete(id);
      run();
    }
    await settle();
  }
}

/** As much of a connection as the gate looks at. Redis' clock is ahead by `aheadMs`. */
class FakeRedis {
  status = 'ready';
  aheadMs = 5_000;
  timeCalls = 0;
  answersTime = true;
  readonly #time: FakeTime;
  readonly #listeners: { readonly event: string; readonly listener: (error: Error) => void }[] = [];

  constructor(time: FakeTime) {
    this.#time = time;
  }

  on(event: string, listener: (error: Error) => void): void {
    this.#listeners.push({ event, listener });
  }

  off(event: string, listener: (error: Error) => void): void {
    const at = this.#listeners.findIndex((known) => known.event === event && known.listener === listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  emit(event: string, error = new Error('none')): void {
    for (const known of this.#listeners) if (known.event === event) known.listener(error);
  }

  get nowMs(): number {
    return this.#time.nowMs + this.aheadMs;
  }

  time(): Promise<readonly string[]> {
    this.timeCalls += 1;
    if (!this.answersTime) return new Promise(() => {});
    const ms = this.nowMs;
    return Promise.resolve([String(Math.floor(ms / 1_000)), String((ms % 1_000) * 1_000)]);
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = () => new Promise<never>(() => {});

describe('RedisGate', () => {
  let time: FakeTime;
  let redis: FakeRedis;
  let gate: RedisGate;
  const unavailable =
    (message: RegExp, setupFault = false) =>
    (error: unknown) =>
      error instanceof StoreUnavailable && message.test(error.message) && error.setupFault === setupFault;
  const reply = (status = 'acquired') => Promise.resolve({ status, at: redis.nowMs * 1_000 });

  beforeEach(async () => {
    time = new FakeTime();
    redis = new FakeRedis(time);
    gate = new RedisGate({ redis, timers: time, now: () => time.nowMs });
    redis.emit('ready');
    await settle();
  });

  it('reads Redis’ clock on every ready', async () => {
    assert.equal(redis.timeCalls, 1);
    assert.equal(gate.nowMicros(), redis.nowMs * 1_000);
    redis.aheadMs = -7_000;
    redis.emit('ready');
    await settle();
    assert.equal(redis.timeCalls, 2);
    assert.equal(gate.nowMicros(), redis.nowMs * 1_000);
  });

  it('gives each call Redis’ time, and a deadline by Redis’ clock', async () => {
    let given: RedisMoment | undefined;
    await gate.run(async (moment) => {
      given = moment;
    });
    assert.deepEqual(given, { nowMs: redis.nowMs, deadlineMs: redis.nowMs + DEADLINE_MS });
  });

  it('Redis stops acting before the caller stops waiting', () => {
    assert.equal(Math.min(DEADLINE_MS, PATIENCE_MS), DEADLINE_MS);
    assert.notEqual(DEADLINE_MS, PATIENCE_MS);
  });

  it('sends in the caller’s own turn, so that calls keep their order', () => {
    const sent: number[] = [];
    for (const at of [1, 2, 3]) {
      void gate.run(async () => {
        sent.push(at);
      });
    }
    assert.deepEqual(sent, [1, 2, 3]);
  });

  it('refuses at once unless the connection is ready', async () => {
    redis.status = 'reconnecting';
    let sent = 0;
    await assert.rejects(
      gate.run(async () => (sent += 1)),
      unavailable(/reconnecting/),
    );
    assert.equal(sent, 0);
    assert.equal(time.pending, 0);
  });

  it('says why the connection is not ready: the words of its last error', async () => {
    redis.status = 'reconnecting';
    redis.emit('error', new Error('connect ECONNREFUSED 127.0.0.1:6379'));
    await assert.rejects(gate.run(never), unavailable(/ECONNREFUSED/));
    redis.emit('error', new Error('NOAUTH Authentication required.'));
    await assert.rejects(gate.run(never), unavailable(/NOAUTH/, true));
    redis.emit('error', new AggregateError([new Error('connect ECONNREFUSED ::1:6379')]));
    await assert.rejects(gate.run(never), unavailable(/ECONNREFUSED ::1/));
    redis.status = 'ready';
    redis.emit('ready');
    redis.status = 'reconnecting';
    await assert.rejects(gate.run(never), unavailable(/reconnecting/));
  });

  it('says why a connection was closed under a call', async () => {
    redis.emit('error', new Error('WRONGPASS invalid username-password pair'));
    const closed = gate.run(() => Promise.reject(new Error('Connection is closed.')));
    await assert.rejects(closed, unavailable(/WRONGPASS/, true));
  });

  it('gives up after its patience, and asks nothing for a second after a silence', async () => {
    const silent = gate.run(never);
    const rejected = assert.rejects(silent, unavailable(/did not answer within 500 ms/));
    await time.pass(PATIENCE_MS - 1);
    assert.equal(time.pending, 1);
    await time.pass(1);
    await rejected;
    let sent = 0;
    const send = async () => (sent += 1);
    await time.pass(PAUSE_MS - 1);
    await assert.rejects(gate.run(send), unavailable(/a moment ago/));
    await time.pass(1);
    await gate.run(send);
    assert.equal(sent, 1);
  });

  it('takes a command that timed out for a silence, too', async () => {
    await assert.rejects(
      gate.run(() => Promise.reject(new Error('Command timed out'))),
      unavailable(/timed out/),
    );
    await assert.rejects(gate.run(never), unavailable(/a moment ago/));
  });

  it('takes a call that a cluster led nowhere for a silence, too: its master is gone', async () => {
    for (const last of ['Connection is closed.', 'ReplyError: MOVED 4748 127.0.0.1:7506']) {
      redis.emit('ready');
      await settle();
      const error = new Error(`Too many Cluster redirections. Last error: ${last}`);
      const misled = () =>
        assert.rejects(
          gate.run(() => Promise.reject(error)),
          unavailable(/redirections/),
        );
      await misled(); // once may be a slot that is under way
      await misled();
      await assert.rejects(gate.run(never), unavailable(/a moment ago/));
      await time.pass(PAUSE_MS);
      assert.equal(await gate.run(async () => 'sent'), 'sent');
    }
  });

  it('a slot that is under way is no silence: its other keys are answered', async () => {
    for (const last of ['TRYAGAIN Multiple keys', 'ASK 8259 127.0.0.1:7506', 'MOVED 8259 127.0.0.1:7506']) {
      const error = new Error(`Too many Cluster redirections. Last error: ReplyError: ${last}`);
      await assert.rejects(
        gate.run(() => Promise.reject(error)),
        unavailable(/redirections/),
      );
      assert.equal(await gate.run(async () => 'sent'), 'sent');
    }
  });

  it('takes no stall of its own process for a silence: the next call goes through', async () => {
    const call = gate.run(() => new Promise(() => {}));
    const failure = assert.rejects(call, StoreUnavailable);
    await time.pass(PATIENCE_MS + 1_000);
    await failure;
    assert.equal(await gate.run(() => Promise.resolve('answered')), 'answered');
    const timedOut = gate.run(async () => {
      await time.pass(PATIENCE_MS + 1_000);
      throw new Error('Command timed out');
    });
    await assert.rejects(timedOut, StoreUnavailable);
    assert.equal(await gate.run(() => Promise.resolve('answered')), 'answered');
  });

  it('ends the pause when a new connection is ready', async () => {
    await assert.rejects(gate.run(() => Promise.reject(new Error('Command timed out'))));
    redis.emit('ready');
    await settle();
    assert.equal(await gate.run(async () => 'answered'), 'answered');
  });

  it('a refusal is no silence: the next call goes through', async () => {
    await assert.rejects(
      gate.run(() => Promise.reject(new Error('OOM command not allowed'))),
      unavailable(/OOM/),
    );
    assert.equal(await gate.run(async () => 'answered'), 'answered');
  });

  it('waits for the clock where it is not known yet, within the same patience', async () => {
    redis.answersTime = false;
    redis.emit('ready');
    let sent = 0;
    const call = gate.run(async () => (sent += 1));
    const rejected = assert.rejects(call, unavailable(/did not answer/));
    await time.pass(PATIENCE_MS);
    await rejected;
    assert.equal(sent, 0);
  });

  it('never sends what could be carried out after the caller has given up', async () => {
    redis.answersTime = false;
    redis.emit('ready');
    let answerTime = () => {};
    redis.time = () => new Promise((resolve) => (answerTime = () => resolve(['6', '0'])));
    redis.emit('ready');
    let sent = 0;
    const rejected = assert.rejects(
      gate.run(async () => (sent += 1)),
      unavailable(/no time left/),
    );
    await time.pass(DEADLINE_MS);
    answerTime();
    await rejected;
    assert.equal(sent, 0);
  });

  it('late ⇒ corrects the clock and tries once more, with a deadline that Redis can meet', async () => {
    redis.aheadMs = 60_000;
    const deadlines: number[] = [];
    const result = await gate.runScript(({ deadlineMs }) => {
      deadlines.push(deadlineMs);
      return reply(redis.nowMs > deadlineMs ? 'late' : 'acquired');
    });
    assert.equal(result.status, 'acquired');
    assert.deepEqual(deadlines, [time.nowMs + 5_000 + DEADLINE_MS, redis.nowMs + DEADLINE_MS]);
  });

  it('late twice ⇒ unavailable', async () => {
    let calls = 0;
    const call = gate.runScript(() => {
      calls += 1;
      return reply('late');
    });
    await assert.rejects(call, unavailable(/too late/));
    assert.equal(calls, 2);
  });

  it('late after a real delay ⇒ no second try: there is no time left for it', async () => {
    let calls = 0;
    let answer = () => {};
    const call = gate.runScript(() => {
      calls += 1;
      return new Promise<{ status: string; at: number }>((resolve) => {
        answer = () => resolve({ status: 'late', at: redis.nowMs * 1_000 });
      });
    });
    const rejected = assert.rejects(call, unavailable(/no time left/));
    await time.pass(DEADLINE_MS + 10);
    answer();
    await rejected;
    assert.equal(calls, 1);
  });

  it('follows the clock of the replies, and never takes it to be ahead of what it is', async () => {
    const realAheadMs = redis.aheadMs;
    await gate.runScript(async () => {
      const sentAt = redis.nowMs * 1_000;
      await time.pass(30); // the way back
      return { status: 'acquired', at: sentAt };
    });
    const believedAheadMs = gate.nowMicros() / 1_000 - time.nowMs;
    assert.equal(believedAheadMs <= realAheadMs && believedAheadMs >= realAheadMs - 30, true);
  });

  it('lets go of its connection when it is stopped', async () => {
    gate.stop();
    redis.status = 'reconnecting';
    redis.emit('error', new Error('connect ECONNREFUSED'));
    redis.emit('ready');
    assert.equal(redis.timeCalls, 1);
    await assert.rejects(gate.run(never), unavailable(/reconnecting/));
  });

  it('leaves no timer behind', async () => {
    await gate.run(async () => 'answered');
    await assert.rejects(gate.run(() => Promise.reject(new Error('READONLY'))));
    assert.equal(time.pending, 0);
  });
});
