import type { AnyHandler } from 'msw';
import { createMockBackend, type MockBackendOptions } from './mock-backend.ts';

/**
 * msw handlers for the lock API and the hub, for those who need no hold on the backend behind them:
 * `setupWorker(...lockHandlers({ types, users }))`. Everything else is at {@link createMockBackend}.
 */
export function lockHandlers(options: MockBackendOptions): AnyHandler[] {
  return [...createMockBackend(options).handlers];
}
