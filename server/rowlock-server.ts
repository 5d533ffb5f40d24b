import type { Server } from 'node:http';
import type { Router } from 'express';
import {
  EntityChangeHub,
  LockRegistry,
  LockService,
  checkWrite,
  checkWrites,
  jsonHubProtocol,
  keyPart,
  type BulkWrite,
  type CheckWriteOptions,
  type CheckWritesOptions,
  type CheckedWrite,
  type EntityRef,
  type LockableType,
  type Log,
  type Principal,
  type RefusedWrite,
  type UnstampedChange,
  type WriteHeaders,
} from '../core/index.ts';
import { bulkGuard, type BulkGuard } from './guard-bulk-writes.ts';
import { writeGuard, type GuardWrites } from './guard-writes.ts';
import { GuardedRoutes } from './guarded-routes.ts';
import { healthRouter } from './health-router.ts';
import { HubEndpoint } from './hub/hub-endpoint.ts';
import type { HubSettings } from './hub/hub-settings.ts';
import { messagePackHubProtocol } from './hub/messagepack-hub-protocol.ts';
import type { Identify } from './identify.ts';
import { jsonLog } from './json-log.ts';
import type { LockBackend } from './lock-backend.ts';
import { lockRouter } from './lock-router.ts';
import { redactingLog } from './redacting-log.ts';
import type { RowlockMetrics } from './metrics/rowlock-metrics.ts';
import { rateBudgets, type RateLimits } from './rate-budgets.ts';
import { OriginRule, type AllowedOrigins } from './origin-rule.ts';

/** What a lock server is made of. */
export interface RowlockOptions {
  /** What may be locked: `lockable("ApprovalRequest", { … })`. */
  readonly types: readonly LockableType[];
  /** Who sends a request: `oidcIdentity`, `jwtIdentity`, `sessionIdentity`, or a function of your own. */
  readonly identify: Identify;
  /** `memoryBackend()` or `redisBackend()`. `start()` starts it, `stop()` ends it. */
  readonly backend: LockBackend;
  /** Default: JSON lines. */
  readonly log?: Log;
  /**
   * Other origins whose pages may call, exactly: `["https://app.example.com"]`; or a rule,
   * `(origin) => boolean`, which is never asked for `null`. Default: this host alone.
   */
  readonly allowedOrigins?: AllowedOrigins;
  /** How many live locks one user may hold, over all types. Counted by each node. Default 500; more: `too-many-locks`. */
  readonly maxLocksPerHolder?: number;
  /** Calls of one user in a minute, on each node; renewals and releases have a budget of their own. `false`: no limits. */
  readonly rateLimits?: Partial<RateLimits> | false;
  /** Where metrics go: `prometheusMetrics()` of `rowlock/metrics`. Default: nowhere. */
  readonly metrics?: RowlockMetrics;
  /** How the hub is served. */
  readonly hub?: HubSettings;
  /**
   * Warn at the start of types whose writes nothing guards. Default: unless `NODE_ENV` is `production`. `false` where
   * another service enforces the locks.
   */
  readonly warnOfUnguardedTypes?: boolean;
}

/** The parts of a server, for the application to put in its place. */
export interface Rowlock {
  /** The policy, without HTTP: `checkWrite` for bulk writes and jobs. */
  readonly service: LockService;
  /** The lock API: `app.use("/api", rowlock.router)`. */
  readonly router: Router;
  /** `GET /healthz` and `GET /readyz`: `app.use(rowlock.health)`. */
  readonly health: Router;
  /** Enforcement in front of one route that writes. */
  readonly guardWrites: GuardWrites;
  /** The same for a route that writes many records, with an answer per row. */
  readonly guardBulkWrites: BulkGuard['guardBulkWrites'];
  /** In the handler behind `guardBulkWrites`. */
  readonly bulkOf: BulkGuard['bulkOf'];
  /** The same rule without Express: for other frameworks, and for jobs, which have no headers (`{}`). */
  checkWrite(
    principal: Principal | null,
    ref: EntityRef,
    headers?: WriteHeaders,
    options?: CheckWriteOptions,
  ): Promise<CheckedWrite>;
  /** The same for many records of one type. `rows`: uids, or `{ entityUid, fence? }`. */
  checkWrites(
    principal: Principal | null,
    entityType: string,
    rows: unknown,
    options?: CheckWritesOptions,
  ): Promise<BulkWrite | RefusedWrite>;
  /** Registered types for which no guard was made and no write was checked so far. */
  unguardedTypes(): readonly string[];
  /** The writing routes of an Express 5 application that no guard protects, for a test of its own: `["POST /login"]`. */
  unguardedRoutes(app: object): readonly string[];
  /** The hub of changes on this node. */
  readonly hub: {
    /** Tells a tenant's pages of a change of the application's own. Never rejects. */
    publish(tenant: string, change: UnstampedChange): Promise<void>;
    /**
     * Ends a user's connections for good, on every node: they were signed out or lost their rights. Connections that are
     * made later are refused by `identify` alone. Rejects where other nodes could not be told; this node's are closed.
     */
    disconnectUser(tenant: string, oid: string): Promise<void>;
    /** Open connections of this node. */
    readonly connectionCount: number;
  };
  /**
   * Serves the hub on the server that the application listens with: call it when that server has its handler.
   * Returns its own undo. That server's limits stay the application's: Node's `headersTimeout` (60 s),
   * `requestTimeout` (300 s) and `maxHeaderSize` (16 kB) are loose for the open internet; see SECURITY.md.
   */
  attach(server: Server): () => void;
  /** Resolves after a second at the latest, whether the store can be used or not. */
  start(): Promise<void>;
  /**
   * Before the server is closed: asks every page to connect elsewhere, refuses newcomers, and resolves when the hub's
   * connections are gone. The lock API goes on. Harmless when called again.
   */
  drain(): Promise<void>;
  /** Drains, then closes the store. Harmless when called again. */
  stop(): Promise<void>;
}

