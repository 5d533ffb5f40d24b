import { Mismatch } from './mismatch.ts';

const ASK_EVERY_MS = 50;
const GIVE_UP_MS = 10_000;

/** Asks again until the answer is true. Throws a `Mismatch` that says what was expected. */
export async function untilTrue(expected: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Mismatch(`expected ${expected} within ${GIVE_UP_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
