import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again every few milliseconds until the answer is truthy, and returns it. For what ends by itself (a lease) or
 * arrives by itself (a message); rejects with `what` after `withinMs`.
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  withinMs = 5_000,
): Promise<Exclude<Answer, null | undefined | false | 0 | ''>> {
  const deadline = performance.now() + withinMs;
  while (true) {
    const answer = await ask();
    if (answer) return answer as Exclude<Answer, null | undefined | false | 0 | ''>;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(5);
  }
}
