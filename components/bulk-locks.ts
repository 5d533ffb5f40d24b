import type { LiveLock } from '../core/entity-lock.ts';
import { refKey, type EntityRef } from '../core/entity-ref.ts';
import { withDeadline } from './client/answer-deadline.ts';
import { entitySpelling } from './client/entity-spelling.ts';
import { defaultClient, type LockClient } from './client/index.ts';
import { browserPage } from './client/page-environment.ts';
import { listMessage } from './list-messages.ts';
import { fillMessage } from './lock-messages.ts';

/** A selection of records, by who is editing them now. Each list keeps the order of the selection. */
export interface BulkLocks<Ref extends EntityRef = EntityRef> {
  /** Nobody else is editing these. One's own locks do not hinder one's own writes. */
  readonly free: readonly Ref[];
  /** Somebody else is editing these. */
  readonly locked: readonly { readonly ref: Ref; readonly lock: LiveLock }[];
  /** Nobody can say: the server or its store did not answer. Writing is allowed, as everywhere; the server decides. */
  readonly unknown: readonly Ref[];
  /** Rows of a bulk write's answer that were not written for another reason, such as `stale`. */
  readonly notWritten?: readonly { readonly ref: Ref; readonly status: string }[];
}

/** One row of the answer to a bulk write. */
export interface BulkAnswerRow extends EntityRef {
  /** `written`, `locked`, or why else it was not written. */
  readonly status: string;
  /** The lock in the way of the row; null where it is not to be seen. */
  readonly lock?: LiveLock | null;
}

/** So many names are read out; of more the first two, and how many others. */
const MOST_NAMES = 3;

/**
 * Sorts out which of these records somebody else is editing right now: from what this page has heard anyway, else by one
 * request for each type, however many records. Never rejects for a server that is away. Throws a RangeError for an empty
 * type or uid. What is free now may be locked a moment later: the server has the last word.
 */
export async function sortOutLocked<Ref extends EntityRef>(
  refs: readonly Ref[],
  client: LockClient = defaultClient(),
): Promise<BulkLocks<Ref>> {
  const named = refs.map((ref) => [ref, entitySpelling(ref)] as const);
  const types = [...new Set(named.map(([, { entityType }]) => entityType))];
  const answers = new Map(
    await Promise.all(types.map(async (type) => [type, await foreignLocks(type, client)] as const)),
  );
  const lockOf = (ref: EntityRef) => answers.get(ref.entityType)?.get(refKey(ref));
  return {
    free: named.flatMap(([ref, spelled]) =>
      answers.get(spelled.entityType) && !lockOf(spelled) ? [ref] : [],
    ),
    locked: named.flatMap(([ref, spelled]) => {
      const lock = lockOf(spelled);
      return lock ? [{ ref, lock }] : [];
    }),
    unknown: named.flatMap(([ref, { entityType }]) => (answers.get(entityType) ? [] : [ref])),
  };
}

/**
 * Reads the answer to a bulk write, `{ results: [{ entityType, entityUid, status, lock? }] }`: what was written is
 * `free`. Rows that are locked by somebody who is not named are `notWritten`. Throws a TypeError for anything else.
 */
export function readBulkAnswer(answer: unknown): BulkLocks<BulkAnswerRow> {
  const { results } = (answer ?? {}) as { readonly results?: readonly BulkAnswerRow[] };
  if (!Array.isArray(results)) throw new TypeError('Expected { results: […] }, the answer to a bulk write.');
  const rows: readonly BulkAnswerRow[] = results;
  return {
    free: rows.filter(({ status }) => status === 'written'),
    locked: rows.flatMap((ref) => (ref.status === 'locked' && ref.lock ? [{ ref, lock: ref.lock }] : [])),
    unknown: [],
    notWritten: rows.flatMap((ref) =>
      ref.status === 'written' || (ref.status === 'locked' && ref.lock) ? [] : [{ ref, status: ref.status }],
    ),
  };
}

/**
 * What to tell the user: "3 of 20 records are being edited by Anna and Ben and are left out." `language` (BCP 47) is the
 * page's by default. Empty where everything is free. Plain text, names isolated from its direction.
 */
export function leftOutText(
  { free, locked, unknown, notWritten = [] }: BulkLocks,
  language: string = document.documentElement.lang,
): string {
  const total = free.length + locked.length + unknown.length + notWritten.length;
  const number = numberFormat(language);
  const say = (key: Parameters<typeof listMessage>[1], count: number, names = ''): string =>
    fillMessage(listMessage(language, key), {
      count: number.format(count),
      total: number.format(total),
      names,
    }).join('');
  const everybody = [...new Set(locked.map(({ lock }) => lock.holderName))];
  const few = everybody.length > MOST_NAMES ? everybody.slice(0, 2) : everybody;
  const names = few.map((name) => `\u2068${name}\u2069`);
  if (few.length < everybody.length) names.push(say('others', everybody.length - few.length));
  const sentences = [
    locked.length > 0 &&
      say(locked.length === 1 ? 'leftOutOne' : 'leftOut', locked.length, joined(names, language)),
    unknown.length > 0 && say('unchecked', unknown.length),
    notWritten.length > 0 && say('notWritten', notWritten.length),
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

/** By `refKey`; null = nobody can say. */
async function foreignLocks(
  entityType: string,
  client: LockClient,
): Promise<ReadonlyMap<string, LiveLock> | null> {
  const heard = client.known(entityType);
  let locks = heard?.filter(({ mine }) => !mine).map(({ lock }) => lock);
  if (locks === undefined) {
    const answer = await withDeadline(browserPage, () => client.transport.list(entityType)).catch(
      (error: unknown) => {
        // eslint-disable-next-line no-console -- a type that nobody marked locks nothing: its developer must know
        console.error(error);
      },
    );
    if (!answer || answer.store === 'unavailable') return null;
    locks = answer.locks.filter(({ holderOid }) => holderOid !== answer.me.holderOid);
  }
  return new Map(locks.map((lock) => [refKey(lock), lock]));
}

/** A language that `Intl` refuses is the browser's own. */
function numberFormat(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language || undefined);
  } catch {
    return new Intl.NumberFormat();
  }
}

function joined(names: readonly string[], language: string): string {
  try {
    return new Intl.ListFormat(language || 'en').format(names);
  } catch {
    return new Intl.ListFormat('en').format(names);
  }
}
