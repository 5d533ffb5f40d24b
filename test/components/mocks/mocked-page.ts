import { HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';
import { DEFAULT_HUB_PATH, lockable, type EntityChange, type LockableOptions } from '../../../core/index.ts';
import {
  createMockBackend,
  startMockWorker,
  type MockBackend,
  type MockBackendOptions,
  type MockUser,
  type MockWorkerOptions,
} from '../../../mocks/index.ts';

export const ANNA: MockUser = { token: 'anna-1', tenant: 'acme', oid: 'anna', name: 'Anna', kind: 'user' };
export const BEN: MockUser = { token: 'ben-1', tenant: 'acme', oid: 'ben', name: 'Ben', kind: 'user' };
/** A user of another tenant. */
export const EVE: MockUser = { token: 'eve-1', tenant: 'umbrella', oid: 'eve', name: 'Eve', kind: 'user' };

export interface ApiReply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Starts waiting for something before it is caused. */
export interface HubClient {
  readonly connection: HubConnection;
  /** Everything heard so far. */
  readonly changes: readonly EntityChange[];
  /** Resolves with the next change that is an `operation`, or with one that was heard already. */
  heard(operation: string): Promise<EntityChange>;
}

/** The page of one test: a mocked network, people who call it, and an end that leaves nothing behind. */
export class MockedPage {
  readonly backend: MockBackend;
  readonly #stopWorker: () => void;
  readonly #connections: HubConnection[] = [];

  private constructor(backend: MockBackend, stopWorker: () => void) {
    this.backend = backend;
    this.#stopWorker = stopWorker;
  }

  static async start(
    options: Partial<MockBackendOptions> & { readonly lockable?: LockableOptions } = {},
    worker: MockWorkerOptions = {},
  ): Promise<MockedPage> {
    const { lockable: order = {}, ...rest } = options;
    const backend = createMockBackend({
      types: [lockable('Order', order), lockable('Invoice')],
      users: [ANNA, BEN, EVE],
      ...rest,
    });
    const { stop } = await startMockWorker(backend, worker);
    return new MockedPage(backend, stop);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.stop()));
    this.backend.stop();
    this.#stopWorker();
  }

  /** A call of the lock API: `call(ANNA, 'POST', '/locks/Order/1/claim', { sessionId: 's1' })`. */
  async call(user: MockUser | null, method: string, path: string, body?: unknown): Promise<ApiReply> {
    const response = await fetch(`/api${path}`, {
      method,
      ...(user === null ? {} : { headers: { authorization: `Bearer ${user.token}` } }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await replyOf(response);
  }

  /** A connection of the real client, not started yet, that says `accessTokenFactory: user.token`. */
  client(user: Pick<MockUser, 'token'>, url = DEFAULT_HUB_PATH): HubClient {
    const connection = new HubConnectionBuilder()
      .withUrl(url, { accessTokenFactory: () => user.token })
      .withAutomaticReconnect([0, 0])
      .configureLogging(LogLevel.None)
      .build();
    this.#connections.push(connection);
    const changes: EntityChange[] = [];
    const waiting = new Set<(change: EntityChange) => void>();
    connection.on('EntityChanged', (change: EntityChange) => {
      changes.push(change);
      for (const tell of waiting) tell(change);
    });
    return {
      connection,
      changes,
      heard: (operation) =>
        new Promise((resolve) => {
          const tell = (change: EntityChange) => {
            if (change.operation !== operation) return;
            waiting.delete(tell);
            resolve(change);
          };
          waiting.add(tell);
          for (const change of changes) tell(change);
        }),
    };
  }

  /** A started connection. */
  async connect(user: Pick<MockUser, 'token'>, url?: string): Promise<HubClient> {
    const client = this.client(user, url);
    await client.connection.start();
    return client;
  }
}

/** Reads a response whole. */
export async function replyOf(response: Response): Promise<ApiReply> {
  const text = await response.text();
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: isJson(response) ? (JSON.parse(text) as ApiReply['body']) : { text },
  };
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}
