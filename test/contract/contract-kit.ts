import {
  entityRef,
  type ClaimStep,
  type LockChange,
  type LockHolder,
  type ReleaseStep,
} from '../../core/index.ts';
import type { ChangeRecorder } from '../support/change-recorder.ts';
import { until } from '../support/until.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export const ANN: LockHolder = { oid: 'ann', name: 'Ann Lee' };
export const BOB: LockHolder = { oid: 'bob', name: 'Bob Kay' };
export const EVE: LockHolder = { oid: 'eve', name: 'Eve Orr' };

/** Long enough to outlive any test. */
export const LONG_MS = 300_000;
/** Short enough to wait for its end, long enough for a few steps on a busy machine. */
export const SHORT_MS = 150;
export const DAY_MS = 86_400_000;

export interface ContractKit {
  readonly tenant: string;
  readonly otherTenant: string;
  readonly store: StoreUnderTest['store'];
  readonly feed: StoreUnderTest['feed'];
  lifetimesMs(): Promise<readonly number[]>;
  /** An entity that no other test has. */
  entity(type?: string): Entity;
  /** The lock changes of one entity, all that were published so far. */
  changesOf(entity: Entity): Promise<readonly LockChange[]>;
  /** Waits for a lease to run out, by the store's own answer. */
  lapse(entity: Entity): Promise<void>;
}

/** One entity and the steps that a test makes on it. */
export interface Entity {
  readonly target: { readonly tenant: string; readonly ref: ReturnType<typeof entityRef> };
  step(holder: LockHolder, sessionId: string, more?: { leaseMs?: number; fence?: number }): ClaimStep;
  release(holder: LockHolder, sessionId: string | null, graceMs?: number): ReleaseStep;
}

/** What every part of the contract works with. The store is there once the suite's `before` has run. */
export function contractKit(
  subject: () => StoreUnderTest | undefined,
  recorder: () => ChangeRecorder | undefined,
): ContractKit {
  const tenant = 'tenant-a';
  let entities = 0;
  const started = () => present(subject());
  return {
    tenant,
    otherTenant: 'tenant-b',
    get store() {
      return started().store;
    },
    get feed() {
      return started().feed;
    },
    lifetimesMs: () => started().lifetimesMs(),
    entity(type = 'ApprovalRequest') {
      entities += 1;
      return entityOf(tenant, type, `uid-${entities}`);
    },
    async changesOf({ target }) {
      const changes = await present(recorder()).lockChanges(target.tenant);
      return changes.filter(({ entityUid }) => entityUid === target.ref.entityUid);
    },
    async lapse({ target }) {
      await until('the lease is over', async () => (await started().store.read(target)).lock === null);
    },
  };
}

/** An entity of a given tenant, for tests that need two of them. */
export function entityOf(tenant: string, type: string, uid: string): Entity {
  const target = { tenant, ref: entityRef(type, uid) };
  return {
    target,
    step: (holder, sessionId, { leaseMs = LONG_MS, ...more } = {}) => {
      return { ...target, holder, sessionId, leaseMs, ...more };
    },
    release: ({ oid }, sessionId, graceMs = 0) => ({ ...target, holderOid: oid, sessionId, graceMs }),
  };
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The store under test has not been started');
  return value;
}
