import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  DEFAULT_HUB_PATH,
  LockError,
  MAX_HUB_MESSAGE_BYTES,
  type EntityChangeHub,
  type Log,
  type Principal,
  type Timers,
} from '../core/index.ts';
import { negotiateAnswer } from './hub-negotiation.ts';
import { readHubRequest, type HubRequest } from './hub-request.ts';
import { HubSocket } from './hub-socket.ts';
import { HubTickets, newConnectionId } from './hub-tickets.ts';
import { callerOf, type Identify } from './identify.ts';
import type { OriginRule } from './origin-rule.ts';

/** How long a stop waits for clients to close, in milliseconds, before it cuts them off. */
const STOP_PATIENCE_MS = 1_000;

/** A frame may carry several messages: those over the limit are for the hub session to refuse, in SignalR's words. */
const MAX_FRAME_BYTES = 2 * MAX_HUB_MESSAGE_BYTES;

export interface HubEndpointOptions {
  readonly hub: EntityChangeHub;
  readonly identify: Identify;
  readonly origins: OriginRule;
  readonly log: Log;
  /** Default `/hubs/entity-changes`. */
  readonly path?: string;
  readonly timers?: Timers;
}

/**
 * The SignalR endpoint of a hub: negotiation over HTTP, then WebSockets and the JSON protocol. A connection belongs to
 * the caller that its token names. Statuses and texts are ASP.NET's; addresses with tokens or ids are never logged.
 */
export class HubEndpoint {
  readonly #options: HubEndpointOptions;
  readonly #path: string;
  readonly #tickets: HubTickets;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    // Measured upstream: contexts of several hundred KB a connection, for messages of a few hundred bytes.
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
  readonly #detach = new Set<() => void>();
  #isStopped = false;

  constructor(options: HubEndpointOptions) {
    this.#options = options;
    this.#path = (options.path ?? DEFAULT_HUB_PATH).replace(/\/$/, '');
    this.#tickets = new HubTickets(options.timers);
  }

  /**
   * Takes a server's requests and upgrades for the hub's path, and leaves all others to the listeners it has now: the
   * hub comes before body parsers, which would swallow what it reads. Returns its own undo.
   */
  attach(server: Server): () => void {
    const others = server.listeners('request') as RequestListener[];
    const onRequest: RequestListener = (request, response) => {
      const hubRequest = readHubRequest(request, this.#path);
      if (hubRequest !== null) void this.#respond(request, hubRequest, response);
      else for (const listener of others) listener.call(server, request, response);
    };
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const hubRequest = readHubRequest(request, this.#path);
      if (hubRequest !== null) void this.#upgrade(request, hubRequest, socket, head);
      // With a listener for upgrades Node leaves every one of them to it: an upgrade that nobody takes would stay open.
      else if (server.listenerCount('upgrade') === 1) refuse(socket, { refusal: '404 Not Found' });
    };
    for (const listener of others) server.off('request', listener);
    server.on('request', onRequest).on('upgrade', onUpgrade);
    const detach = () => {
      if (!this.#detach.delete(detach)) return;
      server.off('request', onRequest).off('upgrade', onUpgrade);
      for (const listener of others) server.on('request', listener);
    };
    this.#detach.add(detach);
    return detach;
  }

  /** Takes no more connections, and resolves when the open ones are gone. The hub has said goodbye before. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const detach of [...this.#detach]) detach();
    this.#tickets.clear();
    const closing = [...this.#sockets.clients].map((socket) => closed(socket));
    await Promise.all(closing);
  }

  async #respond(request: IncomingMessage, hubRequest: HubRequest, response: ServerResponse): Promise<void> {
    if (this.#options.origins.answer(request, response)) return;
    const [status, text] = await this.#answer(request, hubRequest);
    response
      .writeHead(status, {
        'Content-Type': status === 200 ? 'application/json' : 'text/plain',
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
      })
      .end(text);
  }

  async #answer(request: IncomingMessage, hubRequest: HubRequest): Promise<[status: number, text: string]> {
    const principal = await this.#identify(request);
    if (principal === null) return [401, '']; // empty: then clients show the status' own words
    const { route, id, negotiateVersion } = hubRequest;
    if (route === '/negotiate') {
      if (request.method !== 'POST') return [405, ''];
      const ticket = () => this.#tickets.issue(principal);
      return [200, JSON.stringify(negotiateAnswer(negotiateVersion, ticket, newConnectionId))];
    }
    if (route !== '') return [404, ''];
    return otherTransport(request, id);
  }

  async #upgrade(
    request: IncomingMessage,
    hubRequest: HubRequest,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    endOnError(socket);
    const caller = await this.#mayUpgrade(request, hubRequest);
    if ('refusal' in caller) {
      refuse(socket, caller);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#connect(webSocket, caller.principal);
    });
  }

  async #mayUpgrade(request: IncomingMessage, { route, id }: HubRequest): Promise<Admitted | Refused> {
    if (this.#isStopped) return { refusal: '503 Service Unavailable' };
    if (route !== '') return { refusal: '404 Not Found' };
    // CORS does not cover WebSockets: with cookies this is the only thing between a foreign page and the hub.
    if (!this.#options.origins.allows(request)) return { refusal: '403 Forbidden' };
    const principal = await this.#identify(request);
    if (principal === null) return { refusal: '401 Unauthorized' };
    // Without an id the client skipped the negotiation, which WebSockets allow.
    if (id === null || this.#tickets.redeem(id, principal)) return { principal };
    return { refusal: '404 Not Found', text: 'No Connection with that ID' };
  }

  #connect(webSocket: WebSocket, principal: Principal): void {
    if (this.#isStopped) {
      webSocket.close(1_001);
      return;
    }
    const socket = new HubSocket(webSocket);
    socket.feed(this.#options.hub.connect(socket, principal));
  }

  /** null = nobody. A failure on our side is logged; the caller learns no more than that it did not get in. */
  async #identify(request: IncomingMessage): Promise<Principal | null> {
    try {
      return await callerOf(this.#options.identify, request);
    } catch (error) {
      if (!(error instanceof LockError)) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.log.error('A caller of the hub could not be identified.', { reason });
      }
      return null;
    }
  }
}

/** What ASP.NET says to the transports and verbs that this endpoint does not have. */
function otherTransport(
  { method, headers }: IncomingMessage,
  id: string | null,
): [status: number, text: string] {
  if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') return [405, ''];
  if (method === 'GET') {
    const transport =
      headers.accept?.includes('text/event-stream') === true ? 'ServerSentEvents' : 'LongPolling';
    return [404, `${transport} transport not supported by this end point type`];
  }
  if (id === null || id === '') return [400, 'Connection ID required'];
  if (method === 'POST') return [405, 'POST requests are not allowed for WebSocket connections.'];
  return [400, 'Cannot terminate this connection using the DELETE endpoint.'];
}

interface Admitted {
  readonly principal: Principal;
}

interface Refused {
  /** The status line's end. */
  readonly refusal: string;
  readonly text?: string;
}

/** A peer that resets its connection is no fault of the server's: unheard, the error would end the process. */
function endOnError(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}

/** Answers and ends the connection, whether or not the peer ends its half. */
function refuse(socket: Duplex, { refusal, text = '' }: Refused): void {
  endOnError(socket);
  socket.once('finish', () => socket.destroy());
  const lines = [
    `HTTP/1.1 ${refusal}`,
    'Content-Type: text/plain',
    `Content-Length: ${text.length}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), STOP_PATIENCE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1_001);
  });
}
