import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';

/** What may be taken over from a caller or a proxy into log lines: nothing that could break one or fill it. */
const USABLE = /^[\w.:+/=-]{1,100}$/;

/**
 * The request's id, by which its log lines and its answer are found: the one that the application's own logger gave it
 * (`request.id`, as pino-http does), the `X-Request-Id` that a proxy sent, or a new one. Put on the answer as well.
 */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = 'id' in request ? request.id : undefined;
  const sent = given ?? response.getHeader(HEADER) ?? request.headers[HEADER.toLowerCase()];
  const text = typeof sent === 'number' ? String(sent) : sent;
  const id = typeof text === 'string' && USABLE.test(text) ? text : randomUUID();
  if (!response.headersSent) response.setHeader(HEADER, id);
  return id;
}
