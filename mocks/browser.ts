import type { AnyHandler } from 'msw';
import type { SetupWorker } from 'msw/browser';
import type { MockBackend } from './mock-backend.ts';

/** How the service worker is started. */
export interface MockWorkerOptions {
  /** The application's own handlers. They come first. */
  readonly extraHandlers?: readonly AnyHandler[];
  /** Where msw's `mockServiceWorker.js` is served. Default `/mockServiceWorker.js`: below a sub-path say so. */
  readonly serviceWorkerUrl?: string;
}

/** A backend that answers this page. */
export interface MockWorker {
  /** Lets the page's requests through again. Idempotent. The backend goes on: `backend.stop()` ends it. */
  stop(): void;
}

/**
 * The page's one service worker. Started once and kept: msw's own stop and start in quick succession race with the
 * browser's update of the worker. What comes and goes are the handlers.
 */
let pageWorker: Promise<SetupWorker> | null = null;
const active = new Set<readonly AnyHandler[]>();

/**
 * Puts a backend behind this page's own `fetch` and `WebSocket`. Resolves once requests are caught: connect to the hub
 * after that, because SignalR keeps the `WebSocket` that it finds when a connection is built. What no handler knows
 * goes to the network. Several backends, on different paths, may answer one page.
 */
export async function startMockWorker(
  backend: MockBackend,
  { extraHandlers = [], serviceWorkerUrl }: MockWorkerOptions = {},
): Promise<MockWorker> {
  const handlers = [...extraHandlers, ...backend.handlers];
  pageWorker ??= startPageWorker(serviceWorkerUrl);
  const worker = await pageWorker;
  const use = () => {
    worker.resetHandlers(); // to none: with arguments they would be what later resets come back to
    worker.use(...[...active].flat());
  };
  active.add(handlers);
  use();
  return {
    stop() {
      if (active.delete(handlers)) use();
    },
  };
}

async function startPageWorker(url: string | undefined): Promise<SetupWorker> {
  try {
    // Imported when needed: the rest of the mock runs in Node too, and this module only in browsers.
    const { setupWorker } = await import('msw/browser');
    const worker = setupWorker();
    await worker.start({
      quiet: true,
      onUnhandledRequest: 'bypass',
      ...(url === undefined ? {} : { serviceWorker: { url } }),
    });
    return worker;
  } catch (error) {
    pageWorker = null; // the next attempt starts anew
    throw error;
  }
}
