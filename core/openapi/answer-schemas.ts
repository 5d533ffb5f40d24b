import * as v from 'valibot';
import type { LiveLock } from '../entity-lock.ts';
import type { LeaseAnswer, ListAnswer, ReleaseAnswer } from '../lock-answers.ts';
import { LOCK_ERROR_STATUS, type LockErrorCode, type Problem } from '../lock-error.ts';

/** What parses into `Type`, checked by the compiler: a field of the interface that a schema forgets does not build. */
type SchemaOf<Type> = v.GenericSchema<unknown, Type>;

const text = (meaning: string) => v.pipe(v.string(), v.description(meaning));
const wholeNumber = (meaning: string) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.description(meaning));

export const LiveLockSchema = v.object({
  entityType: text('The type of the record, as the application registered it.'),
  entityUid: text('The record.'),
  holderOid: text('Who holds it: the user’s stable id.'),
  holderName: text('The holder’s name, for people. Plain text, never markup.'),
  acquiredAtUtc: text('ISO-8601 in UTC, for people to read.'),
  expiresAtUtc: text('ISO-8601 in UTC, for people to read: programs go by expiresInMs.'),
  expiresInMs: wholeNumber('Milliseconds left by the store’s clock, at the moment `at`.'),
  fence: wholeNumber('Grows whenever a different holder gets the record. 0 = the store has none.'),
  at: wholeNumber('Microseconds of the store’s clock when this was true.'),
}) satisfies SchemaOf<LiveLock>;

const me = v.pipe(
  v.object({ holderOid: text('The caller’s own id: it tells which locks are one’s own.') }),
  v.description('Who asked.'),
);

export const LeaseAnswerSchema = v.object({
  outcome: v.pipe(
    v.picklist(['acquired', 'held', 'lost', 'unknown']),
    v.description(
      'acquired: yours. held: somebody else’s. lost (by renewals alone): no longer yours. unknown: the store cannot say, and the page goes on with a notice.',
    ),
  ),
  lock: v.pipe(v.nullable(LiveLockSchema), v.description('The lock as it stands; null where there is none.')),
  changed: v.pipe(
    v.nullable(v.boolean()),
    v.description('Another holder had the record since the caller’s fence; null = cannot say.'),
  ),
  otherSessions: wholeNumber('The caller’s other open forms on this record.'),
  renewAfterMs: wholeNumber('Ask again after so many milliseconds.'),
  canTakeOver: v.pipe(v.boolean(), v.description('Whether a take-over by the caller would be allowed now.')),
  me,
}) satisfies SchemaOf<LeaseAnswer>;

export const ReleaseAnswerSchema = v.object({
  outcome: v.pipe(
    v.picklist(['released', 'kept', 'gone', 'held', 'unknown']),
    v.description(
      'released: this session let go. kept: the lock goes on for the caller’s other sessions. gone: there was none. held: it is somebody else’s.',
    ),
  ),
}) satisfies SchemaOf<ReleaseAnswer>;

export const ListAnswerSchema = v.object({
  locks: v.array(LiveLockSchema),
  asOf: wholeNumber('Microseconds of the store’s clock. 0 where the store is unavailable.'),
  me,
  store: v.pipe(
    v.picklist(['ok', 'unavailable']),
    v.description('unavailable = nobody knows; the empty list says nothing.'),
  ),
  next: v.exactOptional(text('Pass as `cursor` for the next page. Absent on the last one.')),
}) satisfies SchemaOf<ListAnswer>;

const codes = Object.keys(LOCK_ERROR_STATUS) as LockErrorCode[];

export const ProblemSchema = v.object({
  title: text('The status in words.'),
  status: wholeNumber('The HTTP status.'),
  detail: text('What was expected, and what came. For developers.'),
  code: v.pipe(v.picklist(codes), v.description('Stable: switch on it, not on texts.')),
  field: v.exactOptional(text('The part of the request at fault.')),
  lock: v.exactOptional(
    v.pipe(v.nullable(LiveLockSchema), v.description('The lock in the way, where there is one.')),
  ),
}) satisfies SchemaOf<Problem>;
