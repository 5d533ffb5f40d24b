import { ContextEvent } from '@lit/context';
import { defaultClient, type LockClient } from './client/index.ts';
import { clientContext } from './lock-contexts.ts';

/** Elements that found no provider, and how they ask again. Only connected ones: grids make and drop thousands. */
const waiting = new Map<Element, () => void>();

/**
 * Gives `element` the client of the provider around it, or the page's own, and again whenever that changes; a provider
 * may be upgraded or inserted later. Returns how to stop. Cheaper than a `ContextConsumer`, for elements in great
 * numbers, and leaves nothing behind in a `ContextRoot`.
 */
export function requestClient(element: Element, receive: (client: LockClient) => void): () => void {
  let unsubscribe: (() => void) | undefined;
  const subscribed = (client: LockClient, leave?: () => void): void => {
    if (leave !== unsubscribe) unsubscribe?.();
    unsubscribe = leave;
    waiting.delete(element);
    receive(client);
  };
  const subscribe = (): void => {
    element.dispatchEvent(new ContextEvent(clientContext, element, subscribed, true));
  };
  // Asks without subscribing first: a subscription that nobody answers would be kept.
  const ask = (): void => {
    element.dispatchEvent(new ContextEvent(clientContext, element, subscribe));
  };
  ask();
  if (unsubscribe === undefined) {
    // Adding the same listener again is no second one.
    document.documentElement.addEventListener('context-provider', askAgain);
    waiting.set(element, ask);
    receive(defaultClient());
  }
  return () => {
    waiting.delete(element);
    unsubscribe?.();
  };
}

function askAgain(event: HTMLElementEventMap['context-provider']): void {
  if (event.context === clientContext) for (const ask of [...waiting.values()]) ask();
}
