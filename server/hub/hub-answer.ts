import type { ServerResponse } from 'node:http';

/** Answers as ASP.NET's endpoint does: a status, and text that clients show where there is any. */
export function answerText(response: ServerResponse, status: number, text = ''): void {
  answer(response, status, 'text/plain', text);
}

export function answerJson(response: ServerResponse, body: unknown): void {
  answer(response, 200, 'application/json', JSON.stringify(body));
}

function answer(response: ServerResponse, status: number, contentType: string, text: string): void {
  response
    .writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
    })
    .end(text);
}
