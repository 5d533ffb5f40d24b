import type { ApiAnswer } from '../core/index.ts';

/** The HTTP response that carries an answer of the lock API. */
export function jsonResponse({ status, contentType, body, headers = {} }: ApiAnswer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': contentType, 'cache-control': 'no-store' },
  });
}
