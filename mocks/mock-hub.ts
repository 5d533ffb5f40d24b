import { http, ws, type RequestHandler, type WebSocketHandler, type WebSocketHandlerConnection } from 'msw';
import type { EntityChangeHub, HubConnection, Principal } from '../core/index.ts';
import { MockHubWire } from './mock-hub-wire.ts';
import type { MockNetwork } from './mock-network.ts';
import type { MockUsers } from './mock-users.ts';

export interface MockHubOptions {
  /** Without a trailing slash. Answered below any origin and any sub-path. */
  readonly hubPath: string;
  readonly hub: EntityChangeHub;
  readonly users: MockUsers;
  readonly network: MockNetwork;
  readonly isDown: () => boolean;
  readonly now: () => number;
}

type Client = WebSocketHandlerConnection['client'];

/** A connection that was negotiated must be opened within this time (ASP.NET's DisconnectTimeout). */
const CONNECT_WITHIN_MS = 15_000;

/**
 * Puts `EntityChangeHub` behind SignalR's negotiate call and a mocked WebSocket. Offers only WebSockets with text.
 * Who a connection belongs to comes from the `access_token` in its URL; the `id` must be one that the same person
 * negotiated. So several users on one page are several connections, and no page hears another one's.
 */
export class MockHub {
  readonly handlers: readonly (RequestHandler | WebSocketHandler)[];
  readonly #options: MockHubOptions;
  /** `connectionToken` → who negotiated it, and when. */
  readonly #negotiated = new Map<string, { readonly principal: Principal; readonly atMs: number }>();
  /** msw's own set keeps closed clients and reaches other pages of the origin, so it stays out of this. */
  readonly #connections = new Map<Client, HubConnection>();

  constructor(options: MockHubOptions) {
    this.#options = options;
    const { hubPath, network } = options;
    const isNegotiate = ({ request }: { request: Request }) =>
      new URL(request.url).pathname.toLowerCase().endsWith(`${hubPath.toLowerCase()}/negotiate`);
    this.handlers = [
      http.post(isNegotiate, ({ request }) => network.carryHub(request, () => this.#negotiate(request))),
      ws.link(`*${hubPath}`).addEventListener('connection', ({ client }) => this.#connect(client)),
    ];
  }

  /** Says goodbye to every client; `allowReconnect` asks them to come back. */
  close({ allowReconnect }: { readonly allowReconnect: boolean }): void {
    for (const connection of [...this.#connections.values()]) connection.close({ allowReconnect });
  }

  /** Breaks every connection as a lost network does: no Close message, code 1006. */
  cut(): void {
    for (const [client, connection] of [...this.#connections]) {
      client.close(1006);
      connection.disconnected();
    }
  }

  #negotiate(request: Request): Response {
    const { users, now } = this.#options;
    const principal = users.byRequest(request);
    // The body must be empty: the client shows it instead of the status.
    if (principal === null) return new Response(null, { status: 401, statusText: 'Unauthorized' });
    this.#forgetStale();
    const connectionToken = crypto.randomUUID();
    this.#negotiated.set(connectionToken, { principal, atMs: now() });
    return Response.json({
      negotiateVersion: 1,
      connectionId: crypto.randomUUID(),
      connectionToken,
      availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
    });
  }

  #connect(client: Client): void {
    const principal = this.#principalOf(client.url);
    // Closed before it opens: the client sees a connection that fails, as with a 401 or 404 to the upgrade.
    if (principal === null || this.#options.isDown()) return client.close(1006);
    const connection = this.#options.hub.hub.connect({
      wire: new MockHubWire(client),
      principal,
      id: crypto.randomUUID(),
    });
    this.#connections.set(client, connection);
    client.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') connection.receive(data);
      else client.close(1003); // only text was offered (RFC 6455 section 7.4.1: data of a type it cannot accept)
    });
    client.addEventListener('close', () => {
      this.#connections.delete(client);
      connection.disconnected();
    });
  }

  /** As on the server: a known token, and an id that was given to the same person and not used yet. */
  #principalOf({ searchParams }: URL): Principal | null {
    const principal = this.#options.users.byToken(searchParams.get('access_token'));
    const id = searchParams.get('id');
    if (principal === null || id === null) return principal; // no id: `skipNegotiation`
    this.#forgetStale();
    const negotiated = this.#negotiated.get(id)?.principal;
    if (negotiated?.tenant !== principal.tenant || negotiated.oid !== principal.oid) return null;
    this.#negotiated.delete(id);
    return principal;
  }

  #forgetStale(): void {
    const oldestMs = this.#options.now() - CONNECT_WITHIN_MS;
    for (const [token, { atMs }] of this.#negotiated) if (atMs < oldestMs) this.#negotiated.delete(token);
  }
}
