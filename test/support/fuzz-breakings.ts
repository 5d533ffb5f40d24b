import * as fc from 'fast-check';
import type { FuzzDraft } from './fuzz-requests.ts';

type Breaking = fc.Arbitrary<(draft: FuzzDraft) => FuzzDraft>;

const bytes = (text: string) => Buffer.from(text);
const header = (name: string, value: string): Breaking =>
  fc.constant((draft) => ({ ...draft, headers: [...draft.headers, [name, value]] }));
/** May be answered by Node itself, and the connection ended. */
const rawHeader = (name: string, value: string): Breaking =>
  fc.constant((draft) => ({ ...draft, headers: [...draft.headers, [name, value]], mayBreakOff: true }));
const body = (text: string | Uint8Array): Breaking =>
  fc.constant((draft) => ({ ...draft, body: typeof text === 'string' ? bytes(text) : text }));

const TEXTS = [
  '%',
  '%E0%A4%A',
  '%00',
  '%0d%0aX-Evil:%201',
  '%ED%A0%80',
  '..',
  '.',
  '%2e%2e',
  '',
  'mine',
  '%7B%7D',
  '%EF%BB%BF',
  'e%CC%81',
  '%D0%B0',
  'x'.repeat(250),
  'x'.repeat(9_000),
  'Nothing',
  '__proto__',
  'toString',
  '%u0041',
  '\\',
  '|',
];
const DEEP = 7_000;

/** One way in which a good request is spoilt. Not every one makes it a bad one. */
export const breaking: Breaking = fc.oneof(
  // The method.
  fc
    .constantFrom('HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'GET', 'POST', 'DELETE')
    .map((method) => (draft: FuzzDraft) => ({ ...draft, method })),
  fc
    .constantFrom('get', 'G ET', 'FOO', '')
    .map((method) => (draft: FuzzDraft) => ({ ...draft, method, mayBreakOff: true })),
  // The path: a segment replaced, inserted or dropped.
  fc
    .tuple(fc.nat(4), fc.constantFrom(...TEXTS), fc.constantFrom('replace', 'insert', 'drop'))
    .map(([at, text, how]) => (draft: FuzzDraft) => {
      const segments = draft.path.split('/');
      segments.splice(
        1 + (at % segments.length),
        how === 'insert' ? 0 : 1,
        ...(how === 'drop' ? [] : [text]),
      );
      return { ...draft, path: segments.join('/') };
    }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => (draft: FuzzDraft) => ({
    ...draft,
    path: `/locks/${text.replace(/[\s\r\n]/g, '%20')}`,
    mayBreakOff: true,
  })),
  // The query.
  fc
    .constantFrom(
      'sessionId=a&sessionId=b',
      'limit=1&limit=2',
      '__proto__=1',
      '__proto__[x]=1',
      'constructor=1',
      'tenant=tenant-a',
      'access_token=x',
      'limit=0',
      'limit=1e3',
      'graceMs=-1',
      'cursor=',
      'cursor=%00',
      'cursor=9~%FF',
      '%',
      '%E0%A4%A=1',
      '=',
      '&&',
      'a'.repeat(6_000),
    )
    .map((text) => (draft: FuzzDraft) => ({ ...draft, query: [...draft.query, text] })),
  // The body.
  fc
    .oneof(
      fc.jsonValue({ maxDepth: 4 }).map((value) => bytes(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 200 }),
      fc
        .constantFrom(
          '{"sessionId":"\\ud800"}',
          '{"__proto__":{"sessionId":"x"}}',
          '{"constructor":{"prototype":{}}}',
          '{"sessionId":"a","sessionId":"b"}',
          '{"fence":1e999}',
          '\ufeff{"sessionId":"bom"}',
          '[]',
          'null',
          '{',
          '{"sessionId":',
          ' '.repeat(16_384),
          `"${'x'.repeat(16_384)}"`,
          '['.repeat(DEEP),
          `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
          `${'{"sessionId":'.repeat(1_200)}1${'}'.repeat(1_200)}`,
          'x'.repeat(300_000),
        )
        .map(bytes),
    )
    .map((given) => (draft: FuzzDraft) => ({ ...draft, body: given })),
  body(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  body(Buffer.from('\ufeff{}', 'utf16le')),
  // Headers.
  header('Content-Type', 'text/plain'),
  header('Content-Type', 'application/x-www-form-urlencoded'),
  header('Content-Type', 'multipart/form-data'),
  header('Content-Type', 'application/json; charset=utf-16'),
  header('Content-Type', ';;;'),
  header('Content-Encoding', 'gzip'),
  header('Content-Encoding', 'rot13'),
  header('X-Request-Id', 'x'.repeat(5_000)),
  header('X-Request-Id', '"><script>'),
  header('Origin', 'https://evil.example'),
  header('Origin', 'null'),
  header('Lock-Fence', 'NaN'),
  header('Range', 'bytes=0-1'),
  header('If-None-Match', '*'),
  header('Expect', '100-continue'),
  header('X-HTTP-Method-Override', 'DELETE'),
  header('X-Forwarded-Host', 'evil.example'),
  rawHeader('X-Large', 'x'.repeat(20_000)),
  rawHeader('X-Broken', 'a\nb: c'),
  rawHeader('X\u0000', 'a'),
  rawHeader('Content-Length', '7x'),
  // Who.
  fc.constantFrom(2, 2, 3).map((who) => (draft: FuzzDraft) => ({ ...draft, who })),
);
