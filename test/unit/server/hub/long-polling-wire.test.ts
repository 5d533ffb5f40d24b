import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFAULT_HUB_TIMING,
  MessageBatch,
  OutgoingMessage,
  jsonHubProtocol,
} from '../../../../core/index.ts';
import { LongPollingWire } from '../../../../server/hub/long-polling-wire.ts';
import { PostedInput } from '../../../../server/hub/posted-input.ts';
import { FakeResponse } from './fake-response.ts';
import { FakeTimers } from '../../core/hub/fake-timers.ts';

const timing = { ...DEFAULT_HUB_TIMING, pollTimeoutMs: 90_000, disconnectTimeoutMs: 15_000 };

/** One connection's polls, as far as a client's GETs. */
class Polls {
  readonly timers = new FakeTimers();
  readonly input = new PostedInput();
  ends = 0;
  readonly wire = new LongPollingWire({
    input: this.input,
    timing,
    timers: this.timers,
    onEnd: () => (this.ends += 1),
  });

  poll(): FakeResponse {
    const response = new FakeResponse();
    this.wire.poll(response.asResponse);
    return response;
  }

  /** The first poll, answered. */
  activate(): this {
    this.poll().leave();
    return this;
  }

  send(...texts: readonly string[]): void {
    for (const text of texts) {
      this.wire.write(MessageBatch.empty().with(new OutgoingMessage(text)), jsonHubProtocol);
    }
  }
}

