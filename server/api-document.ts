import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { API_DOCUMENT_PATH, lockApiDocument, notAllowed } from '../core/index.ts';
import { putAnswerHeaders } from './answer-headers.ts';
import { sendAnswer } from './send-answer.ts';

/** How long a copy may be used without asking again, in seconds. It changes with the server's version alone. */
const MAX_AGE_S = 3_600;

/** Answers `GET …/openapi.json`: the API's own description. Public, for everybody's tools, and cacheable. */
export function sendApiDocument(request: Request, response: Response): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const call = { method: request.method, path: API_DOCUMENT_PATH };
    sendAnswer(response, notAllowed(call, ['GET', 'HEAD']));
    return;
  }
  const bytes = Buffer.from(JSON.stringify(lockApiDocument(request.baseUrl)));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (!response.hasHeader('Access-Control-Allow-Origin')) {
    response.setHeader('Access-Control-Allow-Origin', '*');
  }
  putAnswerHeaders(response);
  response.set({ 'Cache-Control': `public, max-age=${MAX_AGE_S}`, ETag: etag });
  if (request.fresh) {
    response.writeHead(304).end();
    return;
  }
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
    .end(bytes);
}
