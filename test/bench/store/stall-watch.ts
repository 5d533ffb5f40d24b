import { setTimeout as delay } from 'node:timers/promises';
import { PAUSE_MS } from '../../../server/redis/redis-settings.ts';

/** A call that takes longer than this, in milliseconds, tells of a machine that stood still, not of a program. */
const STALL_MS = 250;

/** A machine that stands still more often is none to measure on. */
const MOST_STALLS = 25;

/** A program gave up because nothing happened for half a second. */
export class Stalled extends Error {
  override readonly name = 'Stalled';
}

/** Runs rounds, whoever's they are, until the machine did not stand still meanwhile. Counts those it threw away. */
export class StallWatch {
  #stalls = 0;

  get stalls(): number {
    return this.#stalls;
  }

  /** `work` says how long each of its calls took, in milliseconds. */
  async round<Round>(work: (onCall: (ms: number) => void) => Promise<Round>): Promise<Round> {
    while (true) {
      let slowestMs = 0;
      try {
        const round = await work((ms) => {
          slowestMs = Math.max(slowestMs, ms);
        });
        if (slowestMs <= STALL_MS) return round;
      } catch (error) {
        if (!isStall(error)) throw error;
        await delay(PAUSE_MS + 100); // after a silence our store asks nobody for so long
      }
      this.#stalls += 1;
      if (this.#stalls > MOST_STALLS) throw new Error(`The machine stood still ${this.#stalls} times.`);
    }
  }
}

/** By name, since another working copy of ours has a class of its own. */
function isStall(error: unknown): boolean {
  return error instanceof Error && ['Stalled', 'StoreUnavailable'].includes(error.name);
}
