import * as v from 'valibot';
import type { HubMessage } from './hub-message.ts';
import { InvalidHubMessage } from './invalid-hub-message.ts';

/** Deeper messages are refused (ASP.NET's JSON depth, the message itself counts): whoever walks arguments later must not run out of stack. */
export const MAX_DEPTH = 64;

const Id = v.pipe(v.string(), v.minLength(1));
const Call = {
  target: v.string(),
  arguments: v.array(v.unknown()),
  streamIds: v.optional(v.nullable(v.array(Id))),
};

/** The fields that are read. Others, `headers` among them, are ignored as every implementation does. */
const SCHEMAS = {
  1: v.object({ ...Call, invocationId: v.optional(v.nullable(v.string())) }),
  2: v.object({ invocationId: Id, item: v.unknown() }),
  3: v.object({
    invocationId: Id,
    error: v.optional(v.nullable(v.string())),
    result: v.optional(v.unknown()),
  }),
  4: v.object({ ...Call, invocationId: Id }),
  5: v.object({ invocationId: Id }),
  6: v.object({}),
  7: v.object({ error: v.optional(v.nullable(v.string())), allowReconnect: v.optional(v.boolean()) }),
} as const;

/**
 * Checks a decoded message, whichever protocol it came in. null = a type that nobody knows, which is ignored.
 * Throws {@link InvalidHubMessage} that names the field.
 */
export function readHubMessage(raw: unknown): HubMessage | null {
  if (typeof raw !== 'object' || raw === null || !('type' in raw) || typeof raw.type !== 'number') {
    throw new InvalidHubMessage('type: expected a number');
  }
  const { type } = raw;
  if (!isKnown(type)) return null;
  const read = v.safeParse(SCHEMAS[type], raw);
  if (!read.success) {
    const [issue] = read.issues;
    throw new InvalidHubMessage(`${v.getDotPath(issue) ?? 'message'}: ${issue.message}`);
  }
  const message = { type, ...withoutNull(read.output) } as HubMessage;
  if (message.type === 3 && message.error !== undefined && 'result' in message) {
    throw new InvalidHubMessage('error: expected no error beside a result');
  }
  if (isTooDeep(message, MAX_DEPTH)) throw new InvalidHubMessage(`expected ${MAX_DEPTH} levels at most`);
  return message;
}

function isKnown(type: number): type is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, type);
}

/** The two payloads may be null, which means something; elsewhere null is the same as absent, as is an empty id. */
function withoutNull(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isPayload = name === 'item' || name === 'result';
    if (isPayload || (value !== null && value !== undefined && value !== '') || name === 'target')
      kept[name] = value;
  }
  return kept;
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((part) => isTooDeep(part, levels - 1));
}
