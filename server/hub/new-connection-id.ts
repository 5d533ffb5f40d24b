import { randomBytes } from 'node:crypto';

/** An id that nobody can guess: 16 bytes of a cryptographic generator in 22 characters of base64url. */
export function newConnectionId(): string {
  return randomBytes(16).toString('base64url');
}
