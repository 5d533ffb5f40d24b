import type { JsonSchema } from '../../core/openapi/json-schema-of.ts';

/** Keywords that say nothing about what is valid. */
const NOTES = new Set(['description', 'default']);

/**
 * What is wrong with a value by a JSON Schema of the API's document, one line each; none = valid. Objects are closed:
 * a field that the schema does not list is a fault even where the document lets clients meet new ones. Knows the
 * keywords that the document uses, and throws for others.
 */
export function schemaFaults(
  schema: JsonSchema,
  value: unknown,
  components: Readonly<Record<string, unknown>>,
  at = '$',
): string[] {
  const inner = (innerSchema: unknown, innerValue: unknown, where = at) =>
    schemaFaults(innerSchema as JsonSchema, innerValue, components, where);
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (NOTES.has(keyword)) return [];
    const isGood = (good: boolean) => (good ? [] : [`${at}: ${keyword} ${JSON.stringify(rule)}`]);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    switch (keyword) {
      case '$ref':
        return inner(components[String(rule).replace('#/components/schemas/', '')], value);
      case 'type':
        return isGood([rule].flat().some((type) => isOfType(type, value)));
      case 'enum':
        return isGood((rule as unknown[]).includes(value));
      case 'anyOf':
        return isGood((rule as unknown[]).some((choice) => inner(choice, value).length === 0));
      case 'pattern':
        return isGood(typeof value !== 'string' || new RegExp(String(rule), 'u').test(value));
      case 'minLength':
        return isGood(typeof value !== 'string' || value.length >= Number(rule));
      case 'maxLength':
        return isGood(typeof value !== 'string' || value.length <= Number(rule));
      case 'minimum':
        return isGood(typeof value !== 'number' || value >= Number(rule));
      case 'maximum':
        return isGood(typeof value !== 'number' || value <= Number(rule));
      case 'items':
        return Array.isArray(value)
          ? value.flatMap((item, index) => inner(rule, item, `${at}[${index}]`))
          : [];
      case 'required':
        return isObject
          ? (rule as string[]).filter((name) => !(name in value)).map((name) => `${at}: no ${name}`)
          : [];
      case 'properties': {
        const rules = rule as Readonly<Record<string, unknown>>;
        return isObject
          ? Object.entries(value).flatMap(([name, field]) =>
              Object.hasOwn(rules, name)
                ? inner(rules[name], field, `${at}.${name}`)
                : [`${at}: ${name} is no field`],
            )
          : [];
      }
      case 'additionalProperties':
        return []; // closed in any case
      default:
        throw new Error(`schemaFaults: the keyword ${keyword} is not known.`);
    }
  });
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}
