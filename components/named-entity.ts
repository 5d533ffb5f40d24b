import type { EntityRef } from '../core/index.ts';

type Setting = string | number | null | undefined;

/** The record that two settings name; null while one is empty. Frameworks also set numbers, null and undefined. */
export function namedEntity(type: Setting, uid: Setting): EntityRef | null {
  const [entityType, entityUid] = [String(type ?? ''), String(uid ?? '')];
  return entityType && entityUid ? { entityType, entityUid } : null;
}
