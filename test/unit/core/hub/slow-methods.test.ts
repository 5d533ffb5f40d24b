import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_HUB_LIMITS, type HubMethods } from '../../../../core/index.ts';
import { ERROR_CLOSE, PING, call, cancel, end, item, note, result, streamCall } from './client-messages.ts';
import { gate } from './gate.ts';
import { TestHub } from './test-hub.ts';

async function opened(methods: HubMethods) {
  const test = new TestHub({ methods });
  const client = await test.connect();
  return { connection: client.connection, hub: test.hub, timers: test.timers, client, wire: client.wire };
}

describe('a client that calls faster than its methods run', () => {
  const { maxOpenCalls } = DEFAULT_HUB_LIMITS;

  it('is not read any further at a hundred open calls, and loses nothing', async () => {
    const { passed, open } = gate();
    const called: unknown[] = [];
    const { client, wire, connection } = await opened({
      Wait: async (_, number) => {
        called.push(number);
        await passed;
      },
    });
    const all = Array.from({ length: 3 * maxOpenCalls + 7 }, (_, number) => number);
    client.say(...all.slice(0, maxOpenCalls - 1).map((number) => note('Wait', number)));
    assert.equal(wire.isPaused, false);
    client.say(...all.slice(maxOpenCalls - 1).map((number) => note('Wait', number)));
    assert.equal(wire.isPaused, true);
    await client.heard();
    assert.deepEqual(called, [0]);
    open();
    await client.heard();
    assert.deepEqual(called, all);
    assert.equal(wire.isPaused, false);
    assert.equal(connection.isOpen, true);
  });

  it('is heard again as soon as one of them is done', async () => {
    const doors: (() => void)[] = [];
    const { client, wire } = await opened({
      Wait: () => new Promise<void>((resolve) => doors.push(resolve)),
    });
    client.say(...Array.from({ length: maxOpenCalls }, (_, index) => call(`${index}`, 'Wait')), note('Wait'));
    assert.equal(wire.isPaused, true);
    const before = wire.pauses;
    await client.heard();
    doors[0]?.();
    assert.deepEqual(await client.heard(), [result('0', null)]);
    assert.equal(wire.isPaused, true, 'the call that waited in the input has come in');
    assert.equal(wire.pauses, before + 1);
    doors[1]?.();
    await client.heard();
    assert.equal(wire.isPaused, false);
  });

  it('may ask for streams faster than they begin, and loses nothing', async () => {
    const { passed, open } = gate();
    const { client, wire } = await opened({
      Slow: () => passed,
      Stream: {
        answersStream: true,
        run: async function* () {
          yield 1;
        },
      },
    });
    const ids = Array.from({ length: 5 * maxOpenCalls }, (_, index) => String(index));
    client.say(note('Slow'), ...ids.map((id) => streamCall(id, 'Stream')));
    assert.deepEqual(await client.heard(), []);
    assert.equal(wire.isPaused, true);
    open();
    assert.equal((await client.heard()).length, 2 * ids.length);
    assert.equal(wire.isPaused, false);
  });

  it('is heard however many of its streams run, so that it can cancel them', async () => {
    const { client, wire, connection } = await opened({
      Stream: {
        answersStream: true,
        run: async function* ({ signal }) {
          yield 1;
          await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
        },
      },
    });
    const ids = Array.from({ length: 3 * maxOpenCalls }, (_, index) => String(index));
    client.say(...ids.map((id) => streamCall(id, 'Stream')));
    assert.equal((await client.heard()).length, ids.length);
    assert.equal(wire.isPaused, false);
    client.say(...ids.map((id) => cancel(id)));
    assert.deepEqual(
      await client.heard(),
      ids.map((id) => end(id)),
    );
    assert.equal(connection.isOpen, true);
  });

  it('is closed, and may come back, when a thousand of its streams run and it wants another', async () => {
    const { client, connection } = await opened({
      Stream: {
        answersStream: true,
        run: async function* () {
          yield await new Promise(() => {});
        },
      },
    });
    const ids = Array.from({ length: 10 * maxOpenCalls }, (_, index) => String(index));
    client.say(...ids.map((id) => streamCall(id, 'Stream')));
    await client.heard();
    assert.equal(connection.isOpen, true);
    client.say(streamCall('more', 'Stream'));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
  });

  it('is read on while the server waits for its answer, up to ten times as many', async () => {
    const { client, wire, connection } = await opened({
      Ask: ({ connection: asked }) => asked.invoke('Question'),
      Note: () => {},
    });
    client.say(call('0', 'Ask'));
    await client.heard();
    client.say(...Array.from({ length: 10 * maxOpenCalls - 1 }, () => note('Note')));
    assert.equal(wire.isPaused, false);
    assert.equal(connection.isOpen, true);
    client.say(note('Note'));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
  });

  it('is read on also when the server asks it only after it was not read any more', async () => {
    const { passed, open } = gate();
    let notes = 0;
    const { client, wire } = await opened({
      Ask: async ({ connection: asked }) => {
        await passed;
        return await asked.invoke('Question');
      },
      Note: () => void (notes += 1),
    });
    client.say(call('0', 'Ask'), ...Array.from({ length: 2 * maxOpenCalls }, () => note('Note')));
    client.say(result('s1', 'Answer'));
    await client.heard();
    assert.equal(wire.isPaused, true);
    open();
    assert.deepEqual(await client.heard(), [
      { type: 1, invocationId: 's1', target: 'Question', arguments: [] },
      result('0', 'Answer'),
    ]);
    assert.equal(notes, 2 * maxOpenCalls);
    assert.equal(wire.isPaused, false);
  });

  it('is not read again once the answer is here while it still is ahead', async () => {
    const { passed, open } = gate();
    const { client, wire } = await opened({
      Ask: async ({ connection: asked }) => {
        await asked.invoke('Question');
        await passed;
      },
      Note: () => {},
    });
    client.say(call('0', 'Ask'));
    await client.heard();
    client.say(...Array.from({ length: 2 * maxOpenCalls }, () => note('Note')));
    assert.equal(wire.isPaused, false);
    client.say(result('s1', null));
    assert.equal(wire.isPaused, true);
    open();
    await client.heard();
    assert.equal(wire.isPaused, false);
  });

  it('is closed beyond four thousand messages in a second, whatever they are, and may come back', async () => {
    for (const message of [PING, { type: 99 }, note('Nowhere'), cancel('1'), item('1', 1), end('1')]) {
      const { client, hub } = await opened({});
      for (let count = 1; count <= 4_000; count += 1) {
        client.say(message);
        if (count % 90 === 0) await Promise.resolve();
        if (count % 900 === 0) await client.heard();
      }
      assert.equal(client.connection.isOpen, true, JSON.stringify(message));
      await client.heard();
      client.say(message);
      assert.deepEqual(await client.heard(), [ERROR_CLOSE], JSON.stringify(message));
      assert.equal(hub.counts.broken, 1);
    }
  });

  it('may say two thousand things a second for as long as it likes', async () => {
    const { client, timers } = await opened({});
    for (let second = 0; second < 20; second += 1) {
      for (let count = 0; count < 2_000; count += 1) client.say(PING);
      timers.advance(1_000);
    }
    assert.equal(client.connection.isOpen, true);
  });
});
