import type { LiveLock } from '../../core/entity-lock.ts';

/** A live lock as a page sees it, in grids and banners. */
export interface LockView {
  /** The lock as last heard. */
  readonly lock: LiveLock;
  /** Whether the page's own user holds it. */
  readonly mine: boolean;
  /** When it ends unless renewed, milliseconds by this page's `Date.now()`. */
  readonly endsAtMs: number;
}
