import type { IncomingMessage, ServerResponse } from 'node:http';
import { LockError, problemAnswer, type ApiAnswer, type Log } from '../core/index.ts';
import { requestId } from './request-id.ts';

/** Sends an answer as JSON that no cache keeps. */
export function sendAnswer(response: ServerResponse, { status, contentType, body }: ApiAnswer): void {
  const bytes = Buffer.from(JSON.stringify(body));
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer'); // RFC 9110 section 15.5.2
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
