import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { HubMethodRun, HubOptions } from '../../../../core/index.ts';
import { collectedHeapBytes } from './collected-heap.ts';
import { call, cancel, end, streamCall } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

/** An open connection to a hub with one streaming method, `Stream`, and an ordinary one, `Echo`. */
async function opened(run: HubMethodRun, options: HubOptions = {}) {
  const test = new TestHub({
    methods: { Stream: { answersStream: true, run }, Echo: (_, value) => value },
    ...options,
  });
  const client = await test.connect();
  return { connection: client.connection, hub: test.hub, client, wire: client.wire };
}

describe('a stream whose client is slow', () => {
  it('waits for the wire, and goes on when that has drained', async () => {
    let made = 0;
    const { client, wire } = await opened(async function* () {
      for (; made < 1_000;) {
        made += 1;
        yield made;
      }
    });
    wire.bufferedBytes = 100;
    client.say(streamCall('0', 'Stream'));
    for (let turn = 0; turn < 50; turn += 1) await allDone();
    const first = made;
    assert.ok(first < 100, `${first} items were made for a client that takes none`);
    assert.equal((await client.heard()).length, first, 'what was made has been written');
    wire.drain();
    for (let turn = 0; turn < 100; turn += 1) await allDone();
    assert.equal(made, 1_000);
  });

  it('does not end its own connection by long items, whatever else is sent meanwhile', async () => {
    const { client, wire, hub } = await opened(
      async function* () {
        for (;;) yield 'x'.repeat(40_000);
      },
      { defer: setImmediate },
    );
    const { write } = wire;
    wire.write = (batch, protocol) => {
      write.call(wire, batch, protocol);
      wire.bufferedBytes += wire.writes.at(-1)?.bytes.length ?? 0;
    };
    client.say(streamCall('0', 'Stream'));
    for (let turn = 0; turn < 20; turn += 1) {
      for (let inner = 0; inner < 50; inner += 1) await allDone();
      assert.ok(wire.bufferedBytes > 0, 'the client has taken nothing yet');
      assert.ok(wire.bufferedBytes < 200_000, `${wire.bufferedBytes} bytes wait for the client`);
      hub.all().send('News');
      await client.heard();
      wire.drain();
    }
    assert.equal(client.connection.isOpen, true);
    client.connection.disconnected();
  });

  it('shares the pace with its connection’s other streams: sixty neither end it nor wait one by one', async () => {
    const { client, wire } = await opened(
      async function* () {
        for (let item = 0; item < 5; item += 1) yield 'x'.repeat(60_000);
      },
      { defer: setImmediate },
    );
    const { write, drained } = wire;
    let [waiters, mostWaiters, mostBytes] = [0, 0, 0];
    wire.write = (batch, protocol) => {
      write.call(wire, batch, protocol);
      wire.bufferedBytes += wire.writes.at(-1)?.bytes.length ?? 0;
      mostBytes = Math.max(mostBytes, wire.bufferedBytes);
    };
    wire.drained = async () => {
      waiters += 1;
      mostWaiters = Math.max(mostWaiters, waiters);
      await drained.call(wire);
      waiters -= 1;
    };
    const ids = Array.from({ length: 60 }, (_, at) => `${at}`);
    client.say(...ids.map((id) => streamCall(id, 'Stream')));
    const heard: { readonly type?: number; readonly invocationId?: string }[] = [];
    for (let turn = 0; turn < 2_000 && heard.filter(({ type }) => type === 3).length < 60; turn += 1) {
      heard.push(...((await client.heard()) as typeof heard));
      wire.drain();
    }
    assert.equal(client.connection.isOpen, true);
    for (const id of ids) {
      const types = heard.filter(({ invocationId }) => invocationId === id).map(({ type }) => type);
      assert.deepEqual(types, [2, 2, 2, 2, 2, 3]);
    }
    assert.ok(mostBytes < 200_000, `${mostBytes} bytes waited for the client`);
    assert.equal(mostWaiters, 1);
  });

  it('can be cancelled, and is over when its client leaves, while it waits', async () => {
    for (const how of ['cancel', 'leave'] as const) {
      let disposals = 0;
      const { client, connection, wire } = await opened(async function* () {
        try {
          for (let value = 0; ; value += 1) yield value;
        } finally {
          disposals += 1;
        }
      });
      wire.bufferedBytes = 100;
      client.say(streamCall('0', 'Stream'));
      await client.heard();
      if (how === 'cancel') client.say(cancel('0'));
      else connection.disconnected();
      assert.deepEqual(await client.heard(), how === 'cancel' ? [end('0')] : []);
      assert.equal(disposals, 1, how);
    }
  });
});

describe('a stream that never waits', () => {
  it('leaves the event loop to others', async () => {
    const most = 200_000;
    let made = 0;
    const { client, wire } = await opened(
      async function* () {
        for (; made < most; made += 1) yield made;
      },
      { defer: setImmediate },
    );
    client.say(streamCall('0', 'Stream'), call('1', 'Echo', 'still there'));
    for (let turn = 0; turn < 5; turn += 1) await allDone();
    assert.ok(made < most / 2, `${made} items were made before anybody else had a turn`);
    assert.ok(
      wire.messages.some((message) => JSON.stringify(message).includes('still there')),
      'the call was answered meanwhile',
    );
    client.say(cancel('0'));
    for (let turn = 0; turn < 5; turn += 1) await allDone();
    assert.deepEqual(wire.messages.at(-1), end('0'));
  });

  it('keeps nothing of what it has sent', async () => {
    let made = 0;
    const { client, wire } = await opened(
      async function* () {
        for (; ; made += 1) yield made;
      },
      { defer: setImmediate },
    );
    wire.write = () => {}; // what a recorded wire keeps is not the stream's
    client.say(streamCall('0', 'Stream'));
    while (made < 20_000) await allDone();
    const before = collectedHeapBytes();
    while (made < 220_000) await allDone();
    const perItem = (collectedHeapBytes() - before) / 200_000;
    client.say(cancel('0'));
    await client.heard();
    // A promise that waits for the cancellation, left behind with each item, would be 100 bytes and more.
    assert.ok(perItem < 10, `${perItem} bytes are left of each item`);
  });
});
