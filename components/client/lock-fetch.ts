import type { EntityRef } from '../../core/entity-ref.ts';
import { defaultClient } from './configure.ts';
import type { LockClient } from './lock-client.ts';

/**
 * `fetch` for one record: the request says on which acquisition its data rests (`Lock-Fence`), so that a guarded write
 * whose page slept through somebody else's edit is refused with 409 `stale-fence` instead of overwriting it. Where this
 * page has claimed nothing, or the backend has no fences, it is plain `fetch`. Nothing else is added: tokens are the
 * caller's. For other HTTP libraries: `client.fence(ref)`, 0 = send no header.
 */
export function lockFetch(
  ref: EntityRef,
  input: RequestInfo | URL,
  init: RequestInit = {},
  client: Pick<LockClient, 'fence'> = defaultClient(),
): Promise<Response> {
  // Of a Request; texts and URLs have none.
  const headers = new Headers(init.headers ?? (input as Partial<Request>).headers);
  const fence = client.fence(ref);
  if (fence) headers.set('Lock-Fence', String(fence));
  return fetch(input, { ...init, headers });
}
