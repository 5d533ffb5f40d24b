export { LockBanner } from './lock-banner.ts';
export { clientContext, guardContext, type GuardContext } from './lock-contexts.ts';
export {
  ExtendableLockEvent,
  LockAcquiredEvent,
  LockBeforeReleaseEvent,
  LockErrorEvent,
  LockEvent,
  LockHeldEvent,
  LockLostEvent,
  LockReleasedEvent,
  LockReloadEvent,
  LockStateChangeEvent,
  LockUnknownEvent,
} from './lock-events.ts';
export { LockGuard } from './lock-guard.ts';
export { registerMessages, type LockMessageKey, type LockMessages } from './lock-messages.ts';
export { LockProvider } from './lock-provider.ts';
export { LOCK_VERSION } from './lock-version.ts';
export { LockedByCell } from './locked-by-cell.ts';
export type { Blocking } from './body-blocker.ts';
export type { LoadState } from './form-gate.ts';
export type { TypedValues } from './typed-values.ts';
export { configure, createLockClient, defaultClient } from './client/index.ts';
export type {
  Lease,
  LeaseHandle,
  LeaseOptions,
  LeaseState,
  LeaseView,
  LockClient,
  LockView,
  RowlockConfig,
} from './client/index.ts';
