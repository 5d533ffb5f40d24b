import { httpSignalRTransport, type BackendLock, type LockTransport } from 'rowlock/client';

/** Where the application's API is, and who is signed in. */
export interface ExistingBackendOptions {
  readonly api: string;
  readonly getToken: () => Promise<string>;
  /** The object id of the signed-in user, as it is in the records. */
  readonly userOid: string;
  /** Well below the backend's lease: one renewal may fail. */
  readonly renewAfterMs: number;
}

/** What the hub sends with its event. */
interface EntityNews {
  readonly what: 'locked' | 'unlocked' | 'saved';
  readonly type: string;
  readonly id: string;
  readonly record?: BackendLock;
  readonly by?: { readonly oid: string; readonly name: string };
}

const OPERATIONS = { locked: 'Acquired', unlocked: 'Released', saved: 'Updated' } as const;

/** Lets Rowlock's elements speak with the application's own lock API and SignalR hub. */
export function existingBackend(options: ExistingBackendOptions): LockTransport {
  const { api, getToken, userOid, renewAfterMs } = options;
  const lockOf = (uid: string) => `/requests/${encodeURIComponent(uid)}/lock`;
  return httpSignalRTransport({
    api,
    hub: `${api}/hubs/approvals`,
    getToken,
    holderOid: () => userOid,
    renewAfterMs,
    routes: {
      claim: ({ entityUid }) => `PUT ${lockOf(entityUid)}`,
      // Whoever claims what is theirs already extends it.
      renew: ({ entityUid }) => `PUT ${lockOf(entityUid)}`,
      release: ({ entityUid }) => `DELETE ${lockOf(entityUid)}`,
      list: (entityType) => `GET /locks/${entityType}`,
    },
    // It knows one lock per person and record, and a date at which it ends.
    capabilities: { sessions: false, fence: false, takeOver: false, grace: false, remainingMs: false },
    // The hub sends everything of the user's tenant, and says nothing when a lock is extended.
    subscribe: null,
    announcesRenewals: false,
    mapList: (body) => (body as { items: unknown[] }).items,
    // 200 from a claim is { granted, record }; a list has the records themselves.
    mapLock: (body) =>
      'granted' in (body as object) ? (body as { record: BackendLock }).record : (body as BackendLock),
    mapConflict: (body) => (body as { lockedBy?: BackendLock }).lockedBy ?? null,
    mapChange: (news) => {
      const { what, type, id, record, by } = news as EntityNews;
      return {
        entityType: type,
        entityUid: id,
        operation: OPERATIONS[what],
        ...(record && { lock: record }),
        ...(by && { by: { ...by, kind: 'user' } }),
      };
    },
  });
}
