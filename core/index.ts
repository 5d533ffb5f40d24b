export { DEFAULT_API_PATH, DEFAULT_HUB_PATH, lockPaths } from './lock-paths.ts';
export {
  DEFAULT_TIMING,
  FENCE_LIFETIME_MS,
  MAX_GRACE_MS,
  lockTiming,
  type LockTiming,
} from './lock-timing.ts';
export {
  ENTITY_CHANGED,
  EntityChangeHub,
  RESYNC,
  SUBSCRIBE,
  UNSUBSCRIBE,
  type EntityChangeHubOptions,
} from './hub/entity-change-hub.ts';
export { FENCE_HEADER, readFenceHeader, refuseWrite, writeRefused, type WriteRefusal } from './write-rule.ts';
export { DEFAULT_HUB_LIMITS, hubLimits, type HubLimits } from './hub/hub-limits.ts';
export { DEFAULT_HUB_TIMING, hubTiming, type HubTiming } from './hub/hub-timing.ts';
export { Hub, type HubAudience, type HubConnectRequest, type HubOptions } from './hub/hub.ts';
export { HubConnection, type HubCloseOptions } from './hub/hub-connection.ts';
export { HubError } from './hub/hub-error.ts';
export { HubInput } from './hub/hub-input.ts';
export { InvalidHubArguments } from './hub/invalid-hub-arguments.ts';
export { InvalidHubMessage } from './hub/invalid-hub-message.ts';
export { MessageBatch, type BatchFraming } from './hub/message-batch.ts';
export { OutgoingMessage } from './hub/outgoing-message.ts';
export { jsonHubProtocol } from './hub/json-hub-protocol.ts';
export { readHubMessage } from './hub/read-hub-message.ts';
export {
  LOCK_ERROR_STATUS,
  LockError,
  PROBLEM_MEDIA_TYPE,
  type LockErrorCode,
  type Problem,
} from './lock-error.ts';
export {
  LOCK_OPERATIONS,
  isLockChange,
  type ChangeAuthor,
  type DataChange,
  type EntityChange,
  type LockChange,
  type LockOperation,
} from './entity-change.ts';
export {
  LOCK_ROUTES,
  answerLockRequest,
  notAllowed,
  problemAnswer,
  type ApiAnswer,
  type ApiRequest,
} from './lock-api.ts';
export { API_DOCUMENT_PATH, lockApiDocument, type ApiDocument } from './openapi/lock-api-document.ts';
export {
  LockRegistry,
  lockable,
  type CanSee,
  type CanTakeOver,
  type HolderName,
  type LockableOptions,
  type LockableType,
} from './lock-registry.ts';
export { LockService, type LeaseRequest, type LockServiceOptions } from './lock-service.ts';
export { LockViews } from './lock-views.ts';
export { MAX_BODY_BYTES } from './lock-requests.ts';
export { MAX_ENCODED_LENGTH, entityRef, keyPart, refKey, type EntityRef } from './entity-ref.ts';
export {
  MAX_PAGE_SIZE,
  StoreUnavailable,
  type ClaimStep,
  type HoldWriteResult,
  type HoldWriteStep,
  type LeaseResult,
  type LockPage,
  type LockSnapshot,
  type LockStore,
  type LockTarget,
  type PageRequest,
  type ReleaseResult,
  type ReleaseStep,
  type RenewStep,
  type TakeOverStep,
} from './lock-store.ts';
export { MemoryChangeFeed } from './memory-change-feed.ts';
export { MemoryLockStore } from './memory-lock-store.ts';
export {
  DEFAULT_BULK_ROWS,
  MAX_BULK_ROWS,
  checkWrites,
  type BulkResult,
  type BulkWrite,
  type CheckWritesOptions,
} from './bulk-write.ts';
export {
  checkWrite,
  type AfterWrite,
  type AllowedWrite,
  type CheckWriteOptions,
  type CheckedWrite,
  type RefusedWrite,
  type WriteHeaders,
} from './checked-write.ts';
export { changedSince, nextFence, storeLostFence } from './fence.ts';
export { microClock, type MicroClock } from './micro-clock.ts';
export { newLockRecord, type EntityLock, type LiveLock, type LockHolder } from './entity-lock.ts';
export { readCursor, writeCursor, type PageCursor } from './page-cursor.ts';
export { systemTimers, type Timers } from './timers.ts';
export { WRITE_LEASE_MS, newWriteSession } from './write-session.ts';
export type { ChangeFeed, UnstampedChange } from './change-feed.ts';
export type { LeaseAnswer, ListAnswer, Me, ReleaseAnswer } from './lock-answers.ts';
export type { Log } from './log.ts';
export type { Principal } from './principal.ts';
export type { FencedRef, WriteCheck } from './write-checks.ts';
export type { CallSignal } from './hub/call-signal.ts';
export type { HubCounts } from './hub/hub-counts.ts';
export type { HubCall, HubMethod, HubMethodOptions, HubMethodRun, HubMethods } from './hub/hub-method.ts';
export type { HubMessage } from './hub/hub-message.ts';
export type { HubProtocol } from './hub/hub-protocol.ts';
export type { HubWire } from './hub/hub-wire.ts';
