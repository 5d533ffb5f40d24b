import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import {
  DEFAULT_HUB_TIMING,
  HubError,
  HubSession,
  InvalidHubArguments,
  MAX_HUB_MESSAGE_BYTES,
  encodeInvocation,
  hubTiming,
  type HubMethod,
  type HubTiming,
} from '../../../../core/index.ts';
import { FakeTimers } from './fake-timers.ts';
import { HANDSHAKE, RecordedSocket, frame } from './recorded-socket.ts';

const PING = { type: 6 };
const ERROR_CLOSE = { type: 7, error: 'Connection closed with an error.', allowReconnect: true };

function session(methods: Record<string, HubMethod> = {}, timing?: Partial<HubTiming>) {
  const socket = new RecordedSocket();
  const timers = new FakeTimers();
  const events: string[] = [];
  const hub = new HubSession({
    socket,
    methods,
    timers,
    ...(timing === undefined ? {} : { timing }),
    onOpen: () => events.push('open'),
    onClose: () => events.push('close'),
  });
  return { hub, socket, timers, events };
}

function openSession(methods: Record<string, HubMethod> = {}, timing?: Partial<HubTiming>) {
  const opened = session(methods, timing);
  opened.hub.receive(HANDSHAKE);
  assert.deepEqual(opened.socket.take(), [{}]);
  return opened;
}

const invocation = (target: string, args: readonly unknown[] = [], invocationId?: string) =>
  frame({ type: 1, target, arguments: args, ...(invocationId === undefined ? {} : { invocationId }) });

describe('the handshake of a HubSession', () => {
  for (const request of [
    { protocol: 'json', version: 1 },
    { protocol: 'JSON', version: 1 },
    { protocol: 'json', version: 2 },
    { protocol: 'json', version: 0 },
    { version: 1, protocol: 'json', extra: true },
  ]) {
    it(`is accepted: ${JSON.stringify(request)}`, () => {
      const { hub, socket, events } = session();
      hub.receive(frame(request));
      assert.deepEqual(socket.frames, ['{}\u001e']);
      assert.deepEqual(events, ['open']);
      assert.equal(hub.isOpen, true);
    });
  }

  for (const [request, error] of [
    [{ protocol: 'messagepack', version: 1 }, "The protocol 'messagepack' is not supported."],
    [{ protocol: 'json', version: 3 }, "The server does not support version 3 of the 'json' protocol."],
    ['not json', 'An unexpected error occurred during connection handshake.'],
    ['', 'An unexpected error occurred during connection handshake.'],
    ['null', 'An unexpected error occurred during connection handshake.'],
    [{ protocol: 'json' }, 'An unexpected error occurred during connection handshake.'],
    [{ protocol: 1, version: 1 }, 'An unexpected error occurred during connection handshake.'],
    [{ type: 6 }, 'An unexpected error occurred during connection handshake.'],
  ] as const) {
    it(`is refused with the vendor’s words and a normal end: ${JSON.stringify(request)}`, () => {
      const { hub, socket, timers, events } = session();
      hub.receive(frame(request));
      assert.deepEqual(socket.messages, [{ error }]);
      assert.deepEqual(socket.closes, [1000]);
      assert.deepEqual(events, ['close']);
      assert.equal(timers.pending, 0);
    });
  }

  it('is canceled when it is late', () => {
    const { socket, timers, events } = session();
    timers.advance(DEFAULT_HUB_TIMING.handshakeTimeoutMs - 1);
    assert.deepEqual(socket.frames, []);
    timers.advance(1);
    assert.deepEqual(socket.messages, [{ error: 'Handshake was canceled.' }]);
    assert.deepEqual(socket.closes, [1000]);
    assert.deepEqual(events, ['close']);
    assert.equal(timers.pending, 0);
  });

  it('is canceled when it is too large, whole or not', () => {
    for (const text of ['x'.repeat(MAX_HUB_MESSAGE_BYTES), frame('x'.repeat(MAX_HUB_MESSAGE_BYTES))]) {
      const { hub, socket } = session();
      hub.receive(text);
      assert.deepEqual(socket.messages, [{ error: 'Handshake was canceled.' }]);
      assert.deepEqual(socket.closes, [1000]);
    }
  });

  it('may come in pieces, and together with what follows it', async () => {
    const { hub, socket } = session({ Echo: ([value]) => value });
    const input = HANDSHAKE + invocation('Echo', ['a'], '0') + invocation('Echo', ['b'], '1');
    for (const character of input) hub.receive(character);
    await allDone();
    assert.deepEqual(socket.messages, [
      {},
      { type: 3, invocationId: '0', result: 'a' },
      { type: 3, invocationId: '1', result: 'b' },
    ]);
  });

  it('comes before everything else: nothing is sent until it is answered', () => {
    const { hub, socket, timers } = session();
    hub.send(encodeInvocation('EntityChanged', [1]));
    timers.advance(DEFAULT_HUB_TIMING.handshakeTimeoutMs - 1);
    assert.deepEqual(socket.frames, []);
    hub.receive(HANDSHAKE);
    hub.send(encodeInvocation('EntityChanged', [2]));
    assert.deepEqual(socket.messages, [{}, { type: 1, target: 'EntityChanged', arguments: [2] }]);
  });

  it('is not owed a goodbye: a session that ends before it just ends', () => {
    const { hub, socket, events } = session();
    hub.close({ allowReconnect: true });
    assert.deepEqual(socket.frames, []);
    assert.deepEqual(socket.closes, [1000]);
    assert.deepEqual(events, ['close']);
  });

  it('leaves nothing of the session when what followed a refusal is thrown away', () => {
    const { hub, socket, events } = session();
    hub.receive(frame({ protocol: 'x', version: 1 }) + HANDSHAKE);
    assert.equal(socket.messages.length, 1);
    assert.deepEqual(events, ['close']);
  });
});

