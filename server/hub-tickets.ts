import { randomBytes } from 'node:crypto';
import { systemTimers, type Principal, type Timers } from '../core/index.ts';

/** A connection that was negotiated and not opened is forgotten after this, in milliseconds (ASP.NET's DisconnectTimeout). */
export const TICKET_LIFETIME_MS = 15_000;

interface Ticket {
  readonly principal: Principal;
  readonly expiry: unknown;
}

/**
 * The connections that are negotiated and not open yet. An id is 16 bytes of a cryptographic generator in 22 characters,
 * good for one socket of the same caller.
 */
export class HubTickets {
  readonly #timers: Timers;
  readonly #tickets = new Map<string, Ticket>();

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  issue(principal: Principal): string {
    const id = newConnectionId();
    const expiry = this.#timers.set(() => this.#tickets.delete(id), TICKET_LIFETIME_MS);
    this.#tickets.set(id, { principal, expiry });
    return id;
  }

  /** Answers whether this id was given to this caller; it is used up then. */
  redeem(id: string, principal: Principal): boolean {
    const ticket = this.#tickets.get(id);
    if (ticket === undefined) return false;
    const { tenant, oid } = ticket.principal;
    if (tenant !== principal.tenant || oid !== principal.oid) return false;
    this.#timers.clear(ticket.expiry);
    return this.#tickets.delete(id);
  }

  clear(): void {
    for (const { expiry } of this.#tickets.values()) this.#timers.clear(expiry);
    this.#tickets.clear();
  }
}

/** An id that nobody can guess: 22 characters of base64url. */
export function newConnectionId(): string {
  return randomBytes(16).toString('base64url');
}
