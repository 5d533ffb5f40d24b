import type { Request } from 'express';
import { LockError, MAX_BODY_BYTES } from '../core/index.ts';
import { readBody } from './hub/read-body.ts';

/** JSON is UTF-8 (RFC 8259 section 8.1); bytes that are not are refused, and a byte order mark is passed over. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a request's JSON body, of {@link MAX_BODY_BYTES} at most, that came within `withinMs`. Reads no further
 * than that, whatever length was announced. What an application's parser has read before is written out again. Rejects
 * with `LockError` (`too-large`, `request-timeout`, `bad-request` naming `body`), with another Error where somebody read the
 * body before and kept it.
 */
export async function readJsonText(request: Request, withinMs: number): Promise<string> {
  const parsed: unknown = request.body;
  if (parsed !== undefined) return writtenAgain(parsed);
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return '';
  if (request.readableEnded) throw new Error('The body was read before, and is not in request.body.');
  const { 'content-encoding': encoding, 'content-type': type } = request.headers;
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge();
  // Nothing is inflated: 16 kB need no compression, and a few bytes could become gigabytes.
  const isPlain = encoding === undefined || /^identity$/i.test(encoding);
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type ?? '')?.[1];
  if (!isPlain || (charset !== undefined && !/^utf-?8$/i.test(charset))) throw notJson();
  const bytes = await readBody(request, { maxBytes: MAX_BODY_BYTES, withinMs });
  if (bytes === 'too-large') throw tooLarge();
  // Whoever broke off does not read the answer.
  if (bytes === 'aborted') {
    throw new LockError('request-timeout', `body: expected all of it within ${withinMs} ms.`);
  }
  return decode(bytes);
}

function writtenAgain(parsed: unknown): string {
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return decode(parsed);
  try {
    return JSON.stringify(parsed);
  } catch (cause) {
    throw notJson(cause); // nested deeper than the stack: a parser takes what a writer cannot give back
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw notJson(cause);
  }
}

function tooLarge(): LockError {
  return new LockError('too-large', `body: expected at most ${MAX_BODY_BYTES} bytes.`);
}

function notJson(cause?: unknown): LockError {
  const detail = 'body: expected JSON in UTF-8, complete and without a content encoding.';
  return new LockError('bad-request', detail, { field: 'body', cause });
}
