export { LockBanner } from './lock-banner.ts';
export { clientContext } from './client-context.ts';
export { ExtendableLockEvent, LockEvent } from './lock-events.ts';
export type {
  LockAcquiredEvent,
  LockBeforeReleaseEvent,
  LockBlockingEvent,
  LockErrorEvent,
  LockHeldEvent,
  LockLostEvent,
  LockStateChangeEvent,
} from './lock-events.ts';
export { LockGuard, type Blocking } from './lock-guard.ts';
export {
  fillMessage,
  lockMessage,
  registerMessages,
  type LockMessageKey,
  type LockMessages,
} from './lock-messages.ts';
export { LockProvider } from './lock-provider.ts';
export { LOCK_VERSION } from './lock-version.ts';
export { LockedByCell } from './locked-by-cell.ts';
export type { TypedValues } from './typed-values.ts';
export { configure, createLockClient, defaultClient, lockFetch } from './client/index.ts';
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
