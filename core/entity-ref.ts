import { LockError } from './lock-error.ts';

/** The record being edited. Both parts are plain text; they are percent-encoded wherever they become a key or a path. */
export interface EntityRef {
  /** The kind of record, as it was registered. */
  readonly entityType: string;
  /** Which record of that kind. */
  readonly entityUid: string;
}

/** The longest tenant, type or uid, counted in percent-encoded characters (design: keys stay short and printable). */
export const MAX_ENCODED_LENGTH = 200;

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// Control characters, line separators and lone surrogates: they cannot be shown, logged or encoded safely.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]|\p{Cs}/u;

/**
 * Makes the one spelling under which an entity is locked: Unicode NFC, GUIDs in lower case.
 * Throws `LockError("bad-request")` naming the field for what no key may hold: an empty part, more than
 * {@link MAX_ENCODED_LENGTH} encoded characters, control characters, a dot segment (URLs drop it, RFC 3986 5.2.4),
 * or the type `mine`, which is a route of its own.
 */
export function entityRef(entityType: string, entityUid: string): EntityRef {
  const ref = { entityType: keyPart('entityType', entityType), entityUid: keyPart('entityUid', entityUid) };
  if (ref.entityType === 'mine') {
    throw new LockError('bad-request', 'entityType: "mine" is reserved for GET /locks/mine.', {
      field: 'entityType',
    });
  }
  return ref;
}

/** Checks and normalises one part of a key (tenant, type or uid). Throws `LockError("bad-request")` naming `field`. */
export function keyPart(field: string, value: string): string {
  const refuse = (expected: string): never => {
    throw new LockError('bad-request', `${field}: expected ${expected}.`, { field });
  };
  if (value === '') refuse('a text that is not empty');
  // The length check comes first, so that no later step works on megabytes.
  if (value.length > MAX_ENCODED_LENGTH)
    refuse(`at most ${MAX_ENCODED_LENGTH} characters, got ${value.length}`);
  if (UNPRINTABLE.test(value)) refuse('no control characters or broken surrogate pairs');
  if (value === '.' || value === '..') refuse('something other than a dot segment');
  const normal = GUID.test(value) ? value.toLowerCase() : value.normalize('NFC');
  const encoded = encodeURIComponent(normal).length;
  if (encoded > MAX_ENCODED_LENGTH)
    refuse(`at most ${MAX_ENCODED_LENGTH} percent-encoded characters, got ${encoded}`);
  return normal;
}

/** One text per entity, for maps. Two refs have the same key exactly when they name the same entity. */
export function refKey(ref: EntityRef): string {
  return `${encodeURIComponent(ref.entityType)}:${encodeURIComponent(ref.entityUid)}`;
}
