/**
 * A new session id: 128 random bits in hexadecimal. `getRandomValues` and not `randomUUID`, which plain-HTTP intranets
 * do not have; kept in memory by the caller and not in sessionStorage, which `window.open` copies.
 */
export function newSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
