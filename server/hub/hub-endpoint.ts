import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LockError, type Hub, type Log, type Principal } from '../../core/index.ts';
import { callerOf, type Identify } from '../identify.ts';
import type { OriginRule } from '../origin-rule.ts';
import { ConnectionCaps } from './connection-caps.ts';
import { ConnectionTokens } from './connection-tokens.ts';
import { HubHttp } from './hub-http.ts';
import { HubLinks } from './hub-links.ts';
import type { HubRequest } from './hub-request.ts';
import { hubSettings, type HubSettings } from './hub-settings.ts';
import { plugIn } from './hub-switchboard.ts';
import { HubUpgrades } from './hub-upgrades.ts';

/** Which hub is served, and to whom. */
export interface HubEndpointOptions {
  /** The hub. */
  readonly hub: Hub;
  /** Who connects. */
  readonly identify: Identify;
  /** Whose pages may connect. */
  readonly origins: OriginRule;
  /** Hears of what goes wrong. */
  readonly log: Log;
  /** `timing` and `limits` are the hub's own, and not read here. */
  readonly settings?: HubSettings;
}

/**
 * The SignalR endpoint of a hub: negotiation, WebSockets, server-sent events and long polling. A connection belongs to
 * the caller that its token names. Statuses and texts are ASP.NET's; addresses with tokens or ids are never logged.
 */
export class HubEndpoint {
  readonly #options: HubEndpointOptions;
  readonly #path: string;
  readonly #drainMs: number;
  readonly #http: HubHttp;
  readonly #upgrades: HubUpgrades;
  readonly #detach = new Set<() => void>();
  #draining: Promise<void> | null = null;
  /** Answers that are still to come. */
  readonly #open = new Set<ServerResponse>();

  constructor(options: HubEndpointOptions) {
    const { hub, origins } = options;
    this.#options = options;
    const settings = hubSettings(options.settings);
    this.#path = settings.path;
    this.#drainMs = settings.drainMs;
    const { connectionSecret: secret } = settings;
    const links = new HubLinks({
      tokens: new ConnectionTokens(secret === undefined ? {} : { secret }),
    });
    const caps = new ConnectionCaps({
      perUser: settings.maxConnectionsPerUser,
      perAddress: settings.maxConnectionsPerAddress,
    });
    const parts = {
      hub,
      links,
      caps,
      settings,
      identify: (request: IncomingMessage) => this.#identify(request),
    };
    this.#http = new HubHttp({ ...parts, origins });
    this.#upgrades = new HubUpgrades({ ...parts, origins });
  }

  /**
   * Takes a server's requests and upgrades for the hub's path, and leaves all others to the listeners it has now. Call it
   * once the server has its own handler; any number of hubs share a server. Returns its own undo.
   */
  attach(server: Server): () => void {
    const unplug = plugIn(server, {
      path: this.#path,
      respond: (...exchange) => this.#respond(...exchange),
      upgrade: (...exchange) => this.#upgrade(...exchange),
    });
    const detach = () => {
      if (this.#detach.delete(detach)) unplug();
    };
    this.#detach.add(detach);
    return detach;
  }

  /**
   * Takes no more connections (503), asks those that are open to come back elsewhere (spread over `drainMs`, less where
   * they are few), and resolves when all are gone. Harmless when called again.
   */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  /** Drains, and leaves its servers. Harmless when called again. */
  async stop(): Promise<void> {
    await this.drain();
    for (const detach of [...this.#detach]) detach();
  }

  async #drain(): Promise<void> {
    for (const response of this.#open) endConnectionWith(response);
    this.#http.stop();
    this.#upgrades.stop();
    const { hub } = this.#options;
    const spreadMs = Math.min(this.#drainMs, hub.connectionCount * DRAIN_STEP_MS);
    await hub.closeAll({ allowReconnect: true }, spreadMs);
    // Polls and DELETEs that end connections are still answered.
    await Promise.all([this.#http.ended(), this.#upgrades.ended()]);
  }

  #respond(request: IncomingMessage, hubRequest: HubRequest, response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    if (this.#draining !== null) endConnectionWith(response);
    this.#http.respond(request, hubRequest, response).catch((error: unknown) => {
      this.#failed(error);
      response.destroy();
    });
  }

  #upgrade(request: IncomingMessage, hubRequest: HubRequest, socket: Duplex, head: Buffer): void {
    this.#upgrades.accept(request, hubRequest, socket, head).catch((error: unknown) => {
      this.#failed(error);
      socket.destroy();
    });
  }

  /** A function of the application's own threw: unheard, that would end the process. */
  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.error('A request to the hub failed.', { reason });
  }

  /** A failure on our side is logged; the caller learns no more than that it did not get in. */
  async #identify(request: IncomingMessage): Promise<Principal | 401 | 503> {
    try {
      return await callerOf(this.#options.identify, request);
    } catch (error) {
      if (!(error instanceof LockError)) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.log.error('A caller of the hub could not be identified.', { reason });
        return 401;
      }
      // After a 401 pages drop their token, which may be a good one here.
      return error.code === 'identity-unavailable' ? 503 : 401;
    }
  }
}

/** So many milliseconds of a drain for each connection: few connections do not hold up a stop. */
const DRAIN_STEP_MS = 5;

/** A kept connection would hold up a server that closes, and idles until its own time limit. */
function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
