/** Pages cannot name such a session: theirs have no space (`lock-requests.ts`). `lua/hold-write.lua` says the same. */
const PREFIX = 'write ';

// Every host of this code has it; `core/` names neither the DOM's types nor Node's.
const host = globalThis as unknown as { readonly crypto: { randomUUID(): string } };

/** The session by which one request holds what it writes. */
export function newWriteSession(): string {
  return `${PREFIX}${host.crypto.randomUUID()}`;
}

export function isWriteSession(sessionId: string): boolean {
  return sessionId.startsWith(PREFIX);
}

/**
 * How long a request that writes holds the entity at most, in milliseconds: a handler that never answers blocks nobody
 * for longer. With no more left than the longest grace it is no open form: no page says "open in another window".
 */
export const WRITE_LEASE_MS = 30_000;
