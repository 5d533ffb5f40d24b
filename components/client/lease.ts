import type { EntityRef } from '../../core/entity-ref.ts';
import type { LeaseView } from './lease-view.ts';

/** One record's lease in this page, shared by everybody who opens the record. The states are in `lease-state.ts`. */
export interface Lease {
  /** The record. */
  readonly ref: EntityRef;
  /** Of the last acquisition; 0 = none, or a backend without fences. */
  readonly fence: number;
  /** Immutable; replaced by every change. */
  readonly view: LeaseView;
  /** Hears every change of the view. Returns its own unsubscribe. */
  subscribe(listener: (view: LeaseView, previous: LeaseView) => void): () => void;
  /**
   * Claims, or asks again. Resolves when the answer is in the view, or there was none; never rejects. A form that is
   * editable stays so until the answer, and one that waits goes on waiting.
   */
  claim(): Promise<void>;
  /**
   * Lets go; the lock ends `graceMs` later (0 = now) unless other forms of this user keep it. Resolves when the server
   * has answered; never rejects: where it cannot be told, the lease ends by itself.
   */
  release(options?: { readonly graceMs?: number }): Promise<void>;
  /**
   * Takes the lock from the holder in the view. Whoever was quicker is in the view afterwards. Rejects with
   * `TransportError` (`take-over-denied`, no answer, …); then nothing has changed.
   */
  takeOver(): Promise<void>;
  /** The page shows data loaded after the lock became its own: what was heard before no longer matters. */
  loaded(): void;
}
