export { BLOCKED_STATES, type LeaseState } from './lease-state.ts';
export { DEFAULT_LEASE_OPTIONS, type LeaseOptions } from './lease-options.ts';
export { createLockClient, type LeaseHandle, type LockClient } from './lock-client.ts';
export {
  TransportError,
  type LockTransport,
  type TransportCapabilities,
  type TransportListener,
  type TransportSubscription,
} from './lock-transport.ts';
export { configure, defaultClient } from './configure.ts';
export { lockFetch } from './lock-fetch.ts';
export {
  httpSignalRTransport,
  type HttpSignalRTransportOptions,
  type LockRoutes,
} from './http-signalr-transport.ts';
export type { BackendChange, BackendLock } from './backend-locks.ts';
export type { HubConnectionLike } from './hub-link.ts';
export type { Lease } from './lease.ts';
export type { LeaseView } from './lease-view.ts';
export type { LockView } from './lock-view.ts';
export type { PageEnvironment, PageMoment } from './page-environment.ts';
export type { RowlockConfig } from './rowlock-config.ts';
