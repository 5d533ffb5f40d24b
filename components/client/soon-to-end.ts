import type { LiveLock } from '../../core/entity-lock.ts';
import type { PageEnvironment } from './page-environment.ts';

/**
 * How long before a lock's end to ask whether it was renewed, in milliseconds: the `Date` header is up to a second
 * behind, lists are fetched within half a second, and the answer is to be there before the lock would vanish.
 */
const ASK_BEFORE_MS = 2_000;

/**
 * For hubs that are silent about renewals: says for which type a lock is about to end, as far as was heard, so that a
 * list is asked for in time; where it is too late for that, when it has ended. Once for all of a type's locks: the list
 * says anew of each when it ends.
 */
export function soonToEnd(page: PageEnvironment, ask: (entityType: string) => void) {
  const next = new Map<string, { readonly at: number; readonly timer: unknown }>();
  return {
    heard: ({ entityType, expiresInMs }: LiveLock): void => {
      const delayMs = expiresInMs > ASK_BEFORE_MS ? expiresInMs - ASK_BEFORE_MS : expiresInMs;
      const at = page.monotonic() + delayMs;
      const known = next.get(entityType);
      // A record that is still listed after its end would be asked for again and again.
      if (delayMs <= 0 || (known && known.at <= at)) return;
      page.timers.clear(known?.timer);
      const timer = page.timers.set(() => {
        next.delete(entityType);
        ask(entityType);
      }, delayMs);
      next.set(entityType, { at, timer });
    },
    /** Idempotent. */
    stop(): void {
      for (const { timer } of next.values()) page.timers.clear(timer);
      next.clear();
    },
  };
}
