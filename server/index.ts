export { HubEndpoint, type HubEndpointOptions } from './hub/hub-endpoint.ts';
export { HUB_TRANSPORTS, type HubTransport } from './hub/hub-transport.ts';
export { messagePackHubProtocol } from './hub/messagepack-hub-protocol.ts';
export type { HubSettings } from './hub/hub-settings.ts';
export type { NegotiateRedirect } from './hub/hub-negotiation.ts';
export { MAX_NAME_LENGTH, displayName } from './display-name.ts';
export { OriginRule, type AllowedOrigins } from './origin-rule.ts';
export { bearerToken, callerOf, type Identify } from './identify.ts';
export { createRowlock, type Rowlock, type RowlockOptions } from './rowlock-server.ts';
export { healthRouter } from './health-router.ts';
export { jsonLog, type JsonLogOptions } from './json-log.ts';
export { DEFAULT_ISSUER_KEYS_TIMING, type IssuerKeysTiming } from './issuer-keys.ts';
export { jwtIdentity, type JwtIdentityOptions } from './jwt-identity.ts';
export { oidcIdentity, type OidcIdentityOptions } from './oidc-identity.ts';
export { sessionIdentity, type SessionIdentityOptions, type SessionMiddleware } from './session-identity.ts';
export type { ClaimOptions, ReadClaim } from './token-claims.ts';
export { pinoLog, type DetailsFirstLogger } from './pino-log.ts';
export { DEFAULT_RATE_LIMITS, type RateLimits } from './rate-budgets.ts';
export { lockRouter, type LockRouterOptions } from './lock-router.ts';
export { memoryBackend, type MemoryBackendOptions, type ProcessPlace } from './memory-backend.ts';
export {
  redisBackend,
  redisSettings,
  type ClusteredRedis,
  type RedisBackendOptions,
  type RedisBackendSettings,
  type RedisConnectionOptions,
  type RedisOfTheApplication,
  type SentinelRedis,
  type StandaloneRedis,
} from './redis/redis-backend.ts';
export {
  redisFromEnvironment,
  type RedisEnvironment,
  type RedisFromEnvironment,
} from './redis/redis-from-environment.ts';
export { neededRights } from './redis/redis-rights.ts';
export { bulkGuard, type BulkGuard, type GuardBulkWritesOptions } from './guard-bulk-writes.ts';
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
  Hub,
  HubConnection,
  HubError,
  InvalidHubArguments,
  LockError,
  jsonHubProtocol,
  lockable,
  type HubAudience,
  type HubCall,
  type HubLimits,
  type HubCloseOptions,
  type HubMethod,
  type HubMethodOptions,
  type HubMethodRun,
  type HubMethods,
  type HubOptions,
  type HubTiming,
  type AllowedWrite,
  type BulkResult,
  type BulkWrite,
  type CanSee,
  type CanTakeOver,
  type CheckWriteOptions,
  type CheckWritesOptions,
  type CheckedWrite,
  type EntityRef,
  type HolderName,
  type LiveLock,
  type LockableOptions,
  type LockableType,
  type Log,
  type Principal,
  type RefusedWrite,
  type WriteHeaders,
} from '../core/index.ts';
