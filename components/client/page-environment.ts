import { systemTimers, type Timers } from '../../core/timers.ts';

/**
 * What can happen to a page: `wake` – it became visible, online, was shown again or resumed; `input` – somebody types
 * or points, perhaps after a sleep that no event told of; `leave` – it is going away, perhaps for good.
 */
export type PageMoment = 'wake' | 'input' | 'leave';

/** All that the client needs of a page: narrow, so that tests bring literal fakes and their own time. */
export interface PageEnvironment {
  /** Timers of this page. */
  readonly timers: Timers;
  /** Wall clock, milliseconds. May be wrong, and may jump. */
  now(): number;
  /** Milliseconds that never go back. May stand still while the machine sleeps. */
  monotonic(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Whether the page can be seen now. */
  isVisible(): boolean;
  /** `event` is the DOM's own. Returns its own unsubscribe. */
  onMoment(listener: (moment: PageMoment, event?: Event) => void): () => void;
}

const MOMENTS: Readonly<Record<string, PageMoment>> = {
  online: 'wake',
  pageshow: 'wake',
  visibilitychange: 'wake',
  resume: 'wake',
  keydown: 'input',
  pointerdown: 'input',
  // Of voice control and screen readers, which press and point at nothing.
  click: 'input',
  input: 'input',
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
    for (const [type, moment] of Object.entries(MOMENTS)) {
      window.addEventListener(
        type,
        (event) => {
          if (type !== 'visibilitychange' || !document.hidden) listener(moment, event);
        },
        // In capture, which also hears what happens to the document, and before the form does: a lease knows of a
        // sleep before a key is typed.
        { capture: true, signal: ended.signal },
      );
    }
    return () => ended.abort();
  },
};
