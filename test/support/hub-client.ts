import { HubConnectionBuilder, HttpTransportType, NullLogger, type HubConnection } from '@microsoft/signalr';
import { DEFAULT_HUB_PATH, type EntityChange } from '../../core/index.ts';
import { tokenFor, type TestUser } from './test-tokens.ts';
import { until } from './until.ts';

export interface HubClientOptions {
  readonly url: string;
  /** null = without a token. */
  readonly user: TestUser | null;
  readonly skipNegotiation?: boolean;
  readonly reconnect?: boolean;
  /** Default: what the client chooses among those that the hub offers. */
  readonly transport?: HttpTransportType;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The vendor's own client, and what it heard. */
export class HubClient {
  readonly connection: HubConnection;
  readonly changes: EntityChange[] = [];
  resyncs = 0;

  constructor({ url, user, skipNegotiation = false, reconnect = false, ...options }: HubClientOptions) {
    const { transport, headers } = options;
    const builder = new HubConnectionBuilder()
      .withUrl(url + DEFAULT_HUB_PATH, {
        logger: NullLogger.instance,
        ...(user === null ? {} : { accessTokenFactory: () => tokenFor(user) }),
        ...(transport === undefined ? {} : { transport }),
        ...(headers === undefined ? {} : { headers: { ...headers } }),
        ...(skipNegotiation ? { skipNegotiation, transport: HttpTransportType.WebSockets } : {}),
      })
      .configureLogging(NullLogger.instance);
    if (reconnect) builder.withAutomaticReconnect([0, 20, 50, 100, 200, 500, 1_000]);
    this.connection = builder.build();
    this.connection.on('EntityChanged', (change: EntityChange) => this.changes.push(change));
    this.connection.on('Resync', () => {
      this.resyncs += 1;
    });
  }

  /** Connects; with types, hears those alone, and resolves when nothing of them is missed any more. */
  async start(...types: readonly string[]): Promise<this> {
    await this.connection.start();
    if (types.length > 0) await this.connection.invoke('Subscribe', types);
    return this;
  }

  /** Waits for a change of an entity. */
  heard(operation: string, entityUid: string): Promise<EntityChange> {
    return until(`${operation} of ${entityUid}`, () =>
      this.changes.find((change) => change.operation === operation && change.entityUid === entityUid),
    );
  }

  stop(): Promise<void> {
    return this.connection.stop();
  }
}