describe('invocations of a HubSession', () => {
  it('are answered with their result, and with null where there is none', async () => {
    const { hub, socket } = openSession({ Add: ([a, b]) => Number(a) + Number(b), Nothing: () => undefined });
    hub.receive(invocation('Add', [2, 3], 'x') + invocation('Nothing', [], 'y'));
    await allDone();
    assert.deepEqual(socket.take(), [
      { type: 3, invocationId: 'x', result: 5 },
      { type: 3, invocationId: 'y', result: null },
    ]);
  });

  it('are not answered when nobody waits, error or not', async () => {
    const called: unknown[] = [];
    const { hub, socket } = openSession({
      Note: ([value]) => {
        called.push(value);
        throw new HubError('unheard');
      },
    });
    hub.receive(invocation('Note', [1]) + invocation('Nowhere'));
    await allDone();
    assert.deepEqual(called, [1]);
    assert.deepEqual(socket.take(), []);
    assert.equal(hub.isOpen, true);
  });

  for (const target of ['Delete', 'echo', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    it(`of anything but the listed methods do not exist: ${target}`, async () => {
      const { hub, socket } = openSession({ Echo: () => 1 });
      hub.receive(invocation(target, [], '0'));
      await allDone();
      assert.deepEqual(socket.take(), [
        {
          type: 3,
          invocationId: '0',
          error: `Failed to invoke '${target}' due to an error on the server. HubException: Method does not exist.`,
        },
      ]);
    });
  }

  for (const [what, error, text] of [
    ['a HubError', new HubError('Too many types.'), ' HubException: Too many types.'],
    ['any other error', new Error('secret'), ''],
  ] as const) {
    it(`that throw ${what} say ${text === '' ? 'nothing of its text' : 'its text'}`, async () => {
      const { hub, socket } = openSession({
        Sync: () => {
          throw error;
        },
        Async: () => Promise.reject(error),
      });
      hub.receive(invocation('Sync', [], '0') + invocation('Async', [], '1'));
      await allDone();
      assert.deepEqual(
        socket.take(),
        ['Sync', 'Async'].map((target, index) => ({
          type: 3,
          invocationId: String(index),
          error: `An unexpected error occurred invoking '${target}' on the server.${text}`,
        })),
      );
    });
  }

  it('with arguments that do not fit fail without details', async () => {
    const { hub, socket } = openSession({
      Subscribe: () => {
        throw new InvalidHubArguments('expected one list');
      },
    });
    hub.receive(invocation('Subscribe', [1, 2], '0'));
    await allDone();
    assert.deepEqual(socket.take(), [
      { type: 3, invocationId: '0', error: "Failed to invoke 'Subscribe' due to an error on the server." },
    ]);
  });

  it('run one at a time, in the order in which they came', async () => {
    const steps: string[] = [];
    let finishFirst = () => {};
    const { hub, socket } = openSession({
      Slow: async () => {
        steps.push('slow begins');
        await new Promise<void>((resolve) => (finishFirst = resolve));
        steps.push('slow ends');
      },
      Fast: () => steps.push('fast'),
    });
    hub.receive(invocation('Slow', [], '0') + invocation('Fast', [], '1'));
    await allDone();
    assert.deepEqual(steps, ['slow begins']);
    finishFirst();
    await allDone();
    assert.deepEqual(steps, ['slow begins', 'slow ends', 'fast']);
    assert.deepEqual(
      socket.take().map((message) => (message as { invocationId: string }).invocationId),
      ['0', '1'],
    );
  });

  it('end the connection, which may come back, when a hundred wait their turn', () => {
    const { hub, socket, events } = openSession({ Wait: () => new Promise(() => {}) });
    for (let count = 1; count <= 100; count += 1) hub.receive(invocation('Wait'));
    assert.deepEqual(socket.take(), []);
    hub.receive(invocation('Wait'));
    assert.deepEqual(socket.take(), [ERROR_CLOSE]);
    assert.deepEqual(events, ['open', 'close']);
  });

  it('may be any number, one after the other', async () => {
    let calls = 0;
    const { hub } = openSession({ Count: () => void (calls += 1) });
    for (let count = 1; count <= 150; count += 1) {
      hub.receive(invocation('Count'));
      await allDone();
    }
    assert.equal(calls, 150);
    assert.equal(hub.isOpen, true);
  });

  it('leave pings and Close to be heard while one runs, and are not answered after the end', async () => {
    let finish = () => {};
    const { hub, socket, events } = openSession({
      Slow: () => new Promise<void>((resolve) => (finish = resolve)),
    });
    hub.receive(invocation('Slow', [], '0'));
    await allDone();
    hub.receive(frame(PING) + frame({ type: 7 }));
    assert.deepEqual(events, ['open', 'close']);
    finish();
    await allDone();
    assert.deepEqual(socket.take(), [{ type: 7 }]);
  });

  it('may have their fields in any order, and fields that nobody knows', async () => {
    const { hub, socket } = openSession({ Echo: ([value]) => value });
    hub.receive(
      frame(
        '{"arguments":["a"],"headers":{"traceparent":"00-1"},"later":1,"target":"Echo","invocationId":"0","type":1}',
      ),
    );
    await allDone();
    assert.deepEqual(socket.take(), [{ type: 3, invocationId: '0', result: 'a' }]);
  });
});

describe('the input of a HubSession', () => {
  it('is one stream: messages may be split over frames and joined in one', async () => {
    const { hub, socket } = openSession({ Echo: ([value]) => value });
    const input = invocation('Echo', ['ä😀'], '0') + frame(PING) + invocation('Echo', ['b'], '1');
    const cut = input.indexOf('ä') + 2; // between the halves of the surrogate pair
    hub.receive(input.slice(0, cut));
    hub.receive(input.slice(cut));
    await allDone();
    assert.deepEqual(
      socket.take().map((message) => (message as { result: unknown }).result),
      ['ä😀', 'b'],
    );
  });

  it('may hold messages that this hub has no use for', () => {
    const { hub, socket } = openSession();
    hub.receive(
      frame({ type: 99 }) +
        frame({ type: 2, invocationId: '1', item: 1 }) +
        frame({ type: 3, invocationId: '1', result: 1 }) +
        frame({ type: 5, invocationId: '1' }) +
        frame({ type: 8, sequenceId: 1 }),
    );
    assert.deepEqual(socket.take(), []);
    assert.equal(hub.isOpen, true);
  });

  for (const [what, text] of [
    ['no JSON', 'hello'],
    ['no message', 'null'],
    ['a message without a type', '{}'],
    ['an invocation without a target', '{"type":1,"arguments":[]}'],
    ['nothing between two separators', ''],
  ] as const) {
    it(`ends the connection, which may come back, when it holds ${what}`, () => {
      const { hub, socket, events, timers } = openSession();
      hub.receive(frame(text));
      assert.deepEqual(socket.take(), [ERROR_CLOSE]);
      assert.deepEqual(socket.closes, [1000]);
      assert.deepEqual(events, ['open', 'close']);
      assert.equal(timers.pending, 0);
    });
  }

  it('takes the largest message, framing included, and not one byte more', async () => {
    const { hub, socket } = openSession({ Size: ([value]) => String(value).length });
    const empty = invocation('Size', [''], '0').length;
    const room = MAX_HUB_MESSAGE_BYTES - empty;
    hub.receive(invocation('Size', ['x'.repeat(room)], '0'));
    await allDone();
    assert.deepEqual(socket.take(), [{ type: 3, invocationId: '0', result: room }]);
    hub.receive(invocation('Size', ['x'.repeat(room + 1)], '0'));
    assert.deepEqual(socket.take(), [ERROR_CLOSE]);
  });

  it('is given up as soon as it is too large, without waiting for its end', () => {
    const { hub, socket, events } = openSession();
    for (let kilobytes = 0; kilobytes < 32; kilobytes += 1) hub.receive('x'.repeat(1_024));
    assert.deepEqual(socket.take(), [ERROR_CLOSE]);
    hub.receive('x'.repeat(1_024));
    assert.deepEqual(events, ['open', 'close']);
  });

  it('may be larger than one message altogether', async () => {
    const { hub, socket } = openSession({ Echo: () => 1 });
    const many = Math.ceil((2 * MAX_HUB_MESSAGE_BYTES) / frame(PING).length);
    hub.receive(frame(PING).repeat(many) + invocation('Echo', [], '0'));
    await allDone();
    assert.equal(socket.take().length, 1);
  });
});

describe('the timers of a HubSession', () => {
  it('ping every fifteen seconds', () => {
    const { hub, socket, timers } = openSession();
    timers.advance(14_999);
    assert.deepEqual(socket.take(), []);
    timers.advance(1);
    assert.deepEqual(socket.take(), [PING]);
    hub.receive(frame(PING));
    timers.advance(15_000);
    assert.deepEqual(socket.take(), [PING]);
  });

  it('end a connection whose client says nothing for thirty seconds', () => {
    const { socket, timers, events } = openSession();
    timers.advance(29_999);
    assert.deepEqual(events, ['open']);
    timers.advance(1);
    assert.deepEqual(socket.messages.at(-1), ERROR_CLOSE);
    assert.deepEqual(events, ['open', 'close']);
    assert.equal(timers.pending, 0);
  });

  it('count anything the client says, a ping as much as a call', () => {
    const { hub, timers } = openSession({ Echo: () => 1 });
    for (const message of [frame(PING), invocation('Echo'), frame({ type: 99 })]) {
      timers.advance(29_999);
      hub.receive(message);
    }
    timers.advance(29_999);
    assert.equal(hub.isOpen, true);
    timers.advance(1);
    assert.equal(hub.isOpen, false);
  });

  it('do not count half a message', () => {
    const { hub, timers } = openSession();
    timers.advance(20_000);
    hub.receive('{"type":');
    timers.advance(10_000);
    assert.equal(hub.isOpen, false);
  });

  it('refuse a client timeout that a client pinging as often as the server cannot meet', () => {
    assert.throws(
      () => hubTiming({ pingEveryMs: 15_001 }),
      /clientTimeoutMs \(30000\) must be at least 2 × pingEveryMs \(15001\)/,
    );
    assert.throws(() => session({}, { clientTimeoutMs: 29_999 }), RangeError);
    assert.equal(hubTiming({ pingEveryMs: 100, clientTimeoutMs: 200 }).handshakeTimeoutMs, 15_000);
  });
});

describe('the end of a HubSession', () => {
  it('answers the client’s Close with one of its own', () => {
    const { hub, socket, events, timers } = openSession();
    hub.receive(frame({ type: 7 }));
    assert.deepEqual(socket.take(), [{ type: 7 }]);
    assert.deepEqual(socket.closes, [1000]);
    assert.deepEqual(events, ['open', 'close']);
    assert.equal(timers.pending, 0);
  });

  for (const [options, message] of [
    [{}, { type: 7 }],
    [{ allowReconnect: false }, { type: 7 }],
    [{ allowReconnect: true }, { type: 7, allowReconnect: true }],
    [{ error: 'boom' }, { type: 7, error: 'boom' }],
    [
      { error: 'boom', allowReconnect: true },
      { type: 7, error: 'boom', allowReconnect: true },
    ],
  ] as const) {
    it(`says goodbye first: close(${JSON.stringify(options)})`, () => {
      const { hub, socket } = openSession();
      hub.close(options);
      assert.deepEqual(socket.take(), [message]);
      assert.deepEqual(socket.closes, [1000]);
    });
  }

  it('happens once, whoever ends it and however often', () => {
    const { hub, socket, events } = openSession();
    hub.close();
    hub.close({ allowReconnect: true });
    hub.disconnected();
    hub.receive(frame(PING));
    hub.send(encodeInvocation('Late', []));
    assert.deepEqual(events, ['open', 'close']);
    assert.deepEqual(socket.closes, [1000]);
    assert.equal(socket.take().length, 1);
  });

  it('leaves the socket alone when that is gone already', () => {
    const { hub, socket, events, timers } = openSession();
    hub.disconnected();
    assert.deepEqual(socket.closes, []);
    assert.deepEqual(events, ['open', 'close']);
    assert.equal(timers.pending, 0);
  });
});
