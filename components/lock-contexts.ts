import { createContext } from '@lit/context';
import type { LeaseView, LockClient } from './client/index.ts';
import type { LoadState } from './form-gate.ts';

/** What a guard tells the banners inside it. A change makes a new one. */
export interface GuardContext {
  /** Null while the guard names no record. */
  readonly view: LeaseView | null;
  readonly load: LoadState;
  /** After letting go, the banner offers to edit again. */
  readonly offersEdit: boolean;
  /** What a banner's buttons do. */
  readonly guard: { takeOver(): Promise<void>; reload(): void; claimNow(): void };
}

/** The client that elements speak through. The key is shared by every copy of the script on a page. */
export const clientContext = createContext<LockClient>(Symbol.for('rowlock.client'));

/** The guard that a banner speaks for. */
export const guardContext = createContext<GuardContext>(Symbol.for('rowlock.guard'));
