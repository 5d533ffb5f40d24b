import { ContextEvent } from '@lit/context';
import { clientContext } from './client-context.ts';
import { defaultClient, type LockClient } from './client/index.ts';

/**
 * Gives `element` the client of the provider around it, or the page's own, and again whenever that is another one.
 * Returns how to stop. Cheaper than a `ContextConsumer`, which elements in great numbers would feel.
 */
export function requestClient(element: Element, receive: (client: LockClient) => void): () => void {
  let known: LockClient | undefined;
  let isOver = false;
  let leave: (() => void) | undefined;
  const use = (client: LockClient, unsubscribe?: () => void): void => {
    // Another provider than before: the last one need not keep us.
    if (unsubscribe !== leave) leave?.();
    leave = unsubscribe;
    if (isOver) leave?.();
    else if (client !== known) receive((known = client));
  };
  element.dispatchEvent(new ContextEvent(clientContext, element, use, true));
  if (known === undefined) use(defaultClient());
  return () => {
    isOver = true;
    leave?.();
  };
}
