import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { readHubRequest, type HubRequest } from './hub-request.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

/** What a hub does with the requests below its path. */
export interface HubRoutes {
  readonly path: string;
  respond(request: IncomingMessage, hubRequest: HubRequest, response: ServerResponse): void;
  upgrade(request: IncomingMessage, hubRequest: HubRequest, socket: Duplex, head: Buffer): void;
}

/** The hubs of one server, those with longer paths first: one hub's path may lie below another's. */
interface Board {
  hubs: readonly HubRoutes[];
  readonly unplug: () => void;
}

const boards = new WeakMap<Server, Board>();

/**
 * Gives a server's requests and upgrades below a hub's path to the hub, and leaves all others to the listeners that the
 * server has when its first hub comes: hubs come before body parsers, which would swallow what they read. Any number of
 * hubs share a server, and leave it in any order. Returns its own undo.
 */
export function plugIn(server: Server, hub: HubRoutes): () => void {
  const board = boards.get(server) ?? newBoard(server);
  boards.set(server, board);
  board.hubs = [...board.hubs, hub].sort((one, other) => other.path.length - one.path.length);
  return () => {
    if (!board.hubs.includes(hub)) return;
    board.hubs = board.hubs.filter((other) => other !== hub);
    if (board.hubs.length > 0) return;
    board.unplug();
    boards.delete(server);
  };
}

function newBoard(server: Server): Board {
  const others = server.listeners('request') as RequestListener[];
  const find = (request: IncomingMessage) => {
    for (const hub of board.hubs) {
      const hubRequest = readHubRequest(request, hub.path);
      if (hubRequest !== null) return { hub, hubRequest };
    }
    return null;
  };
  const onRequest: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    const found = find(request);
    if (found !== null) found.hub.respond(request, found.hubRequest, response);
    else for (const listener of others) listener.call(server, request, response);
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const found = find(request);
    if (found !== null) found.hub.upgrade(request, found.hubRequest, socket, head);
    // With a listener for upgrades Node leaves every one of them to it: an upgrade that nobody takes would stay open.
    else if (server.listenerCount('upgrade') === 1) refuseUpgrade(socket, { refusal: '404 Not Found' });
  };
  for (const listener of others) server.off('request', listener);
  server.on('request', onRequest).on('upgrade', onUpgrade);
  const board: Board = {
    hubs: [],
    unplug() {
      server.off('request', onRequest).off('upgrade', onUpgrade);
      for (const listener of others) server.on('request', listener);
    },
  };
  return board;
}
