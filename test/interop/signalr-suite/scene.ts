import type * as SignalRModule from '@microsoft/signalr';
import type {
  HttpTransportType,
  HubConnection,
  IHttpConnectionOptions,
  IHubProtocol,
} from '@microsoft/signalr';
import type { HubTransport } from '../../../server/index.ts';

/** The vendor's client as the world it runs in has it: Node's module, or the script for browsers. */
export type SignalR = typeof SignalRModule;

export type ProtocolName = 'json' | 'messagepack';

/** How the clients of one run talk. */
export interface Manner {
  readonly transport: HubTransport;
  readonly protocol: ProtocolName;
}

/** The hubs that a run finds; what they are is in `signalr-hubs.ts`. */
export interface HubAddresses {
  readonly main: string;
  readonly lively: string;
  readonly quiet: string;
  readonly redirecting: string;
  readonly withoutUpgrades: string;
  readonly withoutStreams: string;
  readonly streamsAlone: string;
  readonly pollsAlone: string;
}

/** What the test's process does for a run, wherever that is. */
export interface TestProcess {
  /** A fresh token that our hubs take for so many seconds; a negative number has run out already. Default: 600. */
  token(oid: string, livesS?: number): Promise<string>;
  /** The requests whose address has this text, at any hub: method, path, transport-relevant headers. */
  requests(part: string): Promise<readonly AskedOf[]>;
}

export interface AskedOf {
  readonly method: string;
  readonly url: string;
  readonly accept: string;
}

/** Where a run takes place. */
export interface World extends Manner {
  readonly kind: 'node' | 'chromium';
  readonly signalR: SignalR;
  readonly newMessagePack: () => IHubProtocol;
  readonly hubs: HubAddresses;
  readonly testProcess: TestProcess;
}

export interface ClientOptions {
  /** Default: the main hub. */
  readonly url?: string;
  /** Default `anna`. null = without a token. */
  readonly oid?: string | null;
  /** In place of a token of `oid`. */
  readonly token?: () => string | Promise<string>;
  readonly reconnect?: boolean;
  /** What it may choose from. Default: the run's own one. None = all that there are. */
  readonly transports?: readonly HubTransport[];
  readonly http?: IHttpConnectionOptions;
  readonly serverTimeoutMs?: number;
  readonly keepAliveMs?: number;
}

/** What one step has at hand. Its clients are stopped when it is over. */
export interface Scene extends World {
  /** A client that has not been started. */
  build(options?: ClientOptions): HubConnection;
  /** A client that is connected. */
  connect(options?: ClientOptions): Promise<HubConnection>;
}

/**
 * One ability of a client at our hub. `run` answers what it saw, as JSON, in the world where the client is; `expected`
 * is held against it in the test's process.
 */
export interface Step {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<unknown>;
  readonly expected: (manner: Manner & Pick<World, 'kind'>) => unknown;
}

/** Short, so that a broken connection comes back within a test; long enough for a busy machine. */
const RECONNECT_DELAYS_MS = [0, 20, 50, 100, 200, 500, 1_000, 2_000];

/** Runs a step and puts its clients away. Answers JSON: what it saw by then, whatever its clients still see of their end. */
export async function runStep(step: Step, world: World): Promise<string> {
  const clients: HubConnection[] = [];
  const build = (options: ClientOptions = {}) => {
    const client = buildClient(world, options);
    clients.push(client);
    return client;
  };
  const scene: Scene = {
    ...world,
    build,
    async connect(options) {
      const client = build(options);
      await client.start();
      return client;
    },
  };
  try {
    return JSON.stringify(await step.run(scene));
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
}

function buildClient(world: World, options: ClientOptions): HubConnection {
  const { HubConnectionBuilder, JsonHubProtocol, NullLogger } = world.signalR;
  const {
    url = world.hubs.main,
    oid = 'anna',
    token,
    reconnect = false,
    serverTimeoutMs,
    keepAliveMs,
  } = options;
  const factory = token ?? (oid === null ? undefined : () => world.testProcess.token(oid));
  const builder = new HubConnectionBuilder()
    .withUrl(url, {
      logger: NullLogger.instance,
      transport: maskOf(world, options.transports ?? [world.transport]),
      ...(factory === undefined ? {} : { accessTokenFactory: factory }),
      ...options.http,
    })
    .withHubProtocol(world.protocol === 'json' ? new JsonHubProtocol() : world.newMessagePack())
    .configureLogging(NullLogger.instance);
  if (reconnect) builder.withAutomaticReconnect(RECONNECT_DELAYS_MS);
  if (serverTimeoutMs !== undefined) builder.withServerTimeout(serverTimeoutMs);
  if (keepAliveMs !== undefined) builder.withKeepAliveInterval(keepAliveMs);
  return builder.build();
}

/** The vendor's number for a choice of transports. */
function maskOf({ signalR }: World, transports: readonly HubTransport[]): HttpTransportType {
  const { HttpTransportType } = signalR;
  const mask: number = transports.reduce<number>((sum, name) => sum | HttpTransportType[name], 0);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the vendor's masks are sums of its enum
  return mask;
}
