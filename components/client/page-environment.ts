import { systemTimers, type Timers } from '../../core/timers.ts';

/**
 * What can happen to a page: `wake` – it became visible, online, was shown again or resumed; `input` – somebody types
 * or points, perhaps after a sleep that no event told of; `leave` – it is going away, perhaps for good.
 */
export type PageMoment = 'wake' | 'input' | 'leave';

/** All that the client needs of a page: narrow, so that tests bring literal fakes and their own time. */
export interface PageEnvironment {
  readonly timers: Timers;
  /** Wall clock, milliseconds. May be wrong, and may jump. */
  now(): number;
  /** Milliseconds that never go back. May stand still while the machine sleeps. */
  monotonic(): number;
  /** From 0 up to 1. */
  random(): number;
  isVisible(): boolean;
  /** Returns its own unsubscribe. */
  onMoment(listener: (moment: PageMoment) => void): () => void;
}

const MOMENTS: Readonly<Record<string, PageMoment>> = {
  online: 'wake',
  pageshow: 'wake',
  visibilitychange: 'wake',
  resume: 'wake',
  keydown: 'input',
  pointerdown: 'input',
  pagehide: 'leave',
};

/** The page this runs in. Touches nothing at import, and in Node (rendering on a server) nothing ever happens to it. */
export const browserPage: PageEnvironment = {
  timers: systemTimers,
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  isVisible: () => typeof document === 'undefined' || !document.hidden,
  onMoment(listener) {
    if (typeof window === 'undefined') return () => {};
    const ended = new AbortController();
    for (const [event, moment] of Object.entries(MOMENTS)) {
      window.addEventListener(
        event,
        () => {
          if (event !== 'visibilitychange' || !document.hidden) listener(moment);
        },
        // In capture, which also hears what happens to the document, and before the form does: a lease knows of a
        // sleep before a key is typed.
        { capture: true, signal: ended.signal },
      );
    }
    return () => ended.abort();
  },
};
