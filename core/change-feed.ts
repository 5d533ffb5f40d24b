import type { DataChange, EntityChange } from './entity-change.ts';

/** A change without the moment, which the feed stamps by the store's clock. */
export type UnstampedChange = Omit<DataChange, 'at'>;

/**
 * How changes reach the hub: one path and one order for every node, the changing one included.
 * Lock changes enter it from inside the store's own atomic steps.
 */
export interface ChangeFeed {
  /** Hears a tenant's changes from now on; resolves when that is confirmed. Counted: as many leaves as joins. */
  join(tenant: string): Promise<void>;
  /** Undoes one `join`. */
  leave(tenant: string): void;
  /** Publishes the application's own change. Reaches at least this node's listeners, whatever state the store is in. */
  publish(tenant: string, change: UnstampedChange): Promise<void>;
  /** Returns its own unsubscribe. */
  onChange(listener: (tenant: string, change: EntityChange) => void): () => void;
  /** Changes may have been missed: listeners refetch. Returns its own unsubscribe. */
  onGap(listener: () => void): () => void;
  /**
   * Tells every node to close the connections of one user of a tenant. This node's listeners hear it at once, whatever
   * state the store is in, and once; other nodes hear it where somebody joined the tenant there. Rejects, after that,
   * where the other nodes could not be told.
   */
  disconnectUser(tenant: string, oid: string): Promise<void>;
  /** Returns its own unsubscribe. */
  onDisconnectUser(listener: (tenant: string, oid: string) => void): () => void;
}
