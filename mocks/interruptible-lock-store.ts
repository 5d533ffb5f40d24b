import {
  StoreUnavailable,
  type ClaimStep,
  type EntityRef,
  type HoldWriteStep,
  type LockStore,
  type LockTarget,
  type PageRequest,
  type ReleaseStep,
  type RenewStep,
  type TakeOverStep,
} from '../core/index.ts';

/** A store that stops answering while `isDown` says so: every call rejects, and nothing is changed. */
export class InterruptibleLockStore implements LockStore {
  readonly kind: string;
  readonly #store: LockStore;
  readonly #isDown: () => boolean;

  constructor(store: LockStore, isDown: () => boolean) {
    this.kind = store.kind;
    this.#store = store;
    this.#isDown = isDown;
  }

  async claim(step: ClaimStep) {
    return await this.#up().claim(step);
  }

  async renew(step: RenewStep) {
    return await this.#up().renew(step);
  }

  async release(step: ReleaseStep) {
    return await this.#up().release(step);
  }

  async takeOver(step: TakeOverStep) {
    return await this.#up().takeOver(step);
  }

  async holdWrite(step: HoldWriteStep) {
    return await this.#up().holdWrite(step);
  }

  async read(target: LockTarget) {
    return await this.#up().read(target);
  }

  async readMany(tenant: string, refs: readonly EntityRef[]) {
    return await this.#up().readMany(tenant, refs);
  }

  async list(tenant: string, entityType: string, page: PageRequest) {
    return await this.#up().list(tenant, entityType, page);
  }

  async listHeldBy(tenant: string, entityTypes: readonly string[], holderOid: string) {
    return await this.#up().listHeldBy(tenant, entityTypes, holderOid);
  }

  #up(): LockStore {
    if (this.#isDown())
      throw new StoreUnavailable('The mock backend was told that its store is unavailable.');
    return this.#store;
  }
}
