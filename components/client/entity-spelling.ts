import type { EntityRef } from '../../core/entity-ref.ts';

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The one spelling under which the server locks an entity (core's `entityRef`, as a test makes sure): Unicode NFC,
 * GUIDs in lower case. Throws a RangeError for an empty part; what else no key may hold, the server refuses by name.
 */
export function entitySpelling({ entityType, entityUid }: EntityRef): EntityRef {
  if (!entityType || !entityUid) throw new RangeError('entityType, entityUid: expected text');
  return { entityType: spell(entityType), entityUid: spell(entityUid) };
}

function spell(text: string): string {
  return GUID.test(text) ? text.toLowerCase() : text.normalize();
}
