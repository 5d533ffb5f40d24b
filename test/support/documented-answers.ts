import { LOCK_ROUTES, lockApiDocument } from '../../core/index.ts';
import type { JsonSchema } from '../../core/openapi/json-schema-of.ts';
import { schemaFaults } from './schema-faults.ts';

const DOCUMENT = lockApiDocument();
const SCHEMAS = DOCUMENT.components['schemas'] ?? {};
const PROBLEM = 'application/problem+json';

export interface GivenAnswer {
  readonly method: string;
  /** Below the API's base, with or without a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** The operation of the document that a request names; null for none. */
export function operationOf(method: string, path: string): string | null {
  const segments = (path.split('?', 1)[0] ?? '').slice(1).split('/').map(decoded);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = LOCK_ROUTES.find(
    (candidate) =>
      candidate.method === wanted &&
      candidate.path.length === segments.length &&
      candidate.path.every((part, at) => part === ':' || part === segments[at]),
  );
  return route?.operation ?? null;
}

/** What the document would not lead a client to expect of an answer, one line each; none = it says so. */
export function undocumented({ method, path, status, contentType, body }: GivenAnswer): string[] {
  const name = operationOf(method, path);
  // What is no route is answered by any problem there is, as long as it is one.
  if (name === null) return schemaFaults(SCHEMAS['Problem'] as JsonSchema, body, SCHEMAS);
  const operation = Object.values(DOCUMENT.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === name);
  const response = (operation?.['responses'] as Responses | undefined)?.[status];
  if (response === undefined) return [`${method} ${path}: no response ${status} ${codeOf(body)}`];
  const [type] = contentType.split(';');
  const media = response.content[type ?? ''];
  if (media === undefined) return [`${method} ${path}: ${status} as ${contentType}`];
  const isCodeListed = type !== PROBLEM || Object.hasOwn(media.examples, codeOf(body));
  return [
    ...(isCodeListed ? [] : [`${method} ${path}: ${status} with the code ${codeOf(body)}`]),
    ...schemaFaults(media.schema, body, SCHEMAS),
  ];
}

interface ResponseEntry {
  readonly content: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly examples: Readonly<Record<string, unknown>> }>
  >;
}
type Responses = Readonly<Record<string, ResponseEntry>>;

function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
