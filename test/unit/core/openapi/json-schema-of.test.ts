import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import * as answers from '../../../../core/openapi/answer-schemas.ts';
import { jsonSchemaOf } from '../../../../core/openapi/json-schema-of.ts';
import * as requests from '../../../../core/lock-requests.ts';

const schemas = Object.entries<unknown>({ ...requests, ...answers }).filter(
  (entry): entry is [string, v.GenericSchema] => {
    return typeof entry[1] === 'object' && entry[1] !== null && '~standard' in entry[1];
  },
);

/** Without what the two write in different ways and means the same. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    $schema: _draft,
    default: _default,
    additionalProperties,
    ...rest
  } = schema as Record<string, unknown>;
  if (Array.isArray(rest['required']) && rest['required'].length === 0) delete rest['required'];
  if (Array.isArray(rest['type'])) {
    const { type, ...kept } = rest;
    return plain({ ...kept, anyOf: (type as string[]).map((one) => ({ type: one })) });
  }
  if (rest['enum'] !== undefined) delete rest['type'];
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plain(value)])),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
}

describe('jsonSchemaOf', () => {
  it('finds all schemas of this API', () => {
    assert.deepEqual(schemas.map(([name]) => name).sort(), [
      'LeaseAnswerSchema',
      'LeaseBody',
      'ListAnswerSchema',
      'ListQuery',
      'LiveLockSchema',
      'NoQuery',
      'ProblemSchema',
      'ReleaseAnswerSchema',
      'ReleaseQuery',
      'TakeOverBody',
    ]);
  });

  for (const [name, schema] of schemas) {
    it(`says of ${name} what valibot's own converter says`, () => {
      // It cannot follow a query's text into its number, so it is given the number's part.
      const theirs = toJsonSchema(afterTransforms(schema), { target: 'draft-2020-12', errorMode: 'ignore' });
      assert.deepEqual(plain(jsonSchemaOf(schema)), plain(theirs));
    });
  }

  it('says the default as a caller would send it', () => {
    const { properties } = jsonSchemaOf(requests.ReleaseQuery) as { properties: Record<string, unknown> };
    assert.deepEqual(properties['graceMs'], {
      type: 'integer',
      minimum: 0,
      maximum: 30_000,
      description: 'The lock lives on for so long, so that a page that reloads finds it.',
      default: 0,
    });
  });

  it('names what it does not know instead of saying less', () => {
    assert.throws(
      () => jsonSchemaOf(v.map(v.string(), v.string())),
      /expected a kind that it knows, got "map"/,
    );
    assert.throws(() => jsonSchemaOf(v.pipe(v.string(), v.email())), /got "email"/);
  });
});

/** The schema behind the last transformation of each field. */
function afterTransforms(schema: v.GenericSchema): v.GenericSchema {
  if (schema.type !== 'strict_object') return schema;
  const { entries } = schema as v.StrictObjectSchema<v.ObjectEntries, undefined>;
  const changed = Object.entries(entries).map(([name, entry]) => {
    const { type, wrapped } = entry as { type: string; wrapped?: { pipe?: readonly { type: string }[] } };
    const pipe = wrapped?.pipe ?? [];
    const at = pipe.findIndex((step) => step.type === 'transform');
    if (type !== 'optional' || at < 0) return [name, entry];
    const rest = pipe.slice(at + 1) as unknown as [v.GenericSchema, v.GenericPipeItem];
    return [name, v.optional(v.pipe(...rest))];
  });
  return v.strictObject(Object.fromEntries(changed) as v.ObjectEntries);
}
