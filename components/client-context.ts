import type { Context } from '@lit/context';
import type { LockClient } from './client/index.ts';

/** The client that elements speak through. The key is shared by every copy of the script on a page. */
export const clientContext = Symbol.for('rowlock.client') as unknown as Context<symbol, LockClient>;

/** An event of the web components' context protocol, about {@link clientContext}. */
export function contextEvent(
  type: 'context-request' | 'context-provider',
  contextTarget: Element,
  callback?: (client: LockClient) => void,
): Event {
  const event = new Event(type, { bubbles: true, composed: true });
  return Object.assign(event, { context: clientContext, contextTarget, callback });
}
