import type { Scene, Step } from './scene.ts';
import { eventually, passing, watch, wordsOf } from './watching.ts';

const CLOSED_WITH_ERROR = 'Server returned an error on close: Connection closed with an error.';

/** How long an identity lives in these tests, in seconds. */
const TOKEN_S = 1.2;

/** How a connection ends, and when it comes back. */
export const ending: readonly Step[] = [
  {
    name: 'stops, and the hub knows at once',
    run: async ({ connect }) => {
      const [client, other] = [await connect(), await connect()];
      const { events } = watch(client);
      const id = client.connectionId;
      await client.stop();
      await eventually('the hub knows', async () => !(await other.invoke<unknown>('IsConnected', id)));
      return { events, state: client.state };
    },
    expected: () => ({ events: ['closed: none'], state: 'Disconnected' }),
  },
  {
    name: 'is closed for good: it does not come back',
    run: async ({ connect }) => {
      const client = await connect({ reconnect: true });
      const { events, seen } = watch(client);
      await client.send('CloseForGood');
      await seen('closed');
      await passing(100);
      return { events, state: client.state };
    },
    expected: () => ({ events: ['closed: none'], state: 'Disconnected' }),
  },
  {
    name: 'hears everything that was said before its end',
    run: async ({ connect }) => {
      const client = await connect();
      const heard: unknown[] = [];
      client.on('Heard', (value) => void heard.push(value));
      const { events, seen } = watch(client);
      await client.send('SayLastWords');
      await seen('closed');
      return { heard, events };
    },
    expected: () => ({ heard: [1, 2, 3], events: ['closed: none'] }),
  },
  {
    name: 'is closed with words, and does not come back',
    run: async ({ connect }) => {
      const client = await connect({ reconnect: true });
      const { events, seen } = watch(client);
      await client.send('CloseWithError', 'boom');
      await seen('closed');
      return events;
    },
    expected: () => ['closed: Server returned an error on close: boom'],
  },
  {
    name: 'is asked to come back, and does',
    run: async ({ connect }) => {
      const client = await connect({ reconnect: true });
      const { events, seen } = watch(client);
      const before = client.connectionId;
      await client.send('CloseAndComeBack');
      await seen('reconnected');
      return {
        events,
        isNewId: client.connectionId !== before,
        echo: await client.invoke<unknown>('Echo', 1),
      };
    },
    expected: () => ({ events: ['reconnecting: none', 'reconnected'], isNewId: true, echo: 1 }),
  },
  {
    name: 'is asked to come back, and was not made for that',
    run: async ({ connect }) => {
      const client = await connect();
      const { events, seen } = watch(client);
      await client.send('CloseAndComeBack');
      await seen('closed');
      return events;
    },
    expected: () => ['closed: none'],
  },
  {
    name: 'is turned away by the application as soon as it is there',
    // Its end comes in one piece with the answer to its handshake.
    run: ({ build }) => wordsOf(build({ oid: 'turned-away', reconnect: true }).start()),
    expected: () => `${CLOSED_WITH_ERROR} HubException: not you`,
  },
  {
    name: 'comes back after its TCP connections were broken, and is in its groups again',
    run: async ({ connect }) => {
      const client = await connect({ reconnect: true });
      const { events, seen } = watch(client);
      const heard: unknown[] = [];
      client.on('Heard', (value) => void heard.push(value));
      const id = client.connectionId;
      await cut(client);
      await seen('reconnected');
      await client.invoke<unknown>('Broadcast', 'everybody', 'again');
      await eventually('it hears its group', () => heard.length > 0);
      return { events: events.map(kindOf), isNewId: client.connectionId !== id, heard };
    },
    expected: () => ({ events: ['reconnecting', 'reconnected'], isNewId: true, heard: ['again'] }),
  },
  {
    name: 'sends 30 kB and more in pieces, is closed for 40 kB in one piece, and comes back',
    run: async ({ connect }) => {
      const client = await connect({ reconnect: true });
      const { events, seen } = watch(client);
      const fits = 'x'.repeat(30_000);
      const isWhole = (await client.invoke<unknown>('Echo', fits)) === fits;
      const several = await Promise.all([1, 2, 3, 4].map(() => client.invoke<string>('Echo', fits)));
      const words = await wordsOf(client.invoke<unknown>('Echo', 'x'.repeat(40_000)));
      await seen('reconnected');
      return {
        isWhole,
        several: several.map(({ length }) => length),
        words,
        events,
        echo: await client.invoke<unknown>('Echo', 'back'),
      };
    },
    expected: () => ({
      isWhole: true,
      several: [30_000, 30_000, 30_000, 30_000],
      words: CLOSED_WITH_ERROR,
      events: [`reconnecting: ${CLOSED_WITH_ERROR}`, 'reconnected'],
      echo: 'back',
    }),
  },
  {
    name: 'is asked to come back when its token runs out, not before and within a heartbeat, and brings a fresh one',
    run: async ({ connect, testProcess }) => {
      let isFresh = false;
      let mintedAt = 0;
      const client = await connect({
        reconnect: true,
        token: () => {
          if (isFresh) return testProcess.token('anna');
          mintedAt = Date.now();
          return testProcess.token('anna', TOKEN_S);
        },
      });
      client.onreconnecting(() => (isFresh = true));
      const { events, seen } = watch(client);
      await seen('reconnecting');
      const tookMs = Date.now() - mintedAt;
      await seen('reconnected');
      return { events, isInTime: inTime(tookMs), echo: await client.invoke<unknown>('Echo', 'fresh') };
    },
    expected: () => ({ events: ['reconnecting: none', 'reconnected'], isInTime: 'yes', echo: 'fresh' }),
  },
  {
    name: 'stays as long as both sides speak, and leaves a hub that says nothing',
    run: async ({ connect, hubs }) => {
      const [spoken, silent] = [
        await connect({ url: hubs.lively, serverTimeoutMs: 1_000, keepAliveMs: 200 }),
        await connect({ url: hubs.quiet, serverTimeoutMs: 700, keepAliveMs: 200 }),
      ];
      const watches = [spoken, silent].map(watch);
      await passing(1_800);
      return { events: watches.map(({ events }) => events), echo: await spoken.invoke<unknown>('Echo', 1) };
    },
    expected: ({ transport }) => ({
      events: [
        [],
        // Polls show by themselves that the server is there.
        transport === 'LongPolling'
          ? []
          : ['closed: Server timeout elapsed without receiving a message from the server.'],
      ],
      echo: 1,
    }),
  },
];

/** Breaks the TCP connections of everybody; the call that does it is broken too. */
async function cut(client: Awaited<ReturnType<Scene['connect']>>): Promise<void> {
  await client.send('Cut').catch(() => {});
}

function kindOf(event: string): string {
  return event.split(':')[0] ?? '';
}

/** The hub's heartbeat is 250 ms; the rest is for a busy machine. */
function inTime(tookMs: number): string {
  const [least, most] = [TOKEN_S * 1_000, TOKEN_S * 1_000 + 250 + 500];
  return tookMs >= least && tookMs <= most ? 'yes' : `after ${tookMs} ms, not ${least} to ${most}`;
}
