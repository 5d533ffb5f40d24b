import type { EntityRef } from '../core/index.ts';
import type { FieldValues } from './put-back-values.ts';

/** What somebody typed into a form and has not saved. */
export interface Draft {
  readonly values: FieldValues;
  /** When it was last kept, milliseconds by this page's clock. */
  readonly typedAtMs: number;
  /** When nobody will want it any more, by the same clock. */
  readonly expiresAtMs: number;
}

/** Drafts in a browser storage. Nothing throws: where the storage is full or refused, there are no drafts. */
export interface DraftStore {
  read(ref: EntityRef): Draft | null;
  write(ref: EntityRef, draft: Draft): void;
  remove(ref: EntityRef): void;
}

const PREFIX = 'rowlock.draft:';

/** The drafts of one user. Drops whatever has expired, anybody's. */
export function draftStore(user: string, storage?: Storage): DraftStore {
  const keyOf = ({ entityType, entityUid }: EntityRef) =>
    PREFIX + JSON.stringify([user, entityType, entityUid]);
  let hasWarned = false;
  attempt(storage, (opened) => {
    for (const key of draftKeys(opened)) if (parse(opened.getItem(key)) === null) opened.removeItem(key);
  });
  return {
    read: (ref) => attempt(storage, (opened) => parse(opened.getItem(keyOf(ref)))),
    write(ref, draft) {
      const isKept = attempt(storage, (opened) => {
        opened.setItem(keyOf(ref), JSON.stringify(draft));
        return true;
      });
      if (isKept || hasWarned) return;
      hasWarned = true;
      // eslint-disable-next-line no-console -- the page's author must know; there is no caller to tell
      console.warn('Rowlock: drafts are not kept, as the storage is full or refused.');
    },
    remove: (ref) => void attempt(storage, (opened) => opened.removeItem(keyOf(ref))),
  };
}

/** Removes every draft of every user: for signing out on a computer that others use. */
export function forgetDrafts(storage?: Storage): void {
  attempt(storage, (opened) => {
    for (const key of draftKeys(opened)) opened.removeItem(key);
  });
}

function draftKeys(storage: Storage): readonly string[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').filter((key) =>
    key.startsWith(PREFIX),
  );
}

/** Null where the storage does not take part; even to name it may throw. */
function attempt<T>(storage: Storage | undefined, use: (opened: Storage) => T): T | null {
  try {
    return use(storage ?? sessionStorage);
  } catch {
    return null;
  }
}

/** Null for what is no draft, or none any more: anything on the page can write there. */
function parse(text: string | null): Draft | null {
  try {
    const { values, typedAtMs, expiresAtMs } = JSON.parse(text ?? '') as Readonly<
      Record<keyof Draft, unknown>
    >;
    if (typeof values !== 'object' || values === null || typeof typedAtMs !== 'number') return null;
    const isIntact = Object.values(values).every(
      (list) => Array.isArray(list) && list.every((value) => typeof value === 'string'),
    );
    if (!isIntact || !(typeof expiresAtMs === 'number' && expiresAtMs > Date.now())) return null;
    return { values: values as FieldValues, typedAtMs, expiresAtMs };
  } catch {
    return null;
  }
}
