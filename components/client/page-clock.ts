import type { PageEnvironment } from './page-environment.ts';

/** The page looks at least this often: after a sleep, the timers of the time before it come late. */
const LOOK_EVERY_MS = 10_000;
/** Nothing looked for so long ⇒ the page slept: even a hidden tab's timers run once a minute (measured). */
const SLEPT_MS = 75_000;
/** The wall clock ahead of the steady one by more than this was a sleep, or somebody set it; less is rounding. */
const JUMP_MS = 500;

/**
 * The time of one page, and its one timer. Every moment is in milliseconds of its own; Infinity = never. Time passes by
 * whichever clock moved more: the wall clock goes on while a laptop sleeps, the monotonic one is right when somebody
 * sets the wall clock back. A clock that is wrong by a day changes nothing.
 */
export interface PageClock {
  /** The moment `ms` from now, at which the page will look. */
  readonly after: (ms: number) => number;
  /** Whether a moment has come. If not, the page will look then. */
  readonly isOver: (at: number) => boolean;
  /** Looks now. */
  readonly look: () => void;
  /** No timer until somebody asks for another moment. */
  readonly stop: () => void;
}

/** `onLook` does what is due, and asks for the moments of what is not; it hears whether the page slept since the last. */
export function pageClock(page: PageEnvironment, onLook: (slept: boolean) => void): PageClock {
  let wall = page.now();
  let steady = page.monotonic();
  let skippedMs = 0;
  let lookAt = Infinity;
  let lookedAt = 0;
  let timer: unknown;

  const now = () => {
    const jumpMs = page.now() - wall - (page.monotonic() - steady);
    wall = page.now();
    steady = page.monotonic();
    if (jumpMs > JUMP_MS) {
      skippedMs += jumpMs;
      if (lookAt < Infinity) arm(0);
    }
    return steady + skippedMs;
  };
  const arm = (delayMs: number) => {
    page.timers.clear(timer);
    timer = page.timers.set(look, delayMs);
  };
  const isOver = (at: number) => {
    const from = now();
    const next = Math.min(at > from ? at : Infinity, from + LOOK_EVERY_MS);
    if (lookAt === Infinity) lookedAt = from;
    // A look that is overdue is on its way: it must not be put off.
    if (next < lookAt) {
      lookAt = next;
      arm(next - from);
    }
    return at <= from;
  };
  const after = (ms: number) => {
    const at = now() + ms;
    isOver(at);
    return at;
  };
  const stop = () => {
    lookAt = Infinity;
    page.timers.clear(timer);
  };
  const look = () => {
    const slept = now() - lookedAt > SLEPT_MS;
    stop();
    isOver(Infinity);
    onLook(slept);
  };
  return { after, isOver, look, stop };
}
