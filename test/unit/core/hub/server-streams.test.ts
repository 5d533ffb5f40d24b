import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { HubError, type CallSignal, type HubMethodRun, type HubOptions } from '../../../../core/index.ts';
import { call, cancel, end, failure, item, result, streamCall } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const FAILED = 'An error occurred on the server while streaming results.';

/** An open connection to a hub with one streaming method, `Stream`, and an ordinary one, `Echo`. */
async function opened(run: HubMethodRun, options: HubOptions = {}) {
  const test = new TestHub({
    methods: { Stream: { answersStream: true, run }, Echo: (_, value) => value },
    ...options,
  });
  const client = await test.connect();
  return { connection: client.connection, hub: test.hub, log: test.log, client, wire: client.wire };
}

/** Items that a test hands out one by one. */
function handed() {
  let give: (value: number) => void = () => {};
  let disposals = 0;
  const next = () => new Promise<number>((resolve) => (give = resolve));
  async function* items() {
    try {
      while (true) yield await next();
    } finally {
      disposals += 1;
    }
  }
  return {
    items,
    give: async (value: number) => {
      give(value);
      await allDone();
    },
    get disposals() {
      return disposals;
    },
  };
}

describe('the streams that a client asks for', () => {
  it('are their items, and an end without a result', async () => {
    const { client } = await opened(async function* (_, from) {
      for (let value = Number(from); value > 0; value -= 1) yield { value };
      return 'never told';
    });
    client.say(streamCall('7', 'stream', 2), streamCall('8', 'Stream', 0));
    const heard = await client.heard();
    assert.deepEqual(
      heard.filter((message) => JSON.stringify(message).includes('"7"')),
      [item('7', { value: 2 }), item('7', { value: 1 }), end('7')],
    );
    assert.deepEqual(
      heard.filter((message) => JSON.stringify(message).includes('"8"')),
      [end('8')],
    );
  });

  it('may be any async iterable, and come from a method that waits first', async () => {
    const { client } = await opened(async () => {
      await allDone();
      let left = 2;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve(left > 0 ? { value: left-- } : { done: true, value: undefined }),
        }),
      };
    });
    client.say(streamCall('0', 'Stream'));
    await allDone();
    assert.deepEqual(await client.heard(), [item('0', 2), item('0', 1), end('0')]);
  });

  it('always have an item in their items: null for undefined', async () => {
    const { wire, client } = await opened(async function* () {
      yield undefined;
      yield null;
    });
    client.say(streamCall('0', 'Stream'));
    await allDone();
    assert.deepEqual(wire.messages, [item('0', null), item('0', null), end('0')]);
  });

  it('run beside calls and beside each other', async () => {
    const { client } = await opened(async function* (_, name) {
      yield `${String(name)} 1`;
      await allDone();
      yield `${String(name)} 2`;
    });
    client.say(streamCall('0', 'Stream', 'a'), streamCall('1', 'Stream', 'b'), call('2', 'Echo', 'c'));
    const heard = [...(await client.heard()), ...(await client.heard()), ...(await client.heard())];
    assert.deepEqual(heard.slice(0, 3).sort(order), [item('0', 'a 1'), item('1', 'b 1'), result('2', 'c')]);
    assert.deepEqual(
      heard.slice(3).sort(order),
      [item('0', 'a 2'), item('1', 'b 2'), end('0'), end('1')].sort(order),
    );
  });

  for (const [what, error, text, isLogged] of [
    ['a HubError', new HubError('Enough.'), `${FAILED} HubException: Enough.`, false],
    ['any other error', new Error('secret'), FAILED, true],
  ] as const) {
    it(`that fail with ${what} after they began say so at their end`, async () => {
      const { client, log } = await opened(async function* () {
        yield 1;
        throw error;
      });
      client.say(streamCall('0', 'Stream'), call('1', 'Echo', 2));
      const heard = await client.heard();
      assert.deepEqual(
        heard.filter((message) => JSON.stringify(message).includes('"0"')),
        [item('0', 1), failure('0', text)],
      );
      assert.equal(heard.length, 3);
      assert.equal(log.lines.length, isLogged ? 1 : 0);
    });
  }

  for (const [what, run, text] of [
    [
      'throws',
      () => {
        throw new HubError('No.');
      },
      "An unexpected error occurred invoking 'Stream' on the server. HubException: No.",
    ],
    [
      'answers null',
      () => null,
      "The value returned by the streaming method 'Stream' is not a ChannelReader<> or IAsyncEnumerable<>.",
    ],
    [
      'answers a list',
      () => [1, 2],
      "The value returned by the streaming method 'Stream' is not a ChannelReader<> or IAsyncEnumerable<>.",
    ],
    [
      'answers something that says it is iterable and is not',
      () => ({ [Symbol.asyncIterator]: 5 }),
      "The value returned by the streaming method 'Stream' is not a ChannelReader<> or IAsyncEnumerable<>.",
    ],
    [
      'answers something that fails when it is asked to begin',
      () => ({
        [Symbol.asyncIterator]: () => {
          throw new HubError('Closed.');
        },
      }),
      `${FAILED} HubException: Closed.`,
    ],
  ] as const) {
    it(`end with an error, and the connection goes on, when the method ${what}`, async () => {
      const { client } = await opened(run);
      client.say(streamCall('0', 'Stream'), call('1', 'Echo', 1));
      const heard = await client.heard();
      assert.deepEqual(heard.sort(order), [failure('0', text), result('1', 1)].sort(order));
    });
  }

  it('end with an error at an item that cannot be written, and their method is told to stop', async () => {
    let disposals = 0;
    const { client, log } = await opened(async function* () {
      try {
        yield 1;
        yield 1n;
        yield 3;
      } finally {
        disposals += 1;
      }
    });
    client.say(streamCall('0', 'Stream'));
    assert.deepEqual(await client.heard(), [item('0', 1), failure('0', FAILED)]);
    assert.equal(disposals, 1);
    assert.equal(log.lines.length, 1);
  });

  it('cannot have an id that another one has, until that ends', async () => {
    const source = handed();
    const { client } = await opened(() => source.items());
    client.say(streamCall('0', 'Stream'));
    await client.heard();
    client.say(streamCall('0', 'Stream'));
    assert.deepEqual(await client.heard(), [failure('0', "Invocation ID '0' is already in use.")]);
    await source.give(1);
    assert.deepEqual(await client.heard(), [item('0', 1)]);
    client.say(cancel('0'));
    assert.deepEqual(await client.heard(), [end('0')]);
    client.say(streamCall('0', 'Stream'));
    await client.heard();
    await source.give(2);
    assert.deepEqual(await client.heard(), [item('0', 2)]);
  });
});

