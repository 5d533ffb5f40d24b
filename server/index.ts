export { HubEndpoint, type HubEndpointOptions } from './hub-endpoint.ts';
export { MAX_NAME_LENGTH, displayName } from './display-name.ts';
export { OriginRule } from './origin-rule.ts';
export { bearerToken, callerOf, type Identify } from './identify.ts';
export { createRowlock, type Rowlock, type RowlockOptions } from './rowlock-server.ts';
export { healthRouter } from './health-router.ts';
export { jsonLog, type JsonLogOptions } from './json-log.ts';
export { jwtIdentity, type JwtIdentityOptions } from './jwt-identity.ts';
export { lockRouter, type LockRouterOptions } from './lock-router.ts';
export { memoryBackend, type MemoryBackendOptions, type ProcessPlace } from './memory-backend.ts';
export { redisBackend, type RedisBackendOptions } from './redis/redis-backend.ts';
export {
  writeGuard,
  type GuardWrites,
  type GuardWritesOptions,
  type WriteGuardParts,
} from './guard-writes.ts';
export type { LockBackend } from './lock-backend.ts';
export type { PublishMode } from './redis/lua-scripts.ts';
// What an application's server says and hears in these words, so that it needs no second import.
export {
  LockError,
  lockable,
  type CanTakeOver,
  type EntityRef,
  type LiveLock,
  type LockableOptions,
  type LockableType,
  type Log,
  type Principal,
} from '../core/index.ts';