const UNGUARDED =
  'Types are lockable, but no guardWrites() or checkWrite() protects their writes: their locks are shown and not enforced. ' +
  'If another service enforces them, say warnOfUnguardedTypes: false.';

/** Puts a lock server together. Owns no HTTP server and reads no environment: the application does both. */
export function createRowlock(options: RowlockOptions): Rowlock {
  const { types, identify, backend, allowedOrigins, hub: settings = {}, metrics } = options;
  const log = redactingLog(options.log ?? jsonLog());
  const { feed } = backend;
  const store = metrics?.observeStore(backend.store) ?? backend.store;
  const registry = new LockRegistry(types);
  const service = new LockService({
    store,
    feed,
    registry,
    log,
    ...(options.maxLocksPerHolder === undefined ? {} : { maxLocksPerHolder: options.maxLocksPerHolder }),
    ...(metrics === undefined
      ? {}
      : { onWriteChecked: (check, entityType) => metrics.writeChecked(check, entityType) }),
  });
  const origins = new OriginRule(allowedOrigins);
  const entityChanges = new EntityChangeHub({
    feed,
    log,
    views: service.views,
    protocols: [jsonHubProtocol, messagePackHubProtocol],
    defer: setImmediate,
    ...(settings.timing === undefined ? {} : { timing: settings.timing }),
    ...(settings.limits === undefined ? {} : { limits: settings.limits }),
  });
  const endpoint = new HubEndpoint({ hub: entityChanges.hub, identify, origins, log, settings });
  metrics?.watch({
    storeState: () => service.storeState,
    connectionCount: () => entityChanges.hub.connectionCount,
    hubCounts: () => entityChanges.hub.counts,
  });
  const { rateLimits = {} } = options;
  const countCall = rateBudgets(rateLimits === false ? null : rateLimits, log);
  const guarded = new GuardedRoutes(registry);
  const guardParts = { service, identify, log, guarded };
  const { warnOfUnguardedTypes = process.env['NODE_ENV'] !== 'production' } = options;
  let stopping: Promise<void> | null = null;
  return {
    service,
    router: lockRouter({ service, identify, origins, log, countCall }),
    hub: {
      publish: (tenant, change) => service.publish(tenant, change),
      disconnectUser: (tenant, oid) => feed.disconnectUser(keyPart('tenant', tenant), keyPart('oid', oid)),
      get connectionCount() {
        return entityChanges.hub.connectionCount;
      },
    },
    health: healthRouter(service),
    guardWrites: writeGuard(guardParts),
    ...bulkGuard(guardParts),
    checkWrite(principal, ref, headers, write) {
      guarded.checked(ref.entityType);
      return checkWrite(service, principal, ref, headers, write);
    },
    checkWrites(principal, entityType, rows, write) {
      guarded.checked(entityType);
      return checkWrites(service, principal, entityType, rows, write);
    },
    unguardedTypes: () => guarded.unguardedTypes(),
    unguardedRoutes: (app) => guarded.unguardedRoutes(app),
    attach: (server) => endpoint.attach(server),
    start() {
      const unguarded = warnOfUnguardedTypes ? guarded.unguardedTypes() : [];
      if (unguarded.length > 0) log.warn(UNGUARDED, { entityTypes: unguarded });
      return backend.start();
    },
    drain: () => endpoint.drain(),
    stop() {
      stopping ??= (async () => {
        await endpoint.stop();
        entityChanges.stop();
        await backend.stop();
      })();
      return stopping;
    },
  };
}
