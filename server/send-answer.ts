import type { IncomingMessage, ServerResponse } from 'node:http';
import { LockError, problemAnswer, type ApiAnswer, type Log } from '../core/index.ts';
import { putAnswerHeaders } from './answer-headers.ts';
import { requestId } from './request-id.ts';

/** Who is still sending a body that nobody reads gets so long to read the answer, in milliseconds. */
const LINGER_MS = 1_000;

/** Sends an answer as JSON that no cache keeps. */
export function sendAnswer(
  response: ServerResponse,
  { status, contentType, body, headers }: ApiAnswer,
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  putAnswerHeaders(response);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer'); // RFC 9110 section 15.5.2
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response
    .writeHead(status, {
      'Content-Type': `${contentType}; charset=utf-8`,
      'Content-Length': bytes.length,
      'Cache-Control': 'no-store',
    })
    .end(bytes);
}

/**
 * Answers a failure: a `LockError` as the problem it is; anything else as a 500 with the code `internal`, whose reason
 * goes to the log, with the request's id, and never to the caller.
 */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: Log,
): void {
  const id = requestId(request, response);
  if (error instanceof LockError) {
    sendAnswer(response, problemAnswer(error));
    return;
  }
  log.error('A request failed unexpectedly.', {
    requestId: id,
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendAnswer(response, problemAnswer(new LockError('internal', 'Something went wrong on the server.')));
}

/**
 * Ends the connection of a request that was answered before its body had come, unless the rest comes soon. At once
 * would be too early: what is unread makes a reset of the close, and the client may never see its answer.
 */
export function endUnreadRequest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
