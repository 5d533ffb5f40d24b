import type { LeaseContext } from './lease-context.ts';
import type { LeaseDisplay } from './lease-display.ts';
import type { LockCause } from './lock-map.ts';
import type { LockView } from './lock-view.ts';

/**
 * What news of a record's lock mean for its lease: only `show` them; `wait` for the holder; `blocked` by another holder
 * than before; it is `free`; `ask` the server; what was shared is lost, so `claim`; `lapsed`; or `ended` by the server.
 */
export type LeaseNews = 'show' | 'wait' | 'blocked' | 'free' | 'ask' | 'claim' | 'lapsed' | 'ended';

/** Reads the news by what is displayed before them. */
export function readNews(
  display: LeaseDisplay,
  { locks, transport }: LeaseContext,
  heard: LockView | null,
  cause: LockCause,
): LeaseNews {
  const isOpen = display.isOpenToNews;
  const isMine = display.is('mine');
  if (heard === null) {
    if (!isMine) return 'free';
    if (cause === 'lapse') return 'lapsed';
    // A list shows no lock: perhaps it is wrong.
    if (cause === 'list') return 'ask';
    // Without sessions, another window of the same user let go of the one lock that they share.
    return transport.capabilities.sessions ? 'ended' : 'claim';
  }
  // Before the first answer nobody knows whose this is.
  if (locks.holderOid === null || !(isOpen || isMine)) return 'show';
  // Another window of the same user has it: so has this one, for the asking.
  if (heard.mine) return isOpen ? 'ask' : 'show';
  return display.isWaiting && heard.lock.holderOid === display.view.lock?.holderOid ? 'wait' : 'blocked';
}
