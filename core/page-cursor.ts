import { LockError } from './lock-error.ts';

/** The last entry of a page: lists are ordered by end of lease, then by key, as a Redis sorted set is. */
export interface PageCursor {
  /** End of the lease, milliseconds of the store's clock. */
  readonly score: number;
  /** The last one of the page before, among those that end in the same millisecond. */
  readonly member: string;
}

/** Writes the opaque `next` of a page. */
export function writeCursor({ score, member }: PageCursor): string {
  return `${score}~${member}`;
}

/** Reads a `next` again. Throws `LockError("bad-request")` for anything this API never gave out. */
export function readCursor(cursor: string): PageCursor {
  const match = /^(\d{1,16})~(.+)$/s.exec(cursor);
  if (match === null) {
    throw new LockError('bad-request', 'cursor: expected the "next" of an earlier page.', {
      field: 'cursor',
    });
  }
  return { score: Number(match[1]), member: match[2] ?? '' };
}
