import type { Scene, Step } from './scene.ts';
import { newName, watch, wordsOf } from './watching.ts';

interface Me {
  readonly id: string;
  readonly oid: string;
  readonly node: string;
  readonly protocol: string;
}

const UNAUTHORIZED = "Failed to complete negotiation with the server: Error: Unauthorized: Status code '401'";

/** How a connection begins: identity, addresses, negotiation. */
export const starting: readonly Step[] = [
  {
    name: 'connects, knows its public id, and is whom its token names',
    run: async ({ connect, testProcess }) => {
      let calls = 0;
      const client = await connect({
        token: () => {
          calls += 1;
          return testProcess.token('anna');
        },
      });
      const { id, oid, protocol } = await client.invoke<Me>('WhoAmI');
      const { state, connectionId } = client;
      return { state, isSameId: connectionId === id, length: id.length, oid, protocol, calls };
    },
    expected: ({ transport, protocol }) => ({
      protocol,
      state: 'Connected',
      isSameId: true,
      length: 22,
      oid: 'anna',
      calls: transport === 'WebSockets' ? 2 : 1,
    }),
  },
  {
    name: 'hears what the hub sends as soon as it is connected',
    run: async ({ build }) => {
      const client = build();
      const welcomed = new Promise((resolve) => client.on('Welcome', resolve));
      await client.start();
      return { isSameId: (await welcomed) === client.connectionId };
    },
    expected: () => ({ isSameId: true }),
  },
  {
    name: 'is refused without a token, with a bad one, and with one that has run out',
    run: async ({ build, testProcess }) => {
      const late = await testProcess.token('anna', -2);
      return {
        none: await wordsOf(build({ oid: null }).start()),
        bad: await wordsOf(build({ token: () => 'bad' }).start()),
        late: await wordsOf(build({ token: () => late }).start()),
      };
    },
    expected: () => ({ none: UNAUTHORIZED, bad: UNAUTHORIZED, late: UNAUTHORIZED }),
  },
  {
    name: 'keeps the query of its address in every request',
    run: async ({ connect, hubs, testProcess }) => {
      const run = newName('run');
      const client = await connect({ url: `${hubs.main}?tenant=a%20b&run=${run}` });
      await client.invoke<unknown>('Echo', 1);
      await client.stop();
      const requests = (await testProcess.requests(run)).filter(({ method }) => method !== 'OPTIONS');
      const lines = requests.map(({ method, url }) => {
        const { pathname, searchParams } = new URL(url, 'http://localhost');
        const has = (name: string) => (searchParams.has(name) ? ` ${name}` : '');
        return `${method} ${pathname} tenant=${searchParams.get('tenant') ?? ''}${has('id')}`;
      });
      return [...new Set(lines)].sort();
    },
    expected: ({ transport }) =>
      ({
        WebSockets: ['POST /hub/negotiate tenant=a b', 'UPGRADE /hub tenant=a b id'],
        ServerSentEvents: [
          'GET /hub tenant=a b id',
          'POST /hub tenant=a b id',
          'POST /hub/negotiate tenant=a b',
        ],
        LongPolling: [
          'DELETE /hub tenant=a b id',
          'GET /hub tenant=a b id',
          'POST /hub tenant=a b id',
          'POST /hub/negotiate tenant=a b',
        ],
      })[transport],
  },
  {
    name: 'finds the hub by an address in any case',
    run: async ({ connect, hubs }) => {
      const client = await connect({ url: hubs.main.replace(/hub$/, 'HuB') });
      return (await client.invoke<Me>('WhoAmI')).oid;
    },
    expected: () => 'anna',
  },
  {
    name: 'names itself by a header of its own, in any case, where its world lets it send one',
    run: async ({ build, testProcess }) => {
      const token = await testProcess.token('anna');
      const client = build({ oid: null, http: { headers: { aUTHORIZATION: `bEARER ${token}` } } });
      const words = await wordsOf(client.start());
      return words === 'no error: undefined' ? (await client.invoke<Me>('WhoAmI')).oid : words;
    },
    expected: ({ kind, transport }) => {
      // Neither WebSockets nor event streams of a browser have headers: there the token must come from its factory.
      if (kind === 'node' || transport === 'LongPolling') return 'anna';
      return transport === 'WebSockets'
        ? 'Unable to connect to the server with any of the available transports. ' +
            'Error: WebSockets failed: Error: WebSocket failed to connect. The connection could not be found on the server, ' +
            'either the endpoint may not be a SignalR endpoint, the connection ID is not present on the server, ' +
            'or there is a proxy blocking WebSockets. If you have multiple servers check that sticky sessions are enabled. ' +
            "ServerSentEvents failed: Error: 'ServerSentEvents' is disabled by the client. " +
            "LongPolling failed: Error: 'LongPolling' is disabled by the client."
        : 'Unable to connect to the server with any of the available transports. ' +
            "WebSockets failed: Error: 'WebSockets' is disabled by the client. " +
            'Error: ServerSentEvents failed: Error: EventSource failed to connect. The connection could not be found on the server, ' +
            'either the connection ID is not present on the server, or a proxy is refusing/buffering the connection. ' +
            'If you have multiple servers check that sticky sessions are enabled. ' +
            "LongPolling failed: Error: 'LongPolling' is disabled by the client.";
    },
  },
  {
    name: 'does without negotiation over WebSockets, and nowhere else',
    run: async ({ build }) => {
      const client = build({ http: { skipNegotiation: true } });
      const words = await wordsOf(client.start());
      if (words !== 'no error: undefined') return words;
      const { oid, id } = await client.invoke<Me>('WhoAmI');
      return { oid, length: id.length, ownId: client.connectionId };
    },
    expected: ({ transport }) =>
      transport === 'WebSockets'
        ? { oid: 'anna', length: 22, ownId: null }
        : 'Negotiation can only be skipped when using the WebSocket transport directly.',
  },
  {
    name: 'negotiates in the words of version 0',
    run: async ({ connect, hubs }) => {
      const client = await connect({ url: `${hubs.main}?negotiateVersion=0` });
      return { isThere: (await client.invoke<Me>('WhoAmI')).oid, hasId: client.connectionId !== null };
    },
    expected: () => ({ isThere: 'anna', hasId: true }),
  },
  {
    name: 'is refused by an answer to its negotiation, in just its words',
    run: async ({ build, hubs }) => wordsOf(build({ url: `${hubs.main}?negotiateVersion=x` }).start()),
    expected: () => 'The client requested a non-integer protocol version.',
  },
  {
    name: 'is sent to another hub with a token for it, and starts from the first one again',
    run: async ({ build, hubs, testProcess }) => {
      const run = newName('run');
      let calls = 0;
      const client = build({
        url: `${hubs.redirecting}?run=${run}`,
        reconnect: true,
        token: () => {
          calls += 1;
          return testProcess.token('anna');
        },
      });
      await client.start();
      const first = await whoAmI(client);
      const { seen } = watch(client);
      await client.send('CloseAndComeBack');
      await seen('reconnected');
      return {
        first,
        again: await whoAmI(client),
        calls,
        asked: (await negotiations(testProcess, run)).length,
      };
    },
    expected: () => {
      const there = { oid: 'anna-elsewhere', node: 'elsewhere' };
      return { first: there, again: there, calls: 2, asked: 2 };
    },
  },
];

async function whoAmI(client: Awaited<ReturnType<Scene['connect']>>) {
  const { oid, node } = await client.invoke<Me>('WhoAmI');
  return { oid, node };
}

async function negotiations(testProcess: Scene['testProcess'], run: string) {
  const requests = await testProcess.requests(run);
  return requests.filter(({ method, url }) => method === 'POST' && url.includes('/negotiate'));
}
