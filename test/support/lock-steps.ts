import type { EntityRef } from '../../core/index.ts';
import { GRACE_MS, type LockUser, type LockWriter } from './lock-writer.ts';

/** What a series of random steps on one entity came to. */
export interface LockStory {
  /** A word a step: its outcome, and how often the fence had changed by then. */
  readonly steps: readonly string[];
  /** Every fence, as the steps answered it. */
  readonly fences: readonly number[];
}

export interface LockStoryOptions {
  /** The same seed, the same steps. */
  readonly seed: number;
  readonly length: number;
  readonly users: readonly LockUser[];
  /** Who takes the step at this place. */
  readonly writerOf: (at: number) => LockWriter | undefined;
}

/** Claims, renews, releases (with and without a grace) and takes over, by chance. Users know the fences they were told. */
export async function playLockSteps(
  ref: EntityRef,
  { seed, length, users, writerOf }: LockStoryOptions,
): Promise<LockStory> {
  let state = seed;
  /** Lehmer's generator with Park and Miller's numbers. */
  const one = <Thing>(things: readonly Thing[]): Thing => {
    state = (state * 48_271) % 2_147_483_647;
    const chosen = things[state % things.length];
    if (chosen === undefined) throw new Error('There is nothing to choose from');
    return chosen;
  };
  const known = new Map<LockUser, number>();
  const fences: number[] = [];
  const steps: string[] = [];
  for (let at = 0; at < length; at += 1) {
    const writer = writerOf(at);
    if (writer === undefined) throw new Error(`Nobody takes step ${at}`);
    const [user, seen] = [one(users), one(users)];
    const { outcome, fence } = await one([
      () => writer.claim(user, ref),
      () => writer.renew(user, ref, known.get(user) ?? 0),
      () => writer.release(user, ref),
      () => writer.release(user, ref, GRACE_MS),
      () => writer.takeOver(user, ref, seen.holder.oid),
    ])();
    if (outcome === 'acquired') known.set(user, fence);
    fences.push(fence);
    steps.push(`${outcome} ${new Set(fences).size}`);
  }
  return { steps, fences };
}
