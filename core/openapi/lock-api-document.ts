import type * as v from 'valibot';
import { MAX_ENCODED_LENGTH } from '../entity-ref.ts';
import { LOCK_ROUTES, type LockRoute } from '../lock-api.ts';
import { LOCK_ERROR_STATUS, PROBLEM_MEDIA_TYPE, type LockErrorCode } from '../lock-error.ts';
import { DEFAULT_API_PATH } from '../lock-paths.ts';
import {
  LeaseAnswerSchema,
  ListAnswerSchema,
  LiveLockSchema,
  ProblemSchema,
  ReleaseAnswerSchema,
} from './answer-schemas.ts';
import { jsonSchemaOf, type JsonSchema } from './json-schema-of.ts';
import { LOCK_OPERATIONS_DOCUMENTED } from './lock-operations.ts';
import { LOCK_PROBLEMS } from './lock-problems.ts';

/** Where the document is, below the API's base. */
export const API_DOCUMENT_PATH = '/openapi.json';

/** An OpenAPI 3.1 document, as JSON. */
export interface ApiDocument {
  /** The version of the format. */
  readonly openapi: string;
  /** Where the API is mounted. */
  readonly servers: readonly { readonly url: string }[];
  /** The routes, by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  /** Shapes, parameters and answers that the routes name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [section: string]: unknown;
}

const COMPONENTS: ReadonlyMap<v.GenericSchema, string> = new Map<v.GenericSchema, string>([
  [LiveLockSchema, 'LiveLock'],
  [LeaseAnswerSchema, 'LeaseAnswer'],
  [ListAnswerSchema, 'ListAnswer'],
  [ReleaseAnswerSchema, 'ReleaseAnswer'],
  [ProblemSchema, 'Problem'],
]);

const PARAMETERS = ['type', 'uid'] as const;
const CODES = Object.keys(LOCK_PROBLEMS) as LockErrorCode[];

/**
 * The lock API as an OpenAPI 3.1 document: made from the table that answers requests and from the schemas that check
 * them, so that it says what the server does. `apiPath` is where the API is mounted.
 */
export function lockApiDocument(apiPath: string = DEFAULT_API_PATH): ApiDocument {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of LOCK_ROUTES) {
    (paths[pathOf(route)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowlock lock API',
      version: '1',
      summary: 'Who is editing which record.',
      description:
        'Every error is `application/problem+json` (RFC 9457) with a stable `code`. A field or query parameter that is not listed is refused. The server may limit how often a user calls.',
    },
    servers: [{ url: apiPath === '' ? '/' : apiPath }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Tenant, user and name come from this token alone. An application may identify its callers otherwise, by a session cookie.',
        },
      },
      parameters: Object.fromEntries(PARAMETERS.map((name) => [name, pathParameter(name)])),
      responses: elsewhere(),
      schemas: Object.fromEntries(
        [...COMPONENTS].map(([schema, name]) => [name, jsonSchemaOf(schema, without(schema))]),
      ),
    },
  };
}

/** Every other schema by its name, this one in full. */
function without(schema: v.GenericSchema): ReadonlyMap<v.GenericSchema, string> {
  return new Map([...COMPONENTS].filter(([other]) => other !== schema));
}

function pathOf({ path }: LockRoute): string {
  let parameter = 0;
  return `/${path.map((part) => (part === ':' ? `{${PARAMETERS[parameter++] ?? ''}}` : part)).join('/')}`;
}

function pathParameter(name: (typeof PARAMETERS)[number]) {
  const description =
    name === 'type' ? 'The entity type, as it was registered.' : 'The record, in the one spelling it has.';
  // Control characters and dot segments are refused as well; a GUID is the same in upper case.
  const schema = { type: 'string', minLength: 1, maxLength: MAX_ENCODED_LENGTH };
  return { name, in: 'path', required: true, description, schema };
}

function operationOf(route: LockRoute): JsonSchema {
  const entry = LOCK_OPERATIONS_DOCUMENTED[route.operation];
  if (entry === undefined) throw new TypeError(`The API's document has no entry for ${route.operation}.`);
  const { summary, description, answer, examples, bodyExample } = entry;
  const parameters = [
    ...PARAMETERS.slice(0, route.path.filter((part) => part === ':').length).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...queryParameters(route.query),
  ];
  return {
    operationId: route.operation,
    summary,
    description,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === null ? {} : { requestBody: requestBody(route.body, bodyExample) }),
    responses: {
      200: { description: summary, content: json(jsonSchemaOf(answer, COMPONENTS), examples) },
      ...problemsOf(CODES.filter((code) => LOCK_PROBLEMS[code].on(route))),
    },
  };
}

function requestBody(body: NonNullable<LockRoute['body']>, example: unknown): JsonSchema {
  const schema = jsonSchemaOf(body);
  return { required: 'required' in schema, content: json(schema, { body: example }) };
}

function queryParameters(query: LockRoute['query']): JsonSchema[] {
  return Object.entries(query.entries).map(([name, entry]) => {
    const { description, ...schema } = jsonSchemaOf(entry);
    return { name, in: 'query', description, schema };
  });
}

/** By status; each code of it is an example. */
function problemsOf(codes: readonly LockErrorCode[]): JsonSchema {
  const statuses = [...new Set(codes.map((code) => LOCK_ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemResponse(codes.filter((code) => LOCK_ERROR_STATUS[code] === status)),
    ]),
  );
}

function problemResponse(codes: readonly LockErrorCode[]): JsonSchema {
  const examples = Object.fromEntries(codes.map((code) => [code, LOCK_PROBLEMS[code].example.toProblem()]));
  const headers = Object.fromEntries(codes.flatMap((code) => HEADERS[code] ?? []));
  return {
    description: codes.map((code) => `\`${code}\`: ${LOCK_PROBLEMS[code].when}`).join(' '),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: json(jsonSchemaOf(ProblemSchema, COMPONENTS), examples, PROBLEM_MEDIA_TYPE),
  };
}

const HEADERS: Readonly<Partial<Record<LockErrorCode, [string, JsonSchema][]>>> = {
  unauthenticated: [['WWW-Authenticate', { schema: { type: 'string' } }]],
  'method-not-allowed': [['Allow', { schema: { type: 'string' } }]],
  'too-many-requests': [['Retry-After', { description: 'Seconds.', schema: { type: 'integer' } }]],
};

/** The codes that no path of this document answers: what a client may meet beside it. */
function elsewhere(): JsonSchema {
  const codes = CODES.filter((code) => !LOCK_ROUTES.some((route) => LOCK_PROBLEMS[code].on(route)));
  return Object.fromEntries(codes.map((code) => [code, problemResponse([code])]));
}

function json(schema: JsonSchema, examples: Readonly<Record<string, unknown>>, type = 'application/json') {
  const values = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return { [type]: { schema, examples: values } };
}
