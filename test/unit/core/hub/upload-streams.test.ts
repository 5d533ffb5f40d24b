import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFAULT_HUB_LIMITS,
  HubError,
  type HubMethods,
  type HubMethodOptions,
} from '../../../../core/index.ts';
import { ERROR_CLOSE, call, end, failure, item, note, result, streamCall } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const { maxUploadItems } = DEFAULT_HUB_LIMITS;

async function opened(methods: HubMethods) {
  const test = new TestHub({ methods });
  const client = await test.connect();
  return { connection: client.connection, timers: test.timers, client, wire: client.wire };
}

/** Reads its upload to the end and answers what was in it. */
const COLLECT: HubMethodOptions = {
  uploads: 1,
  async run({ uploads: [items = []] }) {
    const all: unknown[] = [];
    for await (const each of items) all.push(each);
    return all;
  },
};

const upload = (invocationId: string, target: string, ...streamIds: readonly string[]) => ({
  ...call(invocationId, target),
  streamIds,
});

const numbered = (id: string, count: number) => Array.from({ length: count }, (_, at) => item(id, at));

describe('the upload streams of a call', () => {
  it('are read item by item, to their end', async () => {
    const { client } = await opened({ Collect: COLLECT });
    client.say(upload('0', 'collect', '1'), item('1', 'a'), item('1', null));
    assert.deepEqual(await client.heard(), []);
    client.say(item('1', { c: 3 }), end('1'));
    assert.deepEqual(await client.heard(), [result('0', ['a', null, { c: 3 }])]);
  });

  it('come in the order of their ids, beside the arguments', async () => {
    const { client } = await opened({
      Both: {
        uploads: 2,
        async run({ uploads: [first = [], second = []] }, ...args) {
          const read: unknown[] = [];
          for await (const each of first) read.push(['first', each]);
          for await (const each of second) read.push(['second', each]);
          return [args, read];
        },
      },
    });
    client.say({ ...call('0', 'Both', 'arg'), streamIds: ['9', '4'] });
    client.say(item('4', 1), item('9', 2), end('4'), end('9'));
    assert.deepEqual(await client.heard(), [
      result('0', [
        ['arg'],
        [
          ['first', 2],
          ['second', 1],
        ],
      ]),
    ]);
  });

  it('keep the items that come before their method has its turn', async () => {
    let open = () => {};
    const { client } = await opened({
      Slow: () => new Promise<void>((resolve) => (open = resolve)),
      Collect: COLLECT,
    });
    client.say(call('0', 'Slow'), upload('1', 'Collect', '2'), item('2', 'early'), end('2'));
    await client.heard();
    open();
    assert.deepEqual(await client.heard(), [result('0', null), result('1', ['early'])]);
  });

  it('that end with an error throw a HubError of the client’s words, after the items before', async () => {
    const read: unknown[] = [];
    const { client } = await opened({
      Read: {
        uploads: 1,
        async run({ uploads: [items = []] }) {
          try {
            for await (const each of items) read.push(each);
          } catch (error) {
            read.push(error);
            throw error;
          }
        },
      },
    });
    client.say(upload('0', 'Read', '1'), item('1', 'a'), failure('1', 'disk full'), item('1', 'late'));
    assert.deepEqual(await client.heard(), [
      failure('0', "An unexpected error occurred invoking 'Read' on the server. HubException: disk full"),
    ]);
    assert.deepEqual(read, ['a', new HubError('disk full')]);
  });

  it('can be answered by a stream', async () => {
    const { client } = await opened({
      Doubled: {
        uploads: 1,
        answersStream: true,
        async *run({ uploads: [items = []] }) {
          for await (const each of items) yield 2 * Number(each);
        },
      },
    });
    client.say({ ...streamCall('0', 'Doubled'), streamIds: ['1'] }, item('1', 1));
    assert.deepEqual(await client.heard(), [item('0', 2)]);
    client.say(item('1', 2), end('1'));
    assert.deepEqual(await client.heard(), [item('0', 4), end('0')]);
  });

  it('that nobody knows are ignored, their items and their ends', async () => {
    const { client, connection, wire } = await opened({ Collect: COLLECT });
    client.say(...numbered('7', 50), end('7'), failure('8', 'no'));
    assert.deepEqual(await client.heard(), []);
    assert.equal(connection.isOpen, true);
    assert.equal(wire.isPaused, false);
  });

  it('are over for a reader whose client leaves: what it has is not everything', async () => {
    const caught: unknown[] = [];
    const { client, connection } = await opened({
      Read: {
        uploads: 1,
        async run({ uploads: [items = []] }) {
          try {
            for await (const each of items) caught.push(each);
            caught.push('complete');
          } catch (error) {
            caught.push(error);
          }
        },
      },
    });
    client.say(upload('0', 'Read', '1'), item('1', 'a'));
    await client.heard();
    connection.disconnected();
    await client.heard();
    assert.deepEqual(caught, ['a', new HubError('The connection was closed.')]);
  });

  it('cannot have an id that another one has: the second call is refused, and the first goes on', async () => {
    let calls = 0;
    const { client, connection } = await opened({
      Count: {
        ...COLLECT,
        run: async (given, ...args) => {
          calls += 1;
          return await COLLECT.run(given, ...args);
        },
      },
      Two: { uploads: 2, run: () => 1 },
      Echo: () => 'ok',
    });
    const words = (id: string) => `Stream ID '${id}' is already in use.`;
    client.say(upload('0', 'Count', '1'), upload('1', 'Count', '1'), upload('2', 'Two', '5', '5'));
    client.say({ ...streamCall('3', 'Count'), streamIds: ['1'] }, { ...note('Count'), streamIds: ['1'] });
    assert.deepEqual(await client.heard(), [
      failure('1', words('1')),
      failure('2', words('5')),
      failure('3', words('1')),
    ]);
    client.say(item('1', 'a'), end('1'), call('4', 'Echo'));
    assert.deepEqual(await client.heard(), [result('0', ['a']), result('4', 'ok')]);
    assert.equal(calls, 1);
    assert.equal(connection.isOpen, true);
  });

  it('may have the id of one that has ended, though its method still runs', async () => {
    let open = () => {};
    const { client } = await opened({
      CollectSlowly: {
        ...COLLECT,
        run: async (given) => {
          const all = await COLLECT.run(given);
          await new Promise<void>((resolve) => (open = resolve));
          return all;
        },
      },
      Collect: COLLECT,
    });
    client.say(upload('0', 'CollectSlowly', '1'), item('1', 'a'), end('1'), upload('2', 'Collect', '1'));
    client.say(item('1', 'b'));
    await client.heard();
    open();
    await client.heard();
    client.say(item('1', 'c'), end('1'));
    assert.deepEqual(await client.heard(), [result('2', ['b', 'c'])]);
  });
});

