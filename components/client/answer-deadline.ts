import { TransportError } from './lock-transport.ts';
import type { PageEnvironment } from './page-environment.ts';

/** A call that is not answered by then counts as failed: proxies and sleeping radios can swallow one for minutes. */
export const ANSWER_WITHIN_MS = 15_000;

/** Makes a call and gives up after `ms`: aborts its signal and rejects with a transient `TransportError`. */
export async function withDeadline<Answer>(
  page: PageEnvironment,
  call: (signal: AbortSignal) => Promise<Answer>,
  ms = ANSWER_WITHIN_MS,
): Promise<Answer> {
  const ended = new AbortController();
  let timer: unknown;
  const late = new Promise<never>((_, reject) => {
    timer = page.timers.set(() => {
      reject(new TransportError(`No answer within ${ms} ms.`));
      ended.abort();
    }, ms);
  });
  try {
    return await Promise.race([call(ended.signal), late]);
  } finally {
    page.timers.clear(timer);
  }
}
