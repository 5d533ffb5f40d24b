import type { EntityRef } from '../core/index.ts';
import type { Lease, LeaseHandle, LeaseOptions, LeaseView, LockClient } from './client/index.ts';

/** One guard's hold on the lease of the record it names. Leases belong to the page; this opens and closes. */
export class LeaseConnection {
  readonly #onView: (view: LeaseView) => void;
  #client: LockClient | null = null;
  #ref: EntityRef | null = null;
  #lease: Lease | null = null;
  #handle: LeaseHandle | null = null;
  #unsubscribe: (() => void) | null = null;

  /** `onView` hears every change of the open lease, not its first view. */
  constructor(onView: (view: LeaseView) => void) {
    this.#onView = onView;
  }

  /** The open lease, null while closed. */
  get lease(): Lease | null {
    return this.#handle && this.#lease;
  }

  /**
   * Opens the lease of `ref`, after closing that of another one. Says what came of it: `kept` – it is open already;
   * `resumed` – the same lease as before a {@link close}; `opened` – another one.
   */
  open(client: LockClient, ref: EntityRef, options: LeaseOptions): 'kept' | 'resumed' | 'opened' {
    const isSame =
      client === this.#client &&
      ref.entityType === this.#ref?.entityType &&
      ref.entityUid === this.#ref.entityUid;
    if (isSame && this.#handle !== null) return 'kept';
    this.close();
    const handle = client.openLease(ref, options);
    const isResumed = handle.lease === this.#lease;
    this.#client = client;
    this.#ref = ref;
    this.#handle = handle;
    this.#lease = handle.lease;
    this.#unsubscribe = handle.lease.subscribe((view) => this.#onView(view));
    return isResumed ? 'resumed' : 'opened';
  }

  /** Idempotent. The client waits a moment before it lets go, so that an element may move within the page. */
  close(): void {
    this.#unsubscribe?.();
    this.#handle?.close();
    this.#unsubscribe = this.#handle = null;
  }
}