describe('an upload that is faster than its method', () => {
  it('is not read any further at ten items, and nothing is lost', async () => {
    let open = () => {};
    const { client, wire } = await opened({
      Slow: () => new Promise<void>((resolve) => (open = resolve)),
      Collect: COLLECT,
    });
    client.say(call('0', 'Slow'), upload('1', 'Collect', '2'), ...numbered('2', maxUploadItems - 1));
    assert.equal(wire.isPaused, false);
    client.say(item('2', maxUploadItems - 1));
    assert.equal(wire.isPaused, true);
    client.say(...numbered('2', 45).slice(maxUploadItems), end('2'));
    await client.heard();
    open();
    const [, answer] = await client.heard();
    assert.deepEqual(
      answer,
      result(
        '1',
        Array.from({ length: 45 }, (_, at) => at),
      ),
    );
    assert.equal(wire.isPaused, false);
  });

  it('is read again with every item that is taken', async () => {
    let take = () => {};
    const { client, wire } = await opened({
      Read: {
        uploads: 1,
        async run({ uploads: [items = []] }) {
          for await (const each of items) {
            await new Promise<void>((resolve) => (take = resolve));
            if (each === 'tenth') return;
          }
        },
      },
    });
    client.say(upload('0', 'Read', '1'), ...numbered('1', maxUploadItems));
    await client.heard();
    assert.equal(wire.isPaused, false, 'the method has one, nine wait');
    client.say(item('1', 'tenth'));
    assert.equal(wire.isPaused, true);
    take();
    await client.heard();
    assert.equal(wire.isPaused, false);
  });

  it('counts for no rate, at any speed', async () => {
    const { client, connection } = await opened({
      Count: {
        uploads: 1,
        async run({ uploads: [items = []] }) {
          let count = 0;
          for await (const each of items) count += each === undefined ? 0 : 1;
          return count;
        },
      },
    });
    client.say(upload('0', 'Count', '1'));
    for (let round = 0; round < 100; round += 1) {
      client.say(...numbered('1', 100));
      await client.heard();
    }
    client.say(end('1'));
    assert.deepEqual(await client.heard(), [result('0', 10_000)]);
    assert.equal(connection.isOpen, true);
  });

  it('is dropped with its method’s end: later items are ignored, and the client is read on', async () => {
    const { client, wire, connection } = await opened({
      Peek: { uploads: 1, run: () => 'enough' },
      Echo: (_, value) => value,
    });
    client.say(upload('0', 'Peek', '1'), ...numbered('1', 30), end('1'), call('2', 'Echo', 'still here'));
    assert.equal(wire.isPaused, true);
    assert.deepEqual(await client.heard(), [result('0', 'enough'), result('2', 'still here')]);
    assert.equal(wire.isPaused, false);
    assert.equal(connection.isOpen, true);
  });

  it('is not kept where its method wants none, or another number: nobody waits for it, and it counts', async () => {
    const { client, wire } = await opened({
      Slow: () => new Promise(() => {}),
      Collect: COLLECT,
      Plain: () => 1,
    });
    client.say(
      note('Slow'),
      upload('0', 'Plain', '1'),
      upload('2', 'Nowhere', '3'),
      upload('4', 'Collect', '5', '6'),
    );
    for (const id of ['1', '3', '5', '6']) client.say(...numbered(id, 900));
    await client.heard();
    assert.equal(wire.isPaused, false);
    client.say(...numbered('1', 4_000));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
  });

  it('is no way around the rate once it is over', async () => {
    const { client } = await opened({ Peek: { uploads: 1, run: () => 1 } });
    client.say(upload('0', 'Peek', '1'), end('1'));
    await client.heard();
    for (let count = 1; count <= 4_000; count += 1) client.say(item('1', 1));
    assert.deepEqual(await client.heard(), [ERROR_CLOSE]);
  });
});