describe('LongPollingWire', () => {
  it('answers the first poll at once with nothing, also where messages wait', () => {
    const polls = new Polls();
    polls.send('a');
    const first = polls.poll();
    assert.deepEqual([first.status, first.body?.length], [200, 0]);
    assert.equal(first.headers['Content-Type'], 'text/plain');
    first.leave();
    assert.equal(polls.poll().body?.toString(), 'a');
  });

  it('holds a poll until there is a message; what came between polls goes together', () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    assert.equal(poll.isAnswered, false);
    polls.send('a');
    assert.equal(poll.body?.toString(), 'a');
    assert.equal(poll.headers['Content-Type'], 'application/octet-stream');
    assert.equal(poll.headers['Content-Length'], 1);
    polls.send('b', 'c');
    poll.leave();
    assert.equal(polls.poll().body?.toString(), 'bc');
  });

  it('no answer may be kept by a cache', () => {
    const polls = new Polls();
    const first = polls.poll();
    const superseded = polls.poll();
    const data = polls.poll();
    polls.send('a');
    data.leave();
    const late = polls.poll();
    polls.timers.advance(90_000);
    for (const { status, headers } of [first, superseded, data, late]) {
      assert.deepEqual(
        [headers['Cache-Control'], headers['Pragma'], headers['Expires']],
        ['no-cache, no-store', 'no-cache', 'Thu, 01 Jan 1970 00:00:00 GMT'],
        String(status),
      );
    }
  });

  it('a poll that hears nothing ends with 200 and nothing, a superseded one with 204', () => {
    const polls = new Polls().activate();
    const silent = polls.poll();
    polls.timers.advance(89_999);
    assert.equal(silent.isAnswered, false);
    polls.timers.advance(1);
    assert.deepEqual([silent.status, silent.body?.length], [200, 0]);
    silent.leave();
    const older = polls.poll();
    const newer = polls.poll();
    assert.equal(older.status, 204);
    assert.equal(newer.isAnswered, false);
    polls.send('a');
    assert.equal(newer.body?.toString(), 'a');
  });

  it('a close: first what waits, then 204, and only then it is over', () => {
    const polls = new Polls().activate();
    polls.send('last words');
    polls.wire.close();
    assert.equal(polls.ends, 0);
    const data = polls.poll();
    assert.deepEqual([data.status, data.body?.toString()], [200, 'last words']);
    data.leave();
    assert.equal(polls.ends, 0);
    assert.equal(polls.poll().status, 204);
    assert.equal(polls.ends, 1);
    assert.equal(polls.timers.pending, 0);
    assert.equal(polls.poll().status, 204);
  });

  it('a close while a poll waits ends it with 204', () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    polls.wire.close();
    assert.deepEqual([poll.status, polls.ends], [204, 1]);
  });

  it('last words whose answer broke off come again before the 204', () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    polls.send('last words');
    polls.wire.close();
    poll.breakOff();
    assert.equal(polls.poll().body?.toString(), 'last words');
  });

  it('who does not poll for 15 s is gone; an open poll is no such thing', () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    polls.timers.advance(60_000);
    assert.equal(polls.ends, 0);
    poll.breakOff();
    polls.timers.advance(14_999);
    assert.equal(polls.ends, 0);
    polls.timers.advance(1);
    assert.equal(polls.ends, 1);
    assert.equal(polls.timers.pending, 0);
  });

  it('who takes nothing of an answer either: the answer is broken off with it, and keeps no memory', () => {
    const polls = new Polls().activate();
    const stuck = polls.poll();
    polls.send('a');
    polls.timers.advance(15_000);
    assert.equal(polls.ends, 1);
    assert.equal(stuck.isClosed, true);
  });

  it('an answer that has left stays whole when the connection is cut off behind it', () => {
    const polls = new Polls().activate();
    const answered = polls.poll();
    polls.send('a');
    answered.writableFinished = true;
    polls.wire.abort();
    assert.equal(answered.isClosed, false);
  });

  it('a connection that is cut off answers its poll and lets go of everything, once', async () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    polls.wire.pause();
    polls.wire.abort();
    polls.wire.abort();
    await polls.input.reading();
    assert.deepEqual([poll.status, polls.ends, polls.timers.pending], [204, 1, 0]);
    polls.send('late');
    assert.equal(polls.wire.bufferedBytes, 0);
  });

  it('counts what waits and what was taken', async () => {
    const polls = new Polls().activate();
    polls.send('ab', 'c');
    assert.deepEqual([polls.wire.bufferedBytes, polls.wire.takenBytes], [3, 0]);
    let isDrained = false;
    const drained = polls.wire.drained().then(() => (isDrained = true));
    await Promise.resolve();
    assert.equal(isDrained, false);
    const poll = polls.poll();
    await drained;
    assert.deepEqual([polls.wire.bufferedBytes, polls.wire.takenBytes], [0, 0]);
    poll.leave();
    assert.equal(polls.wire.takenBytes, 3);
  });

  it('an answer that broke off gives its messages back, also where Node calls it finished', () => {
    for (const isCalledFinished of [false, true]) {
      const polls = new Polls().activate();
      const poll = polls.poll();
      polls.send('a');
      polls.send('b');
      poll.breakOff(isCalledFinished);
      assert.deepEqual([polls.wire.bufferedBytes, polls.wire.takenBytes], [2, 0]);
      assert.equal(polls.poll().body?.toString(), 'ab');
    }
  });

  it('who polls again before an answer has left gets its messages with the next one', () => {
    const polls = new Polls().activate();
    const poll = polls.poll();
    polls.send('a');
    const next = polls.poll();
    assert.equal(poll.isClosed, true);
    assert.equal(next.body?.toString(), 'a');
  });

  it('polls that break off at any moment lose nothing, repeat nothing, and keep the order (aspnet/SignalR#2700)', () => {
    const step = fc.constantFrom('send', 'send', 'poll', 'leave', 'breakOff', 'breakOffLate', 'pass');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const polls = new Polls().activate();
        const open: FakeResponse[] = [];
        let sent = 0;
        let heard = '';
        const leave = (response: FakeResponse) => {
          const hears = !response.isClosed && response.body !== null;
          response.leave();
          if (hears) heard += response.body?.toString() ?? '';
        };
        for (const name of steps) {
          const [response] = open;
          if (name === 'send') polls.send(`${(sent += 1)};`);
          else if (name === 'poll') open.push(polls.poll());
          else if (name === 'pass') polls.timers.advance(14_000);
          else if (response !== undefined) {
            if (name !== 'leave') response.breakOff(name === 'breakOffLate' && response.body !== null);
            else if (response.body !== null) leave(response);
            if (response.isClosed) open.shift();
          }
        }
        if (polls.ends > 0) return; // nobody polled for too long
        for (let at = 0; at < 3; at += 1) {
          for (const response of open.splice(0)) if (response.body !== null) leave(response);
          open.push(polls.poll());
        }
        const expected = Array.from({ length: sent }, (_, at) => `${at + 1};`).join('');
        assert.equal(heard, expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
