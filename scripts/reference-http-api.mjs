import { LOCK_ERROR_STATUS, lockApiDocument } from '../core/index.ts';
import { LOCK_PROBLEMS } from '../core/openapi/lock-problems.ts';
import { anchor, cell, code, table } from './reference-markdown.mjs';

/** @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], const?: unknown, anyOf?: Schema[], oneOf?: Schema[], items?: Schema, properties?: Record<string, Schema>, required?: string[], description?: string, minimum?: number, maximum?: number, minLength?: number, maxLength?: number, pattern?: string, default?: unknown }} Schema */
/** @typedef {{ $ref?: string, name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter */
/** @typedef {{ description: string, headers?: Record<string, unknown>, content: Record<string, { schema: Schema }> }} Answer */
/** @typedef {{ operationId: string, summary: string, description: string, parameters?: Parameter[], requestBody?: { required: boolean, content: Record<string, { schema: Schema }> }, responses: Record<string, Answer> }} Operation */

/** @type {{ paths: Record<string, Record<string, Operation>>, components: { parameters: Record<string, Parameter>, schemas: Record<string, Schema> } }} */
const api = JSON.parse(JSON.stringify(lockApiDocument()));

/** Routes, shapes and codes: the page of the API's own document. */
export function httpApiSections() {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  return [
    `## Routes\n\n${table(
      ['call', 'does'],
      operations.map(({ call, operation }) => [
        `[${code(call)}](#${anchor(operation.operationId)})`,
        cell(operation.summary),
      ]),
    )}`,
    ...operations.map(({ call, operation }) => routeSection(call, operation)),
    `## Shapes\n\nBodies and answers are JSON. What is marked “?” may be absent.`,
    ...Object.entries(api.components.schemas).map(
      ([name, schema]) => `### ${name}\n\n${propertyTable(schema)}`,
    ),
    `## Codes\n\nEvery error is \`application/problem+json\` (RFC 9457) with one of these codes.\n\n${table(
      ['code', 'status', 'when', 'routes'],
      Object.entries(LOCK_PROBLEMS).map(([name, { when }]) => [
        code(name),
        String(LOCK_ERROR_STATUS[/** @type {keyof typeof LOCK_ERROR_STATUS} */ (name)]),
        cell(when),
        routesOf(name, operations),
      ]),
    )}`,
  ];
}

/**
 * @param {string} call
 * @param {Operation} operation
 */
function routeSection(call, { operationId, summary, description, parameters = [], requestBody, responses }) {
  const inputs = parameters
    .map(resolved)
    .map((parameter) => [
      code(parameter.required === true ? parameter.name : `${parameter.name}?`),
      parameter.in,
      typeText(parameter.schema),
      cell(parameter.description ?? ''),
    ]);
  const body = requestBody === undefined ? [] : propertiesOf(schemaIn(requestBody.content));
  const rows = [...inputs, ...body.map(([name = '', type = '', about = '']) => [name, 'body', type, about])];
  return [
    `### ${operationId}`,
    `${code(call)}. ${cell(summary)}. ${cell(description)}`,
    ...(rows.length === 0 ? [] : [table(['parameter', 'in', 'type', 'meaning'], rows)]),
    table(
      ['status', 'answer', 'meaning'],
      Object.entries(responses).map(([status, answer]) => [
        status,
        typeText(schemaIn(answer.content)),
        cell(answer.description) + headersText(answer.headers),
      ]),
    ),
  ].join('\n\n');
}

/** @param {Record<string, unknown>} [headers] */
function headersText(headers = {}) {
  const names = Object.keys(headers);
  return names.length === 0 ? '' : ` Header ${names.map(code).join(', ')}.`;
}

/** @param {Parameter} parameter */
function resolved(parameter) {
  return api.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
}

/** @param {Record<string, { schema: Schema }>} content */
function schemaIn(content) {
  return Object.values(content)[0]?.schema ?? {};
}

/** @param {Schema} schema */
function propertyTable(schema) {
  return table(['field', 'type', 'meaning'], propertiesOf(schema));
}

/** @param {Schema} schema */
function propertiesOf({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, property]) => [
    code(required.includes(name) ? name : `${name}?`),
    typeText(property),
    cell(property.description ?? ''),
  ]);
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeText(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `[${code(name)}](#${anchor(name)})`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeText).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  if (schema.properties !== undefined) {
    const fields = propertiesOf(schema).map(([name = '', type = '']) => `${name}: ${type}`);
    return `object (${fields.join(', ')})`;
  }
  const { minimum, maximum, maxLength } = schema;
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [`to ${maximum.toLocaleString('en-GB')}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  return [[schema.type ?? 'any'].flat().join(' or '), ...bounds].join(' ');
}

/**
 * @param {string} name
 * @param {readonly { operation: Operation }[]} operations
 */
function routesOf(name, operations) {
  const on = operations.filter(({ operation }) =>
    Object.values(operation.responses).some(({ description }) => description.includes(`\`${name}\`:`)),
  );
  if (on.length === operations.length) return 'all';
  if (on.length === 0) return 'none of these: guarded writes, or a path that is no route';
  return on.map(({ operation }) => code(operation.operationId)).join(', ');
}
