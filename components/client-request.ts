import { defaultClient, type LockClient } from './client/index.ts';
import { clientContext, contextEvent } from './client-context.ts';

/** How connected elements ask again: a provider may be upgraded or inserted after them. */
const asking = new Map<Element, () => void>();

/**
 * Gives `element` the client of the provider around it, or the page's own, and again whenever that is another one.
 * Returns how to stop. Cheaper than a `ContextConsumer`, for elements in great numbers, and leaves nothing behind.
 */
export function requestClient(element: Element, receive: (client: LockClient) => void): () => void {
  let known: LockClient | undefined;
  const ask = (): void => {
    const answers: LockClient[] = [];
    element.dispatchEvent(contextEvent('context-request', element, (client) => answers.push(client)));
    const [client = defaultClient()] = answers;
    if (client !== known) receive((known = client));
  };
  asking.set(element, ask);
  // Adding the same listener again is no second one.
  document.documentElement.addEventListener('context-provider', askAgain);
  ask();
  return () => asking.delete(element);
}

function askAgain(event: HTMLElementEventMap['context-provider']): void {
  if (event.context === clientContext) for (const ask of [...asking.values()]) ask();
}
