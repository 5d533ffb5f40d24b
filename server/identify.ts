import type { IncomingMessage } from 'node:http';
import { LockError, keyPart, type Principal } from '../core/index.ts';
import { displayName } from './display-name.ts';

/**
 * Says who sent a request, from what it proves (a verified token, a session): never from anything that a caller can
 * simply type. Rejects with `LockError("unauthenticated")`, or `LockError("identity-unavailable")` where it cannot say.
 */
export type Identify = (request: IncomingMessage) => Promise<Principal>;

/** The bearer token of the `Authorization` header (RFC 6750 section 2.1). Throws `LockError("unauthenticated")`. */
export function bearerToken(request: IncomingMessage): string {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw new LockError('unauthenticated', 'A bearer token is needed in the Authorization header.');
}

/**
 * Asks `identify`, and checks what others will see or what becomes a key: a tenant or oid that no key may hold is as good
 * as no identity, and a name is bounded as {@link displayName} does. Rejects with `LockError("unauthenticated")`, or with
 * whatever else went wrong inside `identify`.
 */
export async function callerOf(identify: Identify, request: IncomingMessage): Promise<Principal> {
  const { tenant: claimedTenant, oid: claimedOid, name, kind, expiresAtMs, roles } = await identify(request);
  try {
    const oid = keyPart('oid', claimedOid);
    return {
      tenant: keyPart('tenant', claimedTenant),
      oid,
      name: displayName(name, oid),
      kind,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      ...(roles === undefined ? {} : { roles }),
    };
  } catch (cause) {
    throw new LockError('unauthenticated', 'The identity has no usable tenant or object id.', { cause });
  }
}
