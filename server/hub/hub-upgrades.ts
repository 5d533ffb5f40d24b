import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Principal } from '../../core/index.ts';
import { newLink, type HubLink } from './hub-links.ts';
import {
  OTHER_TRANSPORT,
  TOO_MANY_CONNECTIONS,
  UNKNOWN_CONNECTION,
  notOffered,
  startLink,
  type HubParts,
} from './hub-parts.ts';
import type { HubRequest } from './hub-request.ts';
import { newConnectionId } from './new-connection-id.ts';
import { endOnError, refuseUpgrade, type RefusedUpgrade } from './refuse-upgrade.ts';
import { WebSocketWire } from './web-socket-wire.ts';

/** A frame may carry several messages; those over the limit are for the connection to refuse, in SignalR's words. */
const FRAME_FACTOR = 4;

/** How long a stop waits for clients to close, in milliseconds, before it cuts them off. */
const STOP_PATIENCE_MS = 1_000;

interface Admitted {
  readonly link: HubLink;
  readonly token: string | null;
  readonly address: string;
}

const UNAVAILABLE: RefusedUpgrade = { refusal: '503 Service Unavailable' };

/** The WebSockets of a hub's endpoint, with and without negotiation. */
export class HubUpgrades {
  readonly #parts: HubParts;
  readonly #sockets: WebSocketServer;
  #isStopped = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#sockets = new WebSocketServer({
      noServer: true,
      // Measured upstream: contexts of several hundred KB a connection, for messages of a few hundred bytes.
      perMessageDeflate: false,
      maxPayload: FRAME_FACTOR * parts.hub.limits.maxMessageBytes,
    });
  }

  async accept(
    request: IncomingMessage,
    hubRequest: HubRequest,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    endOnError(socket);
    const caller = await this.#callerOf(request, hubRequest);
    // In one step up to the start: of two upgrades with one id, or for the last free place, one must find the other.
    const admitted = 'refusal' in caller ? caller : this.#admit(request, hubRequest, caller);
    if ('refusal' in admitted) {
      refuseUpgrade(socket, admitted);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#start(webSocket, socket, admitted);
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when all sockets are closed; those of clients that do not answer are cut off. */
  async ended(): Promise<void> {
    await Promise.all([...this.#sockets.clients].map((socket) => closed(socket)));
  }

  async #callerOf(request: IncomingMessage, { route }: HubRequest): Promise<Principal | RefusedUpgrade> {
    const { origins, identify } = this.#parts;
    if (this.#isStopped) return UNAVAILABLE;
    if (route !== '') return { refusal: '404 Not Found' };
    // CORS does not cover WebSockets: with cookies this is the only thing between a foreign page and the hub.
    if (!origins.allows(request)) return { refusal: '403 Forbidden' };
    const caller = await identify(request);
    if (caller === 503) return UNAVAILABLE;
    return caller === 401 ? { refusal: '401 Unauthorized' } : caller;
  }

  #admit(request: IncomingMessage, { id }: HubRequest, principal: Principal): Admitted | RefusedUpgrade {
    const { settings, caps } = this.#parts;
    if (this.#isStopped) return UNAVAILABLE;
    const link = this.#linkOf(id, principal);
    if (link === null) return { refusal: '404 Not Found', text: UNKNOWN_CONNECTION };
    if (!settings.transports.includes('WebSockets')) {
      return { refusal: '404 Not Found', text: notOffered('WebSockets') };
    }
    if (link.transport === 'WebSockets') return { refusal: '409 Conflict' };
    if (link.transport !== null) return { refusal: '400 Bad Request', text: OTHER_TRANSPORT };
    const address = settings.clientAddress(request);
    if (!caps.hasRoom(principal, address)) {
      return { refusal: '429 Too Many Requests', text: TOO_MANY_CONNECTIONS };
    }
    return { link, token: id, address };
  }

  /** Without an id the client skipped the negotiation, which WebSockets allow. */
  #linkOf(id: string | null, principal: Principal): HubLink | null {
    if (id === null || id === '') return newLink(newConnectionId(), principal);
    return this.#parts.links.find(id, principal);
  }

  #start(webSocket: WebSocket, socket: Duplex, { link, token, address }: Admitted): void {
    const wire = new WebSocketWire(webSocket, socket, this.#parts.hub.timing.closeTimeoutMs);
    const end = startLink(this.#parts, { link, token, address, transport: 'WebSockets', wire });
    webSocket.once('close', end);
    if (link.connection !== null) wire.feed(link.connection);
  }
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
