import type { EntityRef } from '../../core/entity-ref.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The one spelling under which the server locks an entity (core's `entityRef`, as a test makes sure): Unicode NFC,
 * GUIDs in lower case. Throws a RangeError for an empty part; what else no key may hold, the server refuses by name.
 */
export function entitySpelling({ entityType, entityUid }: EntityRef): EntityRef {
  return { entityType: spell('entityType', entityType), entityUid: spell('entityUid', entityUid) };
}

function spell(field: string, text: string): string {
  if (text === '') throw new RangeError(`${field}: expected a text that is not empty.`);
  return GUID.test(text) ? text.toLowerCase() : text.normalize();
}
