import type { IncomingMessage } from 'node:http';
import { LockError, keyPart, type Principal } from '../core/index.ts';

/**
 * Says who sent a request, from what it proves (a verified token, a session): never from anything that a caller can
 * simply type. Rejects with `LockError("unauthenticated")`.
 */
export type Identify = (request: IncomingMessage) => Promise<Principal>;

/** The bearer token of the `Authorization` header (RFC 6750 section 2.1). Throws `LockError("unauthenticated")`. */
export function bearerToken(request: IncomingMessage): string {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw new LockError('unauthenticated', 'A bearer token is needed in the Authorization header.');
}

/**
 * Asks `identify`, and checks the parts that become keys: a tenant or oid that no key may hold is as good as no
 * identity. Rejects with `LockError("unauthenticated")`, or with whatever else went wrong inside `identify`.
 */
export async function callerOf(identify: Identify, request: IncomingMessage): Promise<Principal> {
  const { tenant: claimedTenant, oid: claimedOid, name, kind, expiresAtMs } = await identify(request);
  try {
    return {
      tenant: keyPart('tenant', claimedTenant),
      oid: keyPart('oid', claimedOid),
      name,
      kind,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    };
  } catch (cause) {
    throw new LockError('unauthenticated', 'The identity has no usable tenant or object id.', { cause });
  }
}
