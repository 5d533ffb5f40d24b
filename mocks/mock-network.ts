import { HttpResponse } from 'msw';
import type { Timers } from '../core/index.ts';
import { breaksHub, type MockFailure } from './mock-failure.ts';

export interface MockNetworkOptions {
  readonly failure: () => MockFailure | null;
  readonly latencyMs: number | (() => number);
  readonly timers: Timers;
}

/**
 * What lies between a page and the backend. A request that gets through takes effect at once, and its answer travels
 * for the latency: the order of the steps is the order of the requests, and the hub's news may overtake the answer.
 * Whoever aborts stops waiting, which does not undo the step.
 */
export class MockNetwork {
  readonly #options: MockNetworkOptions;
  /** Ends each wait that is under way. */
  readonly #waiting = new Set<() => void>();

  constructor(options: MockNetworkOptions) {
    this.#options = options;
  }

  /** Carries a call of the lock API. */
  async carryApi(request: Request, answer: () => Promise<Response>): Promise<Response> {
    const failure = this.#options.failure();
    if (failure === 'network' || failure === 'offline') return HttpResponse.error();
    if (failure === 'hang') {
      await this.#wait(request.signal, null);
      return HttpResponse.error();
    }
    return await this.#delayed(request, failure === 'error' ? serviceUnavailable() : await answer());
  }

  /** Carries a call of the hub. */
  async carryHub(request: Request, answer: () => Response): Promise<Response> {
    const failure = this.#options.failure();
    if (failure === 'offline') return HttpResponse.error();
    return await this.#delayed(request, breaksHub(failure) ? serviceUnavailable() : answer());
  }

  /** Lets every answer that is still under way arrive now; what hangs fails. */
  flush(): void {
    for (const end of [...this.#waiting]) end();
  }

  async #delayed(request: Request, response: Response): Promise<Response> {
    const { latencyMs } = this.#options;
    const delayMs = typeof latencyMs === 'number' ? latencyMs : latencyMs();
    if (delayMs > 0) await this.#wait(request.signal, delayMs);
    return response;
  }

  /** Resolves after `delayMs` (`null` = never), or when the request is aborted, or with {@link flush}. */
  #wait(signal: AbortSignal, delayMs: number | null): Promise<void> {
    const { timers } = this.#options;
    return new Promise((resolve) => {
      const end = () => {
        timers.clear(timer);
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = delayMs === null ? undefined : timers.set(end, delayMs);
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
      if (signal.aborted) end();
    });
  }
}

/** Not one of the API's own answers: what a gateway says when nobody is behind it. */
function serviceUnavailable(): Response {
  const statusText = 'Service Unavailable';
  return new Response(statusText, { status: 503, statusText, headers: { 'content-type': 'text/plain' } });
}
