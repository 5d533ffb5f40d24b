import type { EntityRef } from './entity-ref.ts';

/** Where the API's calls live, below its base path. The client builds these; `LOCK_ROUTES` reads them. */
export const lockPaths = {
  entity: (ref: EntityRef) =>
    `/locks/${encodeURIComponent(ref.entityType)}/${encodeURIComponent(ref.entityUid)}`,
  type: (entityType: string) => `/locks/${encodeURIComponent(entityType)}`,
  mine: '/locks/mine',
  claim: (ref: EntityRef) => `${lockPaths.entity(ref)}/claim`,
  renew: (ref: EntityRef) => `${lockPaths.entity(ref)}/renew`,
  takeOver: (ref: EntityRef) => `${lockPaths.entity(ref)}/take-over`,
} as const;

export const DEFAULT_API_PATH = '/api';
export const DEFAULT_HUB_PATH = '/hubs/entity-changes';
