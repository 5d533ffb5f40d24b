/** Microseconds since 1970, never the same twice and never backwards: what Redis' `TIME` is to its scripts. */
export type MicroClock = () => number;

/** Makes a {@link MicroClock} from a millisecond clock. */
export function microClock(nowMs: () => number = Date.now): MicroClock {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(nowMs() * 1_000));
    return last;
  };
}
