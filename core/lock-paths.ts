import type { EntityRef } from './entity-ref.ts';

/** Where the API's calls live, below its base path. The client builds these; `LOCK_ROUTES` reads them. */
export const lockPaths = {
  /** The lock of one record: read it, let go of it. */
  entity: (ref: EntityRef) =>
    `/locks/${encodeURIComponent(ref.entityType)}/${encodeURIComponent(ref.entityUid)}`,
  /** The locks of a type. */
  type: (entityType: string) => `/locks/${encodeURIComponent(entityType)}`,
  /** The caller's own locks. */
  mine: '/locks/mine',
  /** Claims. */
  claim: (ref: EntityRef) => `${lockPaths.entity(ref)}/claim`,
  /** Renews. */
  renew: (ref: EntityRef) => `${lockPaths.entity(ref)}/renew`,
  /** Takes over. */
  takeOver: (ref: EntityRef) => `${lockPaths.entity(ref)}/take-over`,
} as const;

/** Where a page expects the lock API. */
export const DEFAULT_API_PATH = '/api';
/** Where a page expects the hub, and a server puts it. */
export const DEFAULT_HUB_PATH = '/hubs/entity-changes';
