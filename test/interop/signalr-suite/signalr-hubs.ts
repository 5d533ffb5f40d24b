import { tokenFor } from '../../support/test-tokens.ts';
import { tokenThatLives } from '../interop-methods.ts';
import { startInteropNode, type InteropNode } from '../interop-node.ts';
import { startHubProxy } from './hub-proxy.ts';
import type { HubAddresses, TestProcess } from './scene.ts';

/** The hubs of a run, on ports of their own. */
export interface SignalrHubs {
  readonly addresses: HubAddresses;
  readonly testProcess: TestProcess;
  /** Connections that are still open, at all hubs. */
  readonly openConnections: number;
  stop(): Promise<void>;
}

/** Starts all of them. `pageOrigin`: where the browser's page is from. */
export async function startSignalrHubs(pageOrigin?: string): Promise<SignalrHubs> {
  const allowedOrigins = pageOrigin === undefined ? [] : [pageOrigin];
  // What has to be waited for takes less of a test's time: four heartbeats a second, and polls that nobody goes on with
  // after a broken TCP connection are soon given up.
  const timing = { heartbeatMs: 250, disconnectTimeoutMs: 1_500 };
  const start = (settings: Parameters<typeof startInteropNode>[0]) =>
    startInteropNode({ allowedOrigins, timing, ...settings });
  const elsewhere = await start({ name: 'elsewhere' });
  const accessToken = await tokenFor({ oid: 'anna-elsewhere' });
  const [main, lively, quiet, redirecting, streamsAlone, pollsAlone] = await Promise.all([
    start({ name: 'main' }),
    start({ name: 'lively', timing: { heartbeatMs: 100, pingEveryMs: 200, clientTimeoutMs: 1_000 } }),
    // Its first ping comes after 15 s, as everywhere.
    start({ name: 'quiet' }),
    start({ name: 'redirecting', redirect: () => ({ url: elsewhere.url, accessToken }) }),
    start({ name: 'streams', transports: ['ServerSentEvents'] }),
    start({ name: 'polls', transports: ['LongPolling'] }),
  ]);
  const proxies = await Promise.all([
    startHubProxy(main.url, { refuses: ['upgrades'] }),
    startHubProxy(main.url, { refuses: ['upgrades', 'streams'] }),
  ]);
  const [withoutUpgrades, withoutStreams] = proxies;
  const nodes: readonly InteropNode[] = [
    ...[main, lively, quiet, redirecting],
    ...[streamsAlone, pollsAlone, elsewhere],
  ];
  return {
    addresses: {
      main: main.url,
      lively: lively.url,
      quiet: quiet.url,
      redirecting: redirecting.url,
      streamsAlone: streamsAlone.url,
      pollsAlone: pollsAlone.url,
      withoutUpgrades: withoutUpgrades.url,
      withoutStreams: withoutStreams.url,
    },
    testProcess: {
      token: (oid, livesS = 600) => tokenThatLives(oid, livesS),
      requests: async (part) =>
        [...nodes, ...proxies]
          .flatMap(({ requests }) => requests.filter(({ url }) => url.includes(part)))
          .sort((one, other) => one.atMs - other.atMs)
          .map(({ method, url, headers }) => ({ method, url, accept: headers.accept ?? '' })),
    },
    get openConnections() {
      return nodes.reduce((sum, { hub }) => sum + hub.connectionCount, 0);
    },
    async stop() {
      await Promise.all([...proxies, ...nodes].map((part) => part.stop()));
    },
  };
}
