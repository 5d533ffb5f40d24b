import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../core/index.ts';
import { answerJson, answerText } from './hub-answer.ts';
import type { HubLink } from './hub-links.ts';
import { negotiateAnswer } from './hub-negotiation.ts';
import {
  OTHER_TRANSPORT,
  TOO_MANY_CONNECTIONS,
  UNKNOWN_CONNECTION,
  notOffered,
  prolong,
  startLink,
  type HubParts,
} from './hub-parts.ts';
import type { HubRequest } from './hub-request.ts';
import { LongPollingWire } from './long-polling-wire.ts';
import { readBody } from './read-body.ts';
import { ServerSentEventsWire } from './server-sent-events-wire.ts';

/** A POST may carry so many of the largest messages: clients put what waits into one. */
const POST_FACTOR = 32;

/** A POST's body must be whole after this, in milliseconds. */
const POST_TIMEOUT_MS = 10_000;

/** So many POSTs of one connection may wait for their turn: clients send the next one when the last is answered. */
const MAX_WAITING_POSTS = 32;

/** How long a stop waits for clients to hear the end, in milliseconds, before it cuts them off. */
const STOP_PATIENCE_MS = 1_000;

interface Caller {
  readonly principal: Principal;
  /** The connection token; null = none was sent. */
  readonly id: string | null;
}

