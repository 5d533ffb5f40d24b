import { TransportError } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';

/** A call that is not answered by then counts as failed: proxies and sleeping radios can swallow one for minutes. */
export const ANSWER_WITHIN_MS = 15_000;

/** Makes a call and gives up waiting in the end: rejects with a transient `TransportError`. */
export function withDeadline<Answer>(
  { timers }: PageEnvironment,
  call: () => Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = timers.set(() => reject(new TransportError('No answer')), ANSWER_WITHIN_MS);
    call()
      .then(resolve, reject)
      .finally(() => timers.clear(timer));
  });
}
