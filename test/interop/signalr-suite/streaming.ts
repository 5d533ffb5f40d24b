import type { Step } from './scene.ts';
import { uploadOf, whole } from './calling.ts';
import { eventually, newName, wordsOf } from './watching.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Streams in both directions, and messages to groups, whose order is part of what they mean. */
export const streaming: readonly Step[] = [
  {
    name: 'gets a stream, whole and in order',
    run: async ({ connect }) => {
      const client = await connect();
      return { items: await whole(client, 'Count', 150), none: await whole(client, 'Count', 0) };
    },
    expected: () => ({ items: upTo(150), none: [] }),
  },
  {
    name: 'gets two streams and a call at the same time',
    run: async ({ connect }) => {
      const client = await connect();
      return Promise.all([
        whole(client, 'Count', 40),
        whole(client, 'Count', 50),
        client.invoke<unknown>('Echo', 1),
      ]);
    },
    expected: () => [upTo(40), upTo(50), 1],
  },
  {
    name: 'keeps what a stream gave before it failed',
    run: async ({ connect }) => {
      const client = await connect();
      const items: unknown[] = [];
      const failed = new Promise((_, reject) => {
        client.stream('CountThenFail').subscribe({
          next: (item) => void items.push(item),
          complete: () => {},
          error: reject,
        });
      });
      return { words: await wordsOf(failed), items };
    },
    expected: () => ({ words: 'An error occurred on the server while streaming results.', items: [1] }),
  },
  {
    name: 'wants no more of an endless stream, and its method learns of that',
    run: async ({ connect }) => {
      const client = await connect();
      let isCancelled = false;
      const afterwards: unknown[] = [];
      await new Promise<void>((resolve) => {
        const subscription = client.stream<number>('Count', 1e9).subscribe({
          next: (item) => {
            if (isCancelled) afterwards.push(item);
            if (item !== 5) return;
            isCancelled = true;
            subscription.dispose();
            resolve();
          },
          complete: () => {},
          error: () => {},
        });
      });
      await eventually(
        'the method is disposed of',
        async () => (await client.invoke<unknown>('Cancelled')) === 1,
      );
      return { afterwards, next: await whole(client, 'Count', 3) };
    },
    expected: () => ({ afterwards: [], next: [1, 2, 3] }),
  },
  {
    name: 'uploads a stream with a call, also one that is longer than what the hub keeps',
    run: async ({ connect, signalR }) => {
      const client = await connect();
      return {
        sum: await client.invoke<unknown>('Sum', 100, uploadOf(signalR, 1, 2, 3)),
        long: await client.invoke<unknown>('Sum', 0, uploadOf(signalR, ...upTo(60))),
        none: await client.invoke<unknown>('Sum', 7, uploadOf(signalR)),
      };
    },
    expected: () => ({ sum: 106, long: 1_830, none: 7 }),
  },
  {
    name: 'uploads a stream and gets one back meanwhile',
    run: async ({ connect, signalR }) => {
      const client = await connect();
      return whole(client, 'Doubled', uploadOf(signalR, ...upTo(30)));
    },
    expected: () => upTo(30).map((value) => 2 * value),
  },
  {
    name: 'fails while it uploads, and the method ends with its words',
    run: async ({ connect, signalR }) => {
      const client = await connect();
      const subject = new signalR.Subject<number>();
      const words = wordsOf(client.invoke<unknown>('Sum', 0, subject));
      subject.next(1);
      subject.error(new Error('the disk is full'));
      return { words: await words, next: await client.invoke<unknown>('Sum', 0, uploadOf(signalR, 5)) };
    },
    expected: () => ({
      words: "An unexpected error occurred invoking 'Sum' on the server. HubException: the disk is full",
      next: 5,
    }),
  },
  {
    name: 'hears what goes to its group, and so does the other one',
    run: async ({ connect }) => {
      const [here, there] = [await connect(), await connect({ oid: 'ben' })];
      const heard: Record<string, unknown[]> = { here: [], there: [] };
      here.on('Heard', (value) => void heard['here']?.push(value));
      there.on('heard', (value) => void heard['there']?.push(value));
      const group = newName('group');
      await Promise.all([here.invoke<unknown>('Join', group), there.invoke<unknown>('Join', group)]);
      await here.invoke<unknown>('Broadcast', group, { text: 'to both' });
      await eventually('the other one hears it', () => heard['there']?.length === 1);
      await there.invoke<unknown>('Broadcast', newName('group'), 'to nobody');
      await there.invoke<unknown>('Broadcast', group, 'to both again');
      await eventually('the first one hears it', () => heard['here']?.length === 2);
      return heard;
    },
    expected: () => {
      const both = [{ text: 'to both' }, 'to both again'];
      return { here: both, there: both };
    },
  },
  ...[200, 7].map((perTurn): Step => {
    return {
      name: `hears 200 messages in their order, ${perTurn} in one turn of the hub, as does the other one`,
      run: async ({ connect }) => {
        const [here, there] = [await connect(), await connect({ oid: 'ben' })];
        const heard: unknown[][] = [[], []];
        const group = newName('group');
        for (const [index, client] of [here, there].entries()) {
          client.on('Heard', (value) => void heard[index]?.push(value));
          await client.invoke<unknown>('Join', group);
        }
        await here.invoke<unknown>('Burst', group, 200, perTurn);
        await eventually('all are heard', () => heard.every(({ length }) => length >= 200));
        return heard;
      },
      expected: () => [upTo(200), upTo(200)],
    };
  }),
];