/** The requests of a hub's endpoint: negotiation, event streams, polls, and what clients of those two post. */
export class HubHttp {
  readonly #parts: HubParts;
  readonly #wires = new Map<LongPollingWire | ServerSentEventsWire, Promise<void>>();
  #isStopped = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  async respond(request: IncomingMessage, hubRequest: HubRequest, response: ServerResponse): Promise<void> {
    const { origins, identify } = this.#parts;
    if (origins.answer(request, response)) return;
    // Also reads: an event stream of a foreign page would run with the user's cookies, whoever may look at it.
    if (!origins.allows(request)) {
      answerText(response, 403);
      return;
    }
    const principal = await identify(request);
    // Gone meanwhile: nothing would ever tell of its end again.
    if (response.destroyed) return;
    if (typeof principal === 'number') {
      answerText(response, principal); // empty: then clients show the status' own words
      return;
    }
    const { route, id, negotiateVersion } = hubRequest;
    if (route === '/negotiate') this.#negotiate(request, response, principal, negotiateVersion);
    else if (route !== '') answerText(response, 404);
    else await this.#transport(request, response, { principal, id });
  }

  /** Negotiates no more, and starts no transport. Those that run go on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when every stream and every polling client has heard the end, or was cut off. */
  async ended(): Promise<void> {
    const timer = setTimeout(() => {
      for (const wire of this.#wires.keys()) wire.abort();
    }, STOP_PATIENCE_MS);
    await Promise.all(this.#wires.values());
    clearTimeout(timer);
  }

  #negotiate(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    version: string | null,
  ): void {
    const { links, caps, settings } = this.#parts;
    if (request.method !== 'POST') answerText(response, 405);
    else if (this.#isStopped) answerText(response, 503);
    else if (!caps.hasRoom(principal, settings.clientAddress(request))) {
      answerText(response, 429, TOO_MANY_CONNECTIONS);
    } else {
      const redirect = settings.redirect(principal, request);
      const issue = () => links.issue(principal);
      answerJson(response, redirect ?? negotiateAnswer(version, settings.transports, issue));
    }
  }

  async #transport(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const { method } = request;
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') {
      answerText(response, 405);
      return;
    }
    const { id, principal } = caller;
    if (id === null || id === '') {
      answerText(response, 400, 'Connection ID required');
      return;
    }
    const link = this.#parts.links.find(id, principal);
    // Only a GET starts a connection: nothing is kept for one that was negotiated alone.
    const isKnown = link !== null && (method === 'GET' || link.transport !== null);
    // A node that stops says so: what was refused here may have been opened on another one.
    if (!isKnown && this.#isStopped) answerText(response, 503);
    else if (!isKnown) answerText(response, 404, UNKNOWN_CONNECTION);
    else if (method === 'GET') this.#open(request, response, link, caller);
    else if (method === 'POST') await this.#receive(request, response, link, caller);
    else this.#end(response, link);
  }

  #open(request: IncomingMessage, response: ServerResponse, link: HubLink, caller: Caller): void {
    const { settings, caps } = this.#parts;
    const transport = asksForStream(request) ? 'ServerSentEvents' : 'LongPolling';
    if (!settings.transports.includes(transport)) answerText(response, 404, notOffered(transport));
    else if (link.transport !== null && link.transport !== transport)
      answerText(response, 400, OTHER_TRANSPORT);
    else if (link.wire instanceof LongPollingWire) {
      prolong(link, caller.principal);
      link.wire.poll(response);
    } else if (link.wire !== null) answerText(response, 409);
    else if (this.#isStopped) answerText(response, 503);
    else if (!caps.hasRoom(link.principal, settings.clientAddress(request))) {
      answerText(response, 429, TOO_MANY_CONNECTIONS);
    } else this.#start(request, response, link, caller);
  }

  #start(request: IncomingMessage, response: ServerResponse, link: HubLink, { id }: Caller): void {
    const { hub, settings } = this.#parts;
    let resolve = () => {};
    const isOver = new Promise<void>((resolveOver) => {
      resolve = resolveOver;
    });
    const onEnd = () => {
      this.#wires.delete(wire);
      end();
      resolve();
    };
    const { timing, timers } = hub;
    const { input } = link;
    const isStream = asksForStream(request);
    const wire = isStream
      ? new ServerSentEventsWire({ response, input, closeTimeoutMs: timing.closeTimeoutMs, onEnd })
      : new LongPollingWire({
          input,
          timing,
          timers,
          isAwaited: () => link.connection?.isAwaited === true,
          onEnd,
        });
    this.#wires.set(wire, isOver);
    link.wire = wire;
    const end = startLink(this.#parts, {
      link,
      token: id,
      wire,
      transport: isStream ? 'ServerSentEvents' : 'LongPolling',
      address: settings.clientAddress(request),
    });
    if (wire instanceof LongPollingWire) wire.poll(response);
  }

  /** One after the other, as they came: ASP.NET's endpoint does not answer 409 either, whatever its document says. */
  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    link: HubLink,
    caller: Caller,
  ): Promise<void> {
    if (link.transport === 'WebSockets') {
      answerText(response, 405, 'POST requests are not allowed for WebSocket connections.');
      return;
    }
    if (link.input.waiting >= MAX_WAITING_POSTS) {
      answerText(response, 429, 'Too many requests wait already');
      return;
    }
    const maxBytes = POST_FACTOR * this.#parts.hub.limits.maxMessageBytes;
    await link.input.inTurn(async () => {
      // Not before its turn: what waits stays with its client. And whole before any of it is used: half a message of a
      // request that was broken off would spoil the stream.
      const bytes = link.isOver ? null : await readBody(request, { maxBytes, withinMs: POST_TIMEOUT_MS });
      if (bytes === 'aborted') answerText(response, 400);
      else if (bytes === 'too-large') answerText(response, 413);
      else if (bytes === null || link.isOver) answerText(response, 404, UNKNOWN_CONNECTION);
      else {
        prolong(link, caller.principal);
        link.connection?.receive(bytes);
        await link.input.reading();
        answerText(response, 200);
      }
    });
  }

  #end(response: ServerResponse, link: HubLink): void {
    if (!(link.wire instanceof LongPollingWire)) {
      answerText(response, 400, 'Cannot terminate this connection using the DELETE endpoint.');
      return;
    }
    answerText(response, 202);
    link.connection?.disconnected();
    link.wire.abort();
  }
}

function asksForStream({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}
