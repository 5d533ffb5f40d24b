import * as v from 'valibot';
import { LockError } from './lock-error.ts';
import { MAX_GRACE_MS } from './lock-timing.ts';
import { MAX_PAGE_SIZE } from './lock-store.ts';

/** More than any body of this API needs. Larger ones are `too-large`: counted in UTF-16 units here, in bytes by the server. */
export const MAX_BODY_BYTES = 16_384;

/** The fields of a body or a query: a flat object, so that nothing nests and nothing unknown comes in. */
export type Fields = v.StrictObjectSchema<v.ObjectEntries, undefined>;

// Session ids are made by pages; printable ASCII keeps them harmless in keys and logs.
const sessionId = v.optional(
  v.pipe(
    v.string('a text'),
    v.regex(/^[\x21-\x7e]{0,64}$/, 'at most 64 printable ASCII characters'),
    v.description('One acquisition by one open form: an id that the page makes anew for each.'),
  ),
  '',
);
const wholeNumber = (name: string, least: number, most: number) =>
  v.pipe(v.number(name), v.safeInteger(name), v.minValue(least, name), v.maxValue(most, name));
const fence = v.optional(
  v.pipe(
    wholeNumber('the whole number given in "lock.fence"', 1, Number.MAX_SAFE_INTEGER),
    v.description('`lock.fence` of the caller’s last acquisition of this record.'),
  ),
);
const holderOid = v.pipe(
  v.string('a text'),
  v.nonEmpty('a text that is not empty'),
  v.maxLength(200, 'at most 200 characters'),
  v.description('The holder whom the caller saw. Another one by now keeps the lock.'),
);
const fromQuery = (name: string, least: number, most: number, meaning: string) =>
  v.pipe(
    v.string(name),
    v.regex(/^\d{1,9}$/, name),
    v.transform(Number),
    wholeNumber(name, least, most),
    v.description(meaning),
  );

export const LeaseBody = v.strictObject({ sessionId, fence });
export const TakeOverBody = v.strictObject({ sessionId, fromHolderOid: holderOid });
export const ReleaseQuery = v.strictObject({
  sessionId,
  sessions: v.optional(
    v.pipe(
      v.literal('all', '"all"'),
      v.description(
        'All of the caller’s sessions, forgotten windows included; `sessionId` then says nothing.',
      ),
    ),
  ),
  graceMs: v.optional(
    fromQuery(
      `whole milliseconds from 0 to ${MAX_GRACE_MS}`,
      0,
      MAX_GRACE_MS,
      'The lock lives on for so long, so that a page that reloads finds it.',
    ),
    '0',
  ),
});
export const ListQuery = v.strictObject({
  cursor: v.optional(v.pipe(v.string('one text'), v.description('`next` of the page before.'))),
  limit: v.optional(
    fromQuery(
      `a whole number from 1 to ${MAX_PAGE_SIZE}`,
      1,
      MAX_PAGE_SIZE,
      'The most locks that are wanted at once.',
    ),
    String(MAX_PAGE_SIZE),
  ),
});
export const NoQuery = v.strictObject({});

/** Reads a JSON body; an absent one is `{}`. Throws `LockError` (`too-large`, `bad-request` naming the field). */
export function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> {
  if (text.length > MAX_BODY_BYTES)
    throw new LockError('too-large', `body: expected at most ${MAX_BODY_BYTES} bytes.`);
  let body: unknown = {};
  if (text.trim() !== '') {
    try {
      body = JSON.parse(text);
    } catch (cause) {
      throw new LockError('bad-request', 'body: expected JSON.', { field: 'body', cause });
    }
  }
  if (Array.isArray(body))
    throw new LockError('bad-request', 'body: expected a JSON object.', { field: 'body' });
  return check(schema, body, 'body');
}

/** Reads query parameters. A parameter given twice arrives as an array and is refused. */
export function readQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): v.InferOutput<Schema> {
  return check(schema, { ...query }, 'query');
}

function check<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  whole: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue) ?? whole;
  const unknownField = issue.type === 'strict_object' && issue.expected === 'never';
  const expected = unknownField
    ? 'no such field'
    : issue.type === 'strict_object'
      ? 'a JSON object'
      : issue.message;
  throw new LockError('bad-request', `${field}: expected ${missing(issue) ?? expected}.`, { field });
}

/** A required field that is absent. */
function missing(issue: v.BaseIssue<unknown>): string | null {
  return issue.type === 'strict_object' && issue.received === 'undefined' ? 'a value' : null;
}
