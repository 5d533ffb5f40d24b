import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../core/index.ts';

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 16;
const TOKEN = /^[\w-]{51}$/;

/** A token must be used within this, in milliseconds (ASP.NET's DisconnectTimeout), where one node makes and reads it. */
export const OWN_LIFETIME_MS = 15_000;

/** The same where nodes share a secret: their clocks may differ. A token opens nothing without its caller's own proof. */
export const SHARED_LIFETIME_MS = 600_000;

/** A shared secret must be at least so long. */
const MIN_SECRET_LENGTH = 32;

export interface ConnectionTokensOptions {
  /** The same on every node, 32 characters at least. Default: a random one, so that tokens are good on this node alone. */
  readonly secret?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface NegotiatedIds {
  /** Public. Follows from the token and does not lead back to it. */
  readonly connectionId: string;
  /** Secret: opens the connection, together with the caller's own identity. */
  readonly connectionToken: string;
}

export interface ReadToken {
  readonly connectionId: string;
  /** Milliseconds since 1970 from which on the token opens nothing. */
  readonly expiresAtMs: number;
}

/**
 * Connection tokens that need no memory: 16 bytes of a cryptographic generator and the time, signed for one caller. So
 * a negotiation that is never used costs nothing, and with a shared secret any node can open what another negotiated.
 */
export class ConnectionTokens {
  readonly #secret: string | Buffer;
  readonly #lifetimeMs: number;
  readonly #now: () => number;

  constructor({ secret, now = Date.now }: ConnectionTokensOptions = {}) {
    if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
      throw new RangeError(
        `connectionSecret: expected ${MIN_SECRET_LENGTH} characters at least, got ${secret.length}.`,
      );
    }
    this.#secret = secret ?? randomBytes(32);
    this.#lifetimeMs = secret === undefined ? OWN_LIFETIME_MS : SHARED_LIFETIME_MS;
    this.#now = now;
  }

  issue(principal: Principal): NegotiatedIds {
    const payload = Buffer.alloc(NONCE_BYTES + TIME_BYTES);
    randomBytes(NONCE_BYTES).copy(payload);
    payload.writeUIntBE(this.#now(), NONCE_BYTES, TIME_BYTES);
    const token = Buffer.concat([payload, this.#sign(payload, principal)]);
    return { connectionId: this.#idOf(payload), connectionToken: token.toString('base64url') };
  }

  /** null = not a token of ours, too old, or another caller's: nobody learns which. */
  read(token: string, principal: Principal): ReadToken | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    const mac = bytes.subarray(payload.length);
    if (!timingSafeEqual(mac, this.#sign(payload, principal))) return null;
    const issuedAtMs = payload.readUIntBE(NONCE_BYTES, TIME_BYTES);
    if (Math.abs(this.#now() - issuedAtMs) > this.#lifetimeMs) return null;
    return { connectionId: this.#idOf(payload), expiresAtMs: issuedAtMs + this.#lifetimeMs };
  }

  #sign(payload: Buffer, { tenant, oid }: Principal): Buffer {
    const signed = createHmac('sha256', this.#secret).update('token').update(payload);
    return signed
      .update(JSON.stringify([tenant, oid]))
      .digest()
      .subarray(0, MAC_BYTES);
  }

  #idOf(payload: Buffer): string {
    const digest = createHmac('sha256', this.#secret).update('id').update(payload).digest();
    return digest.subarray(0, MAC_BYTES).toString('base64url');
  }
}
