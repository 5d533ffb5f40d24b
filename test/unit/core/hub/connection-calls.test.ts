import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  HubError,
  InvalidHubArguments,
  type CallSignal,
  type HubMethods,
  type HubOptions,
} from '../../../../core/index.ts';
import { BEN, ROBOT } from '../people.ts';
import { PING, call, failure, note, result, streamCall } from './client-messages.ts';
import { gate } from './gate.ts';
import { TestHub, type ConnectOptions } from './test-hub.ts';

async function opened(methods: HubMethods, options: HubOptions = {}, connect: ConnectOptions = {}) {
  const test = new TestHub({ methods, ...options });
  const client = await test.connect(connect);
  return {
    connection: client.connection,
    hub: test.hub,
    timers: test.timers,
    log: test.log,
    test,
    client,
    wire: client.wire,
  };
}

const noSuchMethod = (target: string) =>
  `Failed to invoke '${target}' due to an error on the server. HubException: Method does not exist.`;

describe('the calls of a client', () => {
  it('are answered with their result, and with null where there is none', async () => {
    const { client } = await opened({
      Add: (_, left, right) => Number(left) + Number(right),
      Nothing: () => undefined,
      Null: async () => null,
      Zero: () => 0,
    });
    client.say(call('x', 'Add', 2, 3), call('y', 'Nothing'), call('z', 'Null'), call('0', 'Zero'));
    assert.deepEqual(await client.heard(), [
      result('x', 5),
      result('y', null),
      result('z', null),
      result('0', 0),
    ]);
  });

  it('are told who calls, and with what', async () => {
    const { client } = await opened(
      { WhoAmI: ({ connection: { id, principal }, uploads }, ...args) => [id, principal.oid, uploads, args] },
      {},
      { principal: BEN },
    );
    client.say(call('0', 'WhoAmI', 1, null, { a: [2] }));
    assert.deepEqual(await client.heard(), [result('0', ['c1', 'ben', [], [1, null, { a: [2] }]])]);
  });

  it('are not answered when nobody waits, error or not', async () => {
    const called: unknown[] = [];
    const { client, connection } = await opened({
      Note: (_, value) => called.push(value),
      Fail: () => {
        throw new HubError('unheard');
      },
      Stream: { answersStream: true, run: async function* () {} },
      Locked: { mayCall: () => false, run: () => {} },
      Upload: { uploads: 1, run: () => {} },
      Unwritable: () => 1n,
    });
    for (const invocationId of [undefined, null, '']) {
      for (const target of ['Note', 'Fail', 'Stream', 'Locked', 'Upload', 'Unwritable', 'Nowhere']) {
        client.say({
          type: 1,
          target,
          arguments: [target],
          ...(invocationId === undefined ? {} : { invocationId }),
        });
      }
    }
    assert.deepEqual(await client.heard(), []);
    assert.deepEqual(called, ['Note', 'Note', 'Note']);
    assert.equal(connection.isOpen, true);
  });

  it('may name a method in any case; answers use the name as it was sent', async () => {
    const { client } = await opened({
      EchoText: (_, text) => {
        if (typeof text !== 'string') throw new InvalidHubArguments();
        return text;
      },
    });
    client.say(call('0', 'echotext', 'a'), call('1', 'ECHOTEXT', 'b'), call('2', 'eCHOtEXT', 5));
    assert.deepEqual(await client.heard(), [
      result('0', 'a'),
      result('1', 'b'),
      failure('2', "Failed to invoke 'eCHOtEXT' due to an error on the server."),
    ]);
  });

  it('refuse a list in which two methods differ by case alone', () => {
    assert.throws(
      () => new TestHub({ methods: { Echo: () => 1, echo: () => 2 } }),
      /Hub method "echo": another one differs by case alone\./,
    );
  });

  for (const target of ['Delete', '', 'toString', 'constructor', '__proto__', 'hasOwnProperty', 'EchoEcho']) {
    it(`of anything but the listed methods do not exist: '${target}'`, async () => {
      const { client } = await opened({ Echo: () => 1 });
      client.say(call('0', target), streamCall('1', target));
      assert.deepEqual(await client.heard(), [
        failure('0', noSuchMethod(target)),
        failure('1', noSuchMethod(target)),
      ]);
    });
  }

  for (const [what, error, text, isLogged] of [
    [
      'a HubError',
      new HubError('Too many types.'),
      "An unexpected error occurred invoking 'Fail' on the server. HubException: Too many types.",
      false,
    ],
    [
      'InvalidHubArguments',
      new InvalidHubArguments('expected one list'),
      "Failed to invoke 'Fail' due to an error on the server.",
      false,
    ],
    [
      'any other error',
      new Error('secret'),
      "An unexpected error occurred invoking 'Fail' on the server.",
      true,
    ],
    ['what is no error', 'secret', "An unexpected error occurred invoking 'Fail' on the server.", true],
  ] as const) {
    const fail = () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- as careless methods do
      throw error;
    };
    for (const [how, run] of [
      ['throw', fail],
      [
        'reject with',
        async () => {
          await Promise.resolve();
          fail();
        },
      ],
    ] as const) {
      it(`that ${how} ${what} tell the caller what may be told, and the log the rest`, async () => {
        const { client, connection, log } = await opened({ Fail: run });
        client.say(call('0', 'Fail'), call('1', 'Nowhere'));
        assert.deepEqual(await client.heard(), [failure('0', text), failure('1', noSuchMethod('Nowhere'))]);
        assert.deepEqual(
          log.lines.map(({ level, reason }) => [level, reason]),
          isLogged ? [['error', 'secret']] : [],
        );
        assert.equal(connection.isOpen, true);
      });
    }
  }

  it('whose result cannot be written fail alone', async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const { client, log } = await opened({ Circular: () => circular, Big: () => 1n, Echo: () => 1 });
    client.say(call('0', 'Circular'), call('1', 'Big'), call('2', 'Echo'));
    assert.deepEqual(await client.heard(), [
      failure('0', "An unexpected error occurred invoking 'Circular' on the server."),
      failure('1', "An unexpected error occurred invoking 'Big' on the server."),
      result('2', 1),
    ]);
    assert.equal(log.lines.length, 2);
  });

  it('reach only methods that their caller may call', async () => {
    const { client, test } = await opened({
      Robots: { mayCall: ({ kind }) => kind === 'automation', run: () => 'hello' },
    });
    const robot = await test.connect({ principal: ROBOT });
    for (const { say } of [client, robot].map((each) => ({ say: each.say.bind(each) }))) {
      say(call('0', 'robots'), streamCall('1', 'Robots'));
    }
    assert.deepEqual(await client.heard(), [
      failure('0', "Failed to invoke 'robots' because user is unauthorized"),
      failure('1', "Failed to invoke 'Robots' because user is unauthorized"),
    ]);
    assert.deepEqual((await robot.heard())[0], result('0', 'hello'));
  });

  it('reach no method whose mayCall throws: the log hears why, and other calls go on', async () => {
    const mayCall = () => {
      throw new Error('no rights today');
    };
    const called: string[] = [];
    const { client, log } = await opened({
      Locked: { mayCall, run: () => called.push('Locked') },
      LockedStream: { mayCall, answersStream: true, run: () => called.push('LockedStream') },
      Echo: () => 1,
    });
    client.say(call('0', 'Locked'), streamCall('1', 'LockedStream'), call('2', 'Echo'));
    assert.deepEqual(await client.heard(), [
      failure('0', "An unexpected error occurred invoking 'Locked' on the server."),
      failure('1', "An unexpected error occurred invoking 'LockedStream' on the server."),
      result('2', 1),
    ]);
    assert.deepEqual(called, []);
    assert.deepEqual(
      log.lines.map(({ reason }) => reason),
      ['no rights today', 'no rights today'],
    );
  });

  it('reach no method whose mayCall answers anything but true: a promise is no permission', async () => {
    const called: string[] = [];
    const promising = () => Promise.resolve(true);
    const { client } = await opened({
      Locked: { mayCall: promising as unknown as () => boolean, run: () => called.push('Locked') },
    });
    client.say(call('0', 'Locked'));
    assert.deepEqual(await client.heard(), [
      failure('0', "Failed to invoke 'Locked' because user is unauthorized"),
    ]);
    assert.deepEqual(called, []);
  });

  it('must ask for a stream where one is answered, and not where none is', async () => {
    const { client } = await opened({
      Stream: { answersStream: true, run: async function* () {} },
      Plain: () => 1,
    });
    client.say(call('0', 'stream'), streamCall('1', 'plain'));
    assert.deepEqual(await client.heard(), [
      failure(
        '0',
        "The client attempted to invoke the streaming 'stream' method with a non-streaming invocation.",
      ),
      failure(
        '1',
        "The client attempted to invoke the non-streaming 'plain' method with a streaming invocation.",
      ),
    ]);
  });

  it('must come with as many upload streams as the method says', async () => {
    const { client } = await opened({ Two: { uploads: 2, run: () => 1 }, None: () => 1 });
    client.say({ ...call('0', 'Two'), streamIds: ['1'] }, call('1', 'Two'), {
      ...call('2', 'None'),
      streamIds: ['3', '4'],
    });
    const words = (target: string, sent: number, expected: number) =>
      `An unexpected error occurred invoking '${target}' on the server. ` +
      `HubException: Client sent ${sent} stream(s), Hub method expects ${expected}.`;
    assert.deepEqual(await client.heard(), [
      failure('0', words('Two', 1, 2)),
      failure('1', words('Two', 0, 2)),
      failure('2', words('None', 2, 0)),
    ]);
  });

  it('run one at a time, in the order in which they came', async () => {
    const steps: string[] = [];
    const { passed, open } = gate();
    const { client } = await opened({
      Slow: async () => {
        steps.push('slow begins');
        await passed;
        steps.push('slow ends');
      },
      Fast: () => void steps.push('fast'),
    });
    client.say(call('0', 'Slow'), note('Fast'), call('1', 'Fast'));
    assert.deepEqual(await client.heard(), []);
    assert.deepEqual(steps, ['slow begins']);
    open();
    assert.deepEqual(await client.heard(), [result('0', null), result('1', null)]);
    assert.deepEqual(steps, ['slow begins', 'slow ends', 'fast', 'fast']);
  });

  it('of one client do not wait for another’s', async () => {
    const { client, test } = await opened({ Wait: () => new Promise(() => {}), Echo: () => 1 });
    client.say(call('0', 'Wait'));
    const other = await test.connect();
    other.say(call('0', 'Echo'));
    assert.deepEqual(await other.heard(), [result('0', 1)]);
  });

  it('leave pings and Close to be heard while one runs, and are not answered after the end', async () => {
    const { passed, open } = gate();
    const signals: CallSignal[] = [];
    const { client, connection } = await opened({
      Slow: async ({ signal }) => {
        signals.push(signal);
        await passed;
      },
    });
    client.say(call('0', 'Slow'));
    await client.heard();
    assert.equal(signals[0]?.aborted, false);
    client.say(PING, { type: 7 });
    assert.equal(connection.isOpen, false);
    assert.equal(signals[0].aborted, true);
    open();
    assert.deepEqual(await client.heard(), [{ type: 7 }]);
  });

  it('learn that their client is gone, also where they ask only then', async () => {
    const { passed, open } = gate();
    let isAborted: boolean | undefined;
    const { client, connection } = await opened({
      Slow: async (slow) => {
        await passed;
        isAborted = slow.signal.aborted;
      },
    });
    client.say(call('0', 'Slow'));
    await client.heard();
    connection.disconnected();
    open();
    await client.heard();
    assert.equal(isAborted, true);
  });

  it('that wait their turn when their client leaves are never made', async () => {
    const { passed, open } = gate();
    const called: string[] = [];
    const { client, connection } = await opened({
      Slow: () => passed,
      Late: () => void called.push('late'),
      LateStream: { answersStream: true, run: () => called.push('late stream') },
    });
    client.say(call('0', 'Slow'), call('1', 'Late'), streamCall('2', 'LateStream'));
    await client.heard();
    connection.disconnected();
    open();
    await client.heard();
    assert.deepEqual(called, []);
  });

  it('may be any number, one after the other', async () => {
    let calls = 0;
    const { client, connection, wire } = await opened({ Count: () => void (calls += 1) });
    for (let count = 1; count <= 350; count += 1) {
      client.say(note('Count'));
      await Promise.resolve();
    }
    await client.heard();
    assert.equal(calls, 350);
    assert.equal(connection.isOpen, true);
    assert.equal(wire.isPaused, false);
  });
});
