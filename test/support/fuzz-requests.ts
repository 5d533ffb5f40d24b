import * as fc from 'fast-check';
import type { ApiDocument } from '../../core/index.ts';
import type { JsonSchema } from '../../core/openapi/json-schema-of.ts';
import { breaking } from './fuzz-breakings.ts';
import type { RawRequest } from './raw-http.ts';

export interface FuzzRequest {
  /** Two people's tokens, then automation's; the two people's ids. */
  readonly as: (tokens: readonly string[], oids: readonly string[]) => RawRequest;
  /** So broken that the server may hang up without a word. */
  readonly mayBreakOff: boolean;
}

/** A request while it is being made up. */
export interface FuzzDraft {
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
    const draft = ways.reduce<FuzzDraft>((sofar, way) => way(sofar), good);
    return { mayBreakOff: draft.mayBreakOff, as: (tokens, oids) => requestOf(draft, tokens, oids) };
  });
}

function requestOf(draft: FuzzDraft, tokens: readonly string[], oids: readonly string[]): RawRequest {
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
): fc.Arbitrary<FuzzDraft> {
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
  if ('const' in schema) return fc.constant(schema['const']);
  if (type === 'integer') return fc.integer({ min: Number(minimum), max: Number(maximum) });
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
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
