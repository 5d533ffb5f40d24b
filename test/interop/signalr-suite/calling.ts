import type { HubConnection } from '@microsoft/signalr';
import type { Scene, Step } from './scene.ts';
import { wordsOf } from './watching.ts';

const VALUES = [
  null,
  true,
  -1.5,
  2 ** 40,
  'äöü €😀\u0000\u001e',
  [[], [1, [2]]],
  { a: { 'b c': null }, '': '' },
];
const BYTES = [0, 1, 0x1e, 255];
const MOMENT = '2026-11-30T12:00:00.123Z';

/** Calls, what they answer, and every error that a client of today can bring about (facts of the protocol, 2.9). */
export const calling: readonly Step[] = [
  {
    name: 'calls a method and gets every kind of value back as it was',
    run: async ({ connect }) => {
      const client = await connect();
      return {
        values: await client.invoke<unknown>('Echo', VALUES),
        sum: await client.invoke<unknown>('Add', 40, 2),
        nothing: await client.invoke<unknown>('Nothing'),
      };
    },
    expected: () => ({ values: VALUES, sum: 42, nothing: null }),
  },
  {
    name: 'sends bytes and moments as its protocol can',
    run: async ({ connect }) => {
      const client = await connect();
      const bytes = await client.invoke<unknown>('Echo', Uint8Array.from(BYTES));
      const moment = await client.invoke<unknown>('Echo', new Date(MOMENT));
      return {
        bytes: bytes instanceof Uint8Array ? [...bytes] : 'no bytes',
        moment: moment instanceof Date ? `Date ${moment.toISOString()}` : moment,
      };
    },
    expected: ({ protocol }) =>
      protocol === 'json'
        ? { bytes: 'no bytes', moment: MOMENT }
        : { bytes: BYTES, moment: `Date ${MOMENT}` },
  },
  {
    name: 'finds methods in any case',
    run: async ({ connect }) => (await connect()).invoke<unknown>('eCHO', 'heard'),
    expected: () => 'heard',
  },
  {
    name: 'gets the answers of calls made at once, each its own',
    run: async ({ connect }) => {
      const client = await connect();
      return Promise.all(Array.from({ length: 60 }, (_, value) => client.invoke<unknown>('Echo', value)));
    },
    expected: () => Array.from({ length: 60 }, (_, value) => value),
  },
  {
    name: 'is told what went wrong in ASP.NET’s words',
    run: async ({ connect, signalR }) => {
      const client = await connect();
      const invoke = (method: string, ...args: unknown[]) => wordsOf(client.invoke(method, ...args));
      const stream = (method: string, ...args: unknown[]) => wordsOf(whole(client, method, ...args));
      return {
        'fails with words': await invoke('Fail'),
        'fails without words': await invoke('Crash'),
        'wrong arguments': await invoke('Add', 'one', 2),
        'unknown method': await invoke('noSuchMethod'),
        'name of every object': await invoke('toString'),
        'not allowed': await invoke('Forbidden'),
        'stream called': await invoke('Count', 3),
        'upload missing': await invoke('Sum', 1),
        'upload too many': await invoke('Echo', uploadOf(signalR, 1)),
        'call streamed': await stream('Echo', 1),
        'unknown stream': await stream('noSuchMethod'),
        'stream not allowed': await stream('Forbidden'),
        'stream of nothing': await stream('NoStream'),
        'fails before streaming': await stream('FailBeforeStream'),
        'fails while streaming': await stream('CountThenFail'),
        'fails with words while streaming': await stream('CountThenSayWhy'),
        'still there': await client.invoke<unknown>('Echo', 'yes'),
      };
    },
    expected: () => ({
      'fails with words':
        "An unexpected error occurred invoking 'Fail' on the server. HubException: told to the caller",
      'fails without words': "An unexpected error occurred invoking 'Crash' on the server.",
      'wrong arguments': "Failed to invoke 'Add' due to an error on the server.",
      'unknown method':
        "Failed to invoke 'noSuchMethod' due to an error on the server. HubException: Method does not exist.",
      'name of every object':
        "Failed to invoke 'toString' due to an error on the server. HubException: Method does not exist.",
      'not allowed': "Failed to invoke 'Forbidden' because user is unauthorized",
      'stream called':
        "The client attempted to invoke the streaming 'Count' method with a non-streaming invocation.",
      'upload missing':
        "An unexpected error occurred invoking 'Sum' on the server. " +
        'HubException: Client sent 0 stream(s), Hub method expects 1.',
      'upload too many':
        "An unexpected error occurred invoking 'Echo' on the server. " +
        'HubException: Client sent 1 stream(s), Hub method expects 0.',
      'call streamed':
        "The client attempted to invoke the non-streaming 'Echo' method with a streaming invocation.",
      'unknown stream':
        "Failed to invoke 'noSuchMethod' due to an error on the server. HubException: Method does not exist.",
      'stream not allowed': "Failed to invoke 'Forbidden' because user is unauthorized",
      'stream of nothing':
        "The value returned by the streaming method 'NoStream' is not a ChannelReader<> or IAsyncEnumerable<>.",
      'fails before streaming':
        "An unexpected error occurred invoking 'FailBeforeStream' on the server. HubException: told to the caller",
      'fails while streaming': 'An error occurred on the server while streaming results.',
      'fails with words while streaming':
        'An error occurred on the server while streaming results. HubException: told to the caller',
      'still there': 'yes',
    }),
  },
  {
    name: 'is not answered where it did not ask for an answer, not even with an error',
    run: async ({ connect }) => {
      const client = await connect();
      let isClosed = false;
      client.onclose(() => (isClosed = true));
      for (const method of ['Fail', 'Crash', 'noSuchMethod', 'Count', 'Echo']) await client.send(method, 1);
      // A completion without an id would make this client close the connection.
      return { then: await client.invoke<unknown>('Echo', 'there'), isClosed };
    },
    expected: () => ({ then: 'there', isClosed: false }),
  },
  {
    name: 'answers a question of the hub',
    run: async ({ connect }) => {
      const client = await connect();
      client.on('Question', async (question: string) => ({ answer: `${question} 42`, none: null }));
      return client.invoke<unknown>('Ask', 'How many?');
    },
    expected: () => ({ answer: 'How many? 42', none: null }),
  },
  {
    name: 'owes the hub an answer, and the hub says so to whoever waits for it',
    run: async ({ build }) => {
      const ask = async (...handlers: (() => unknown)[]) => {
        const client = build();
        for (const handler of handlers) client.on('Question', handler);
        await client.start();
        return wordsOf(client.invoke<unknown>('Ask', 'Why?'));
      };
      return {
        'nobody there': await ask(),
        'nothing to say': await ask(() => {}),
        'two answers': await ask(
          () => 1,
          () => 2,
        ),
        fails: await ask(() => {
          throw new Error('no idea');
        }),
        'says null': await ask(() => null),
      };
    },
    expected: () => {
      const told = (words: string) =>
        `An unexpected error occurred invoking 'Ask' on the server. HubException: ${words}`;
      return {
        'nobody there': told("Client didn't provide a result."),
        'nothing to say': told("Client didn't provide a result."),
        'two answers': told('Client provided multiple results.'),
        fails: told('Error: no idea'),
        'says null': 'no error: null',
      };
    },
  },
];

/** A stream that the client uploads: these values, and its end. */
export function uploadOf(signalR: Scene['signalR'], ...values: readonly unknown[]) {
  const subject = new signalR.Subject<unknown>();
  // Once the client has subscribed, which it does when the call is made.
  setTimeout(() => {
    for (const value of values) subject.next(value);
    subject.complete();
  });
  return subject;
}

/** All items of a stream that the hub sends. */
export function whole(
  client: HubConnection,
  method: string,
  ...args: readonly unknown[]
): Promise<unknown[]> {
  const items: unknown[] = [];
  return new Promise((resolve, reject) => {
    client.stream<unknown>(method, ...args).subscribe({
      next: (item) => void items.push(item),
      complete: () => resolve(items),
      error: reject,
    });
  });
}