describe('a stream that its client cancels', () => {
  it('ends at once without an error, and its method’s finally runs', async () => {
    const signals: CallSignal[] = [];
    let disposals = 0;
    const { client } = await opened(async function* ({ signal }) {
      signals.push(signal);
      try {
        yield 1;
        await new Promise<void>((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        yield 2;
      } finally {
        disposals += 1;
      }
    });
    client.say(streamCall('0', 'Stream'));
    assert.deepEqual(await client.heard(), [item('0', 1)]);
    assert.equal(signals[0]?.aborted, false);
    client.say(cancel('0'), cancel('0'), cancel('unknown'));
    assert.equal(signals[0].aborted, true);
    assert.deepEqual(await client.heard(), [end('0')]);
    assert.equal(disposals, 1);
  });

  it('ends also when its method goes on waiting, or fails because of it', async () => {
    for (const atAbort of ['wait', 'fail'] as const) {
      const { client, log } = await opened(async function* ({ signal }) {
        yield 1;
        await new Promise<void>((_, reject) => {
          if (atAbort === 'fail') signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      });
      client.say(streamCall('0', 'Stream'));
      await client.heard();
      client.say(cancel('0'));
      assert.deepEqual(await client.heard(), [end('0')]);
      assert.deepEqual(log.lines.length, 0, atAbort);
    }
  });

  it('ends when it gets its turn, if it waited behind a call', async () => {
    let open = () => {};
    const begun: unknown[] = [];
    const test = new TestHub({
      methods: {
        Slow: () => new Promise<void>((resolve) => (open = resolve)),
        Stream: {
          answersStream: true,
          run: async function* () {
            begun.push(1);
            yield 1;
          },
        },
      },
    });
    const client = await test.connect();
    client.say(call('0', 'Slow'), streamCall('1', 'Stream'), cancel('1'));
    await client.heard();
    open();
    assert.deepEqual(await client.heard(), [result('0', null), end('1')]);
  });

  it('is reported when its disposal fails', async () => {
    for (const disposal of [() => Promise.reject(new Error('broken')), brokenDisposal]) {
      const { client, log } = await opened(() => ({
        [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: disposal }),
      }));
      client.say(streamCall('0', 'Stream'));
      await client.heard();
      client.say(cancel('0'), call('1', 'Echo', 1));
      assert.deepEqual((await client.heard()).sort(order), [result('1', 1), end('0')].sort(order));
      assert.deepEqual(
        log.lines.map(({ reason }) => reason),
        ['broken'],
      );
    }
  });

  for (const how of ['leaves', 'is closed'] as const) {
    it(`is cancelled as well when its client ${how}`, async () => {
      const sources = [handed(), handed()];
      const signals: CallSignal[] = [];
      const { client, connection, wire } = await opened(({ signal }, which) => {
        signals.push(signal);
        return sources[Number(which)]?.items();
      });
      client.say(streamCall('0', 'Stream', 0), streamCall('1', 'Stream', 1));
      await client.heard();
      if (how === 'leaves') connection.disconnected();
      else connection.close();
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true, true],
      );
      for (const source of sources) await source.give(1);
      assert.deepEqual(await client.heard(), how === 'leaves' ? [] : [{ type: 7 }]);
      assert.deepEqual(
        sources.map(({ disposals }) => disposals),
        [1, 1],
      );
      assert.equal(wire.aborts, 0);
    });
  }
});

function brokenDisposal(): never {
  throw new Error('broken');
}

function order(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
