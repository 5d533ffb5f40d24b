import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  LOCK_ERROR_STATUS,
  LOCK_ROUTES,
  lockApiDocument,
  type LockErrorCode,
} from '../../../../core/index.ts';
import type { JsonSchema } from '../../../../core/openapi/json-schema-of.ts';
import { LOCK_OPERATIONS_DOCUMENTED } from '../../../../core/openapi/lock-operations.ts';
import { schemaFaults } from '../../../support/schema-faults.ts';

interface Response {
  readonly content: Readonly<
    Record<string, { schema: JsonSchema; examples: Record<string, { value: unknown }> }>
  >;
}

const document = lockApiDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const responsesOf = (operation: JsonSchema) => operation['responses'] as Record<string, Response>;
const schemas = document.components['schemas'] ?? {};
const statuses = LOCK_ERROR_STATUS as Readonly<Record<string, number>>;

describe('lockApiDocument', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.deepEqual({ valid, errors }, { valid: true, errors: undefined });
    assert.equal(validator.version, '3.1');
  });

  it('has every route of the API, and no other', () => {
    const inTable = LOCK_ROUTES.map(({ operation, method, path }) => {
      const names = ['{type}', '{uid}'];
      return `${operation}: ${method} /${path.map((part) => (part === ':' ? names.shift() : part)).join('/')}`;
    });
    const inDocument = operations.map(({ path, method, operation }) => {
      return `${String(operation['operationId'])}: ${method.toUpperCase()} ${path}`;
    });
    assert.deepEqual(inDocument.sort(), inTable.sort());
    assert.deepEqual(
      Object.keys(LOCK_OPERATIONS_DOCUMENTED).sort(),
      LOCK_ROUTES.map(({ operation }) => operation).sort(),
    );
  });

  it('has every code, with its status, on a route or beside them', () => {
    const found = new Map<string, Set<string>>();
    const note = (code: string, status: string) => {
      found.set(code, (found.get(code) ?? new Set()).add(status));
    };
    for (const { operation } of operations) {
      for (const [status, { content }] of Object.entries(responsesOf(operation))) {
        const codes = Object.keys(content['application/problem+json']?.examples ?? {});
        for (const code of codes) note(code, status);
      }
    }
    for (const code of Object.keys(document.components['responses'] ?? {})) {
      note(code, String(statuses[code]));
    }
    assert.deepEqual(
      Object.fromEntries([...found].map(([code, at]) => [code, [...at]])),
      Object.fromEntries(Object.entries(statuses).map(([code, status]) => [code, [String(status)]])),
    );
  });

  it('has examples that its own schemas accept', () => {
    let count = 0;
    const beside = document.components['responses'] as Record<string, Response>;
    const all = operations.flatMap(({ operation }) => [
      ...Object.values(responsesOf(operation)),
      ...('requestBody' in operation ? [operation['requestBody'] as Response] : []),
    ]);
    for (const { content } of [...all, ...Object.values(beside)]) {
      for (const { schema, examples } of Object.values(content)) {
        for (const { value } of Object.values(examples)) {
          count += 1;
          assert.deepEqual(schemaFaults(schema, value, schemas), [], JSON.stringify(value));
        }
      }
    }
    assert.ok(count > 60, `${count} examples`);
  });

  it('asks for a bearer token on every route', () => {
    assert.deepEqual(document['security'], [{ bearer: [] }]);
    for (const { operation } of operations) assert.ok(!('security' in operation), 'none is an exception');
  });

  it('names where it is served', () => {
    assert.deepEqual(lockApiDocument('/app/api').servers, [{ url: '/app/api' }]);
    assert.deepEqual(lockApiDocument('').servers, [{ url: '/' }]);
  });

  it('and core/PROTOCOL.md list the same codes', () => {
    const page = readFileSync(new URL('../../../../core/PROTOCOL.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\|/gm)];
    const listed = Object.fromEntries(rows.map(([, code = '', status]) => [code, Number(status)]));
    assert.deepEqual(listed, LOCK_ERROR_STATUS satisfies Record<LockErrorCode, number>);
  });
});
