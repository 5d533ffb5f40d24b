import type { HubTransport } from '../../../server/index.ts';
import type { Manner, Scene, Step } from './scene.ts';
import { newName, wordsOf } from './watching.ts';

/** Which transport a client takes where it may choose. The transport of the manner is not looked at here. */
export const fallingBack: readonly Step[] = [
  {
    name: 'takes WebSockets where it may choose',
    run: (scene) => taken(scene, scene.hubs.main),
    expected: () => ['upgrade'],
  },
  {
    name: 'takes what comes next where a proxy refuses upgrades',
    run: (scene) => taken(scene, scene.hubs.withoutUpgrades),
    // Event streams carry text alone.
    expected: ({ protocol }) => ['upgrade', protocol === 'json' ? 'stream' : 'polls'],
  },
  {
    name: 'takes long polling where a proxy breaks event streams, too',
    run: (scene) => taken(scene, scene.hubs.withoutStreams),
    expected: ({ protocol }) => (protocol === 'json' ? ['upgrade', 'stream', 'polls'] : ['upgrade', 'polls']),
  },
  {
    name: 'does not even try what the hub does not offer',
    run: async (scene) => ({
      streams: await taken(scene, scene.hubs.streamsAlone),
      polls: await taken(scene, scene.hubs.pollsAlone),
    }),
    expected: ({ protocol }) => ({
      streams:
        protocol === 'json'
          ? ['stream']
          : 'Unable to connect to the server with any of the available transports. ' +
            "ServerSentEvents failed: Error: 'ServerSentEvents' does not support Binary.",
      polls: ['polls'],
    }),
  },
  {
    name: 'chooses the next one of its own where its protocol is not for event streams',
    run: async (scene) => ({
      streams: await taken(scene, scene.hubs.main, 'ServerSentEvents'),
      both: await taken(scene, scene.hubs.main, 'ServerSentEvents', 'LongPolling'),
    }),
    expected: ({ protocol }) =>
      protocol === 'json'
        ? { streams: ['stream'], both: ['stream'] }
        : {
            streams:
              'Unable to connect to the server with any of the available transports. ' +
              "WebSockets failed: Error: 'WebSockets' is disabled by the client. " +
              "ServerSentEvents failed: Error: 'ServerSentEvents' does not support Binary. " +
              "LongPolling failed: Error: 'LongPolling' is disabled by the client.",
            both: ['polls'],
          },
  },
  {
    name: 'is told that nothing is left where it wants another transport than the hub has',
    run: (scene) => taken(scene, scene.hubs.pollsAlone, 'WebSockets'),
    expected: () =>
      'Unable to connect to the server with any of the available transports. ' +
      "LongPolling failed: Error: 'LongPolling' is disabled by the client.",
  },
];

/** Every combination that there is: event streams carry text alone. */
export const MANNERS: readonly Manner[] = [
  { transport: 'WebSockets', protocol: 'json' },
  { transport: 'WebSockets', protocol: 'messagepack' },
  { transport: 'ServerSentEvents', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'messagepack' },
];

/** The transports that a client tried, the last of which serves a call; or its words where none did. */
async function taken(
  scene: Scene,
  hub: string,
  ...transports: readonly HubTransport[]
): Promise<readonly string[] | string> {
  const run = newName('run');
  const client = scene.build({ url: `${hub}?run=${run}`, transports });
  const words = await wordsOf(client.start());
  if (words !== 'no error: undefined') return words;
  await client.invoke<unknown>('Echo', 1);
  const requests = (await scene.testProcess.requests(run)).filter(({ url }) => url.includes('id='));
  const kinds = requests.map(({ method, accept }) => {
    if (method === 'UPGRADE') return 'upgrade';
    if (method !== 'GET') return '';
    return accept.includes('text/event-stream') ? 'stream' : 'polls';
  });
  return [...new Set(kinds)].filter(Boolean);
}
