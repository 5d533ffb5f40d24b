import type * as v from 'valibot';

/** A JSON Schema, draft 2020-12: what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of valibot that this API is made of. */
type KnownSchema =
  | v.StrictObjectSchema<v.ObjectEntries, undefined>
  | v.ObjectSchema<v.ObjectEntries, undefined>
  | v.ArraySchema<v.GenericSchema, undefined>
  | v.NullableSchema<v.GenericSchema, undefined>
  | v.OptionalSchema<v.GenericSchema, unknown>
  | v.ExactOptionalSchema<v.GenericSchema, undefined>
  | v.LiteralSchema<string, undefined>
  | v.PicklistSchema<readonly string[], undefined>
  | v.StringSchema<undefined>
  | v.NumberSchema<undefined>
  | v.BooleanSchema<undefined>;

type KnownAction =
  | v.RegexAction<string, undefined>
  | v.NonEmptyAction<string, undefined>
  | v.MaxLengthAction<string, number, undefined>
  | v.SafeIntegerAction<number, undefined>
  | v.MinValueAction<number, number, undefined>
  | v.MaxValueAction<number, number, undefined>
  | v.TransformAction<unknown, unknown>
  | v.DescriptionAction<unknown, string>;

/**
 * The JSON Schema of a valibot schema, for the few kinds that this API uses. What is transformed is described by what
 * comes out: a query's number as a number. `names`: schemas that become a `$ref` to a component of that name. Throws a
 * TypeError for a kind that it does not know: a document that says less than the server checks would mislead.
 */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  names: ReadonlyMap<v.GenericSchema, string> = new Map(),
): JsonSchema {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (!('pipe' in schema)) return kindOf(schema as KnownSchema, (inner) => jsonSchemaOf(inner, names));
  const steps = schema.pipe as readonly (v.GenericSchema | KnownAction)[];
  return steps.reduce<JsonSchema>((sofar, step) => withStep(sofar, step, names), {});
}

function kindOf(schema: KnownSchema, of: (inner: v.GenericSchema) => JsonSchema): JsonSchema {
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: schema.type };
    case 'literal':
      return { const: schema.literal };
    case 'picklist':
      return { type: 'string', enum: schema.options };
    case 'array':
      return { type: 'array', items: of(schema.item) };
    case 'nullable':
      return nullable(of(schema.wrapped));
    case 'optional':
      return withDefault(of(schema.wrapped), schema.default);
    case 'exact_optional':
      return of(schema.wrapped);
    case 'object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries) as [string, v.GenericSchema][];
      const required = entries.filter(([, { type }]) => type !== 'optional' && type !== 'exact_optional');
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([field, entry]) => [field, of(entry)])),
        ...(required.length === 0 ? {} : { required: required.map(([field]) => field) }),
        ...(schema.type === 'strict_object' ? { additionalProperties: false } : {}),
      };
    }
    default:
      return refuse(schema satisfies never);
  }
}

function withStep(
  sofar: JsonSchema,
  step: v.GenericSchema | KnownAction,
  names: ReadonlyMap<v.GenericSchema, string>,
): JsonSchema {
  if (step.kind === 'schema') return { ...sofar, ...jsonSchemaOf(step, names) };
  switch (step.type) {
    case 'regex':
      return { ...sofar, pattern: step.requirement.source };
    case 'non_empty':
      return { ...sofar, minLength: 1 };
    case 'max_length':
      return { ...sofar, maxLength: step.requirement };
    case 'safe_integer':
      return {
        ...sofar,
        type: 'integer',
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      };
    case 'min_value':
      return { ...sofar, minimum: step.requirement };
    case 'max_value':
      return { ...sofar, maximum: step.requirement };
    case 'description':
      return { ...sofar, description: step.description };
    case 'transform':
      return {}; // whatever it was made from, the schema behind it says what it is
    default:
      return refuse(step satisfies never);
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  const isBare = Object.keys(schema).length === 1 && 'type' in schema;
  return isBare ? { type: [schema['type'], 'null'] } : { anyOf: [schema, { type: 'null' }] };
}

/** A default is what a caller would have sent: a query's number is a text there. */
function withDefault(schema: JsonSchema, fallback: unknown): JsonSchema {
  if (fallback === undefined) return schema;
  return { ...schema, default: schema['type'] === 'integer' ? Number(fallback) : fallback };
}

function refuse(schema: { readonly type?: unknown }): never {
  throw new TypeError(`jsonSchemaOf: expected a kind that it knows, got "${String(schema.type)}".`);
}
