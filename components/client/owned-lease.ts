import type { DataChange } from '../../core/entity-change.ts';
import type { Lease } from './lease.ts';
import type { LeaseOptions } from './lease-options.ts';

/** A lease, and what it has for the client that owns it. */
export interface OwnedLease extends Lease {
  /** How often it is open; the client counts. */
  openings: number;
  /** Changes the options that are named. */
  adopt(options: LeaseOptions): void;
  /** Does what is due, and sets the alarm for what is not. Cheap, idempotent. */
  check(): void;
  /** The page is visible, online or back again. */
  wake(): void;
  /** The page is going away. The request is on its way when this returns. */
  leave(): void;
  /** News may have been missed. One's own lock is renewed at once; forms that wait hear from the list, and later. */
  resync(): void;
  /** Somebody else changed the entity's data. */
  dataChanged(change: DataChange): void;
  /**
   * No news until `wake()`, which claims anew what was claimed before. With a grace, another backend comes then, with
   * other fences, holders and data: the one before is told.
   */
  rest(graceMs?: number): void;
  /** Releases, and hears nothing more. */
  close(): void;
}
