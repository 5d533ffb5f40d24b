import type { EntityRef, LeaseAnswer, LiveLock, LockService, Principal } from '../core/index.ts';

/** One open form of this person, whatever many records it has open: not one of the page's own. */
const SESSION = { sessionId: 'mock-person' };

/**
 * What somebody does who is not in this page: at once, past the mock's latency and its broken networks. A lock that is
 * taken this way is not renewed, so it ends with its lease.
 */
export class MockPerson {
  readonly #principal: Principal;
  readonly #service: LockService;

  constructor(principal: Principal, service: LockService) {
    this.#principal = principal;
    this.#service = service;
  }

  /** Opens a record for editing. Rejects where somebody else has it, and where the store is made to fail. */
  async claim(ref: EntityRef): Promise<LiveLock> {
    return this.#acquired(ref, await this.#service.claim(this.#principal, ref, SESSION));
  }

  /** Takes a record from whoever has it now. Rejects where the type's `canTakeOver` says no. */
  async takeOver(ref: EntityRef): Promise<LiveLock> {
    const { locks } = await this.#service.read(this.#principal, ref);
    const fromHolderOid = locks[0]?.holderOid ?? this.#principal.oid;
    const request = { ...SESSION, fromHolderOid };
    return this.#acquired(ref, await this.#service.takeOver(this.#principal, ref, request));
  }

  /** Closes the record again. What this person has open in the page is not touched. */
  async release(ref: EntityRef): Promise<void> {
    await this.#service.release(this.#principal, ref, SESSION);
  }

  /** Tells everybody that this person changed the record. The data itself is the application's. */
  async publish(ref: EntityRef, operation = 'Updated'): Promise<void> {
    const { tenant, oid, name, kind } = this.#principal;
    await this.#service.publish(tenant, { ...ref, operation, by: { oid, name, kind } });
  }

  #acquired({ entityType, entityUid }: EntityRef, { outcome, lock }: LeaseAnswer): LiveLock {
    if (outcome === 'acquired' && lock !== null) return lock;
    const why = outcome === 'held' ? `${lock?.holderName ?? 'somebody'} has it` : `the answer is ${outcome}`;
    throw new Error(`${this.#principal.name} cannot have ${entityType} ${entityUid}: ${why}.`);
  }
}
