import { countdown, type Countdown } from './countdown.ts';
import type { PageEnvironment } from './page-environment.ts';

/** A running schedule looks at the clocks this often: after a sleep the timers of the time before it come late. */
const LOOK_EVERY_MS = 10_000;
/** Nothing looked for so long ⇒ the page slept: even a hidden tab's timers run once a minute (measured). */
const SLEPT_MS = 75_000;

/** Visible pages that wait for one lock claim it within so many milliseconds of each other. */
const CLAIM_SPREAD_MS = 300;
/** After a gap, forms that wait hold back this long, so that the holder, who renews at once, comes first. */
const HOLD_BACK_MS = 600;
/** Waking events come in bursts: an answer so fresh, in milliseconds, needs no other. */
const FRESH_MS = 1_000;
/** A server that says "at once" is not asked more often than this, in milliseconds. */
const LEAST_ASK_MS = 300;

const NEVER: Countdown = () => Infinity;

/**
 * What one lease has to do, and when: by deadlines, not by counting ticks. Calls `look` whenever something may be due.
 * Runs no timer before its first deadline; `stop()` forgets all of them. Every time is in milliseconds from now.
 */
export class RenewalSchedule {
  readonly #page: PageEnvironment;
  readonly #look: () => void;
  #ask = NEVER;
  #end = NEVER;
  #patience = NEVER;
  #sleep = NEVER;
  #fresh: Countdown = () => 0;
  #timer: unknown;

  constructor(page: PageEnvironment, look: () => void) {
    this.#page = page;
    this.#look = look;
  }

  /** It is time to ask the server. */
  get isDue(): boolean {
    return this.#ask() <= 0;
  }

  /** The lease is over by this page's own clocks. */
  get isOver(): boolean {
    return this.#end() <= 0;
  }

  /** An answer is longer on its way than the form can wait. */
  get isOutOfPatience(): boolean {
    return this.#patience() <= 0;
  }

  get isPlanned(): boolean {
    return this.#ask !== NEVER;
  }

  /** The last answer came a moment ago. */
  get isFresh(): boolean {
    return this.#fresh() > 0;
  }

  askIn(ms: number): void {
    this.#ask = countdown(this.#page, Math.max(LEAST_ASK_MS, ms));
    this.#arm();
  }

  /** The record may be free: at a moment by chance, and later where the holder is to come first. */
  claimSoon(holdsBack: boolean): void {
    const spreadMs = 1 + this.#page.random() * (CLAIM_SPREAD_MS - 1);
    this.#ask = countdown(this.#page, spreadMs + (holdsBack ? HOLD_BACK_MS : 0));
    this.#arm();
  }

  leaseEndsIn(ms: number): void {
    this.#end = countdown(this.#page, ms);
    this.#arm();
  }

  /** A call leaves now: whatever was planned is done by it. */
  asking(patienceMs: number): void {
    this.#ask = NEVER;
    this.#patience = countdown(this.#page, patienceMs);
    this.#arm();
  }

  answered(): void {
    this.#fresh = countdown(this.#page, FRESH_MS);
    this.endPatience();
  }

  endPatience(): void {
    this.#patience = NEVER;
  }

  /** The wait goes on, and news will tell. */
  waitForNews(): void {
    this.#ask = this.#end = NEVER;
    this.#arm();
  }

  /** Begins another look; answers whether the page slept since the last. */
  lookAgain(): boolean {
    const slept = this.#sleep() <= 0;
    this.#sleep = NEVER;
    this.#arm();
    return slept;
  }

  stop(): void {
    this.#page.timers.clear(this.#timer);
    this.#ask = this.#end = this.#patience = this.#sleep = NEVER;
  }

  #arm(): void {
    const { timers } = this.#page;
    if (this.#sleep === NEVER) this.#sleep = countdown(this.#page, SLEPT_MS);
    // What is over already is being dealt with: without it, a timer would come back at once.
    const next = [this.#ask(), this.#end(), this.#patience(), LOOK_EVERY_MS].filter((ms) => ms > 0);
    timers.clear(this.#timer);
    this.#timer = timers.set(this.#look, Math.min(...next));
  }
}
