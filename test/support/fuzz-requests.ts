import * as fc from 'fast-check';
import type { ApiDocument } from '../../core/index.ts';
import type { JsonSchema } from '../../core/openapi/json-schema-of.ts';
import type { RawRequest } from './raw-http.ts';

export interface FuzzRequest {
  /** Two people's tokens, then automation's; the two people's ids. */
  readonly as: (tokens: readonly string[], oids: readonly string[]) => RawRequest;
  /** So broken that the server may hang up without a word. */
  readonly mayBreakOff: boolean;
}

interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  readonly isChunked: boolean;
  /** 0 and 1: people; 2: automation; others: nobody. */
  readonly who: number;
  readonly mayBreakOff: boolean;
}

type Breaking = fc.Arbitrary<(draft: Draft) => Draft>;

const HOLDER = 'HOLDER-OF-THIS-TENANT';
/** Few, so that people meet; both tenants use them all. */
const UIDS = [
  ...['1', 'REQ-42', 'a/b', '%2F', '100%', '{x}:y', '\u00e9', 'e\u0301', '__proto__', 'constructor'],
  ...['😀', 'a b?c#d', "';--", '<b>'],
];

/** Requests as the document describes them, six of ten as they are, the others broken in one or two ways. */
export function arbitraryRequest(document: ApiDocument, types: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => goodDraft(path, method, operation, types)),
  );
  const breakings = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.tuple(breaking) },
    { weight: 1, arbitrary: fc.tuple(breaking, breaking) },
  );
  return fc.tuple(fc.oneof(...operations), breakings).map(([good, ways]) => {
    const draft = ways.reduce<Draft>((sofar, way) => way(sofar), good);
    return { mayBreakOff: draft.mayBreakOff, as: (tokens, oids) => requestOf(draft, tokens, oids) };
  });
}

function requestOf(draft: Draft, tokens: readonly string[], oids: readonly string[]): RawRequest {
  const { method, query, headers, isChunked, who } = draft;
  const token = tokens[who];
  const body = draft.body === null ? null : Buffer.from(draft.body);
  return {
    method,
    path: `/api${draft.path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: [...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]), ...headers],
    body: body?.includes(HOLDER)
      ? Buffer.from(body.toString().replace(HOLDER, oids[who] ?? oids[0] ?? ''))
      : body,
    isChunked,
  };
}

function goodDraft(
  path: string,
  method: string,
  operation: JsonSchema,
  types: readonly string[],
): fc.Arbitrary<Draft> {
  const parameters = (operation['parameters'] ?? []) as readonly { name?: string; schema: JsonSchema }[];
  const query = parameters.flatMap(({ name, schema }) => (name === undefined ? [] : [queryOf(name, schema)]));
  const content = (
    operation['requestBody'] as { content?: Record<string, { schema: JsonSchema }> } | undefined
  )?.content;
  const schema = content?.['application/json']?.schema;
  const json =
    schema === undefined ? null : fromSchema(schema).map((value) => Buffer.from(JSON.stringify(value)));
  const canBeAbsent = schema !== undefined && !('required' in schema);
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    path: fc
      .tuple(fc.constantFrom(...types), fc.constantFrom(...UIDS))
      .map(([type, uid]) =>
        path.replace('{type}', encodeURIComponent(type)).replace('{uid}', encodeURIComponent(uid)),
      ),
    query: fc.tuple(...query).map((given) => given.filter((text) => text !== null)),
    headers: fc.constantFrom(
      [],
      [['Content-Type', 'application/json'] as const],
      [['Content-Type', 'application/json; charset=utf-8'] as const],
    ),
    body: json === null ? fc.constant(null) : canBeAbsent ? fc.option(json, { freq: 6 }) : json,
    isChunked: fc.boolean(),
    who: fc.constantFrom(0, 1),
    mayBreakOff: fc.constant(false),
  });
}

/** `name=value`, or null = absent. */
function queryOf(name: string, schema: JsonSchema): fc.Arbitrary<string | null> {
  const value = name === 'cursor' ? fc.constantFrom('0~a', '9999999999999~lock:{x}:y:z') : fromSchema(schema);
  return fc.option(value.map((given) => `${name}=${encodeURIComponent(String(given))}`));
}

/** Valid values. Knows what the document's bodies and queries use. */
function fromSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, minimum, maximum, pattern, properties, required = [] } = schema;
  if (type === 'integer') return fc.integer({ min: Number(minimum), max: Number(maximum) });
  if (type === 'string' && pattern !== undefined) return fc.stringMatching(new RegExp(String(pattern)));
  if (type === 'string') {
    const { minLength = 0, maxLength = 200 } = schema as { minLength?: number; maxLength?: number };
    return fc.oneof(fc.constant(HOLDER), fc.string({ minLength, maxLength, unit: 'grapheme-ascii' }));
  }
  if (type !== 'object') throw new Error(`no values for ${JSON.stringify(schema)}`);
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fromSchema(field)])), {
    requiredKeys: required as string[],
  });
}

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

const breaking: Breaking = fc.oneof(
  // The method.
  fc
    .constantFrom('HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'GET', 'POST', 'DELETE')
    .map((method) => (draft: Draft) => ({ ...draft, method })),
  fc
    .constantFrom('get', 'G ET', 'FOO', '')
    .map((method) => (draft: Draft) => ({ ...draft, method, mayBreakOff: true })),
  // The path: a segment replaced, inserted or dropped.
  fc
    .tuple(fc.nat(4), fc.constantFrom(...TEXTS), fc.constantFrom('replace', 'insert', 'drop'))
    .map(([at, text, how]) => (draft: Draft) => {
      const segments = draft.path.split('/');
      segments.splice(
        1 + (at % segments.length),
        how === 'insert' ? 0 : 1,
        ...(how === 'drop' ? [] : [text]),
      );
      return { ...draft, path: segments.join('/') };
    }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => (draft: Draft) => ({
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
    .map((text) => (draft: Draft) => ({ ...draft, query: [...draft.query, text] })),
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
    .map((given) => (draft: Draft) => ({ ...draft, body: given })),
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
  fc.constantFrom(2, 2, 3).map((who) => (draft: Draft) => ({ ...draft, who })),
);
