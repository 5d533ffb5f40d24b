import type {
  ClaimStep,
  EntityRef,
  HoldWriteResult,
  HoldWriteStep,
  LeaseResult,
  LockPage,
  LockSnapshot,
  LockStore,
  LockTarget,
  PageRequest,
  ReleaseResult,
  ReleaseStep,
  RenewStep,
  TakeOverStep,
} from '../../core/index.ts';

/** A call to the store. */
export type StoreVerb =
  'claim' | 'renew' | 'release' | 'take-over' | 'hold-write' | 'read' | 'read-many' | 'list' | 'list-mine';

/**
 * Hears one call to the store when it is over. `outcome`: the result's own word (`acquired`, `held`, `released`, …), `ok`
 * for reads, `unavailable` where the store failed. Durations in seconds. Must not throw.
 */
export type StoreListener = (verb: StoreVerb, outcome: string, durationS: number, entityType: string) => void;

/** A store that tells what every call came to, and changes nothing about it. */
export class ObservedLockStore implements LockStore {
  readonly kind: string;
  readonly #store: LockStore;
  readonly #tell: StoreListener;

  constructor(store: LockStore, tell: StoreListener) {
    this.kind = store.kind;
    this.#store = store;
    this.#tell = tell;
  }

  claim(step: ClaimStep): Promise<LeaseResult> {
    return this.#call('claim', step.ref.entityType, () => this.#store.claim(step));
  }

  renew(step: RenewStep): Promise<LeaseResult> {
    return this.#call('renew', step.ref.entityType, () => this.#store.renew(step));
  }

  release(step: ReleaseStep): Promise<ReleaseResult> {
    return this.#call('release', step.ref.entityType, () => this.#store.release(step));
  }

  takeOver(step: TakeOverStep): Promise<LeaseResult> {
    return this.#call('take-over', step.ref.entityType, () => this.#store.takeOver(step));
  }

  read(target: LockTarget): Promise<LockSnapshot> {
    return this.#call('read', target.ref.entityType, () => this.#store.read(target));
  }

  holdWrite(step: HoldWriteStep): Promise<HoldWriteResult> {
    return this.#call('hold-write', step.ref.entityType, () => this.#store.holdWrite(step));
  }

  readMany(tenant: string, refs: readonly EntityRef[]): Promise<readonly LockSnapshot[]> {
    return this.#call('read-many', refs[0]?.entityType ?? '', () => this.#store.readMany(tenant, refs));
  }

  list(tenant: string, entityType: string, page: PageRequest): Promise<LockPage> {
    return this.#call('list', entityType, () => this.#store.list(tenant, entityType, page));
  }

  listHeldBy(tenant: string, entityTypes: readonly string[], holderOid: string): Promise<LockPage> {
    return this.#call('list-mine', '', () => this.#store.listHeldBy(tenant, entityTypes, holderOid));
  }

  async #call<Result extends object>(
    verb: StoreVerb,
    entityType: string,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const startedMs = performance.now();
    const tell = (outcome: string) =>
      this.#tell(verb, outcome, (performance.now() - startedMs) / 1_000, entityType);
    try {
      const result = await call();
      tell('outcome' in result ? String(result.outcome) : 'ok');
      return result;
    } catch (error) {
      tell('unavailable');
      throw error;
    }
  }
}
