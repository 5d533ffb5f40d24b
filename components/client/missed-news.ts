import { countdown } from './countdown.ts';
import type { LeaseContext } from './lease-context.ts';
import type { LeaseDisplay } from './lease-display.ts';

/** The hub may take so long, in milliseconds, to connect before a waiting page counts its news as incomplete. */
const CONNECT_WITHIN_MS = 5_000;

/**
 * Whether a form may have missed changes of its data while somebody else could edit them: the hub was away, the page
 * slept, or the backend has no fences by which to tell.
 */
export class MissedNews {
  readonly #context: LeaseContext;
  readonly #display: LeaseDisplay;
  #isPossible = false;
  #connectBy = () => 0;

  constructor(context: LeaseContext, display: LeaseDisplay) {
    this.#context = context;
    this.#display = display;
  }

  /** Another holder has the lock. */
  waitBegins(): void {
    this.holderMayHaveChanged();
    if (!this.#display.isWaiting) this.#connectBy = countdown(this.#context.page, CONNECT_WITHIN_MS);
  }

  /** The hub's connection came or went. One that is just being made has not missed anything yet. */
  hubChanged(isConnected: boolean): void {
    if (this.#display.isWaiting && (!isConnected || this.#connectBy() <= 0)) this.#isPossible = true;
  }

  /** Somebody else may have held the lock; with fences, the next answer says so itself. */
  holderMayHaveChanged(): void {
    if (!this.#context.transport.capabilities.fence) this.#isPossible = true;
  }

  slept(): void {
    if (this.#display.isWaiting) this.#isPossible = true;
  }

  /** The lock is this page's: answers whether news may be missing, and starts anew. */
  settle(): boolean {
    const isMissing = this.#isPossible || (this.#display.isWaiting && !this.#context.isConnected);
    this.#isPossible = false;
    return isMissing;
  }
}
