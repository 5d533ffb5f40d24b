// What an office of editors and grids asks of Redis, of the nodes and of the network: arithmetic, no measuring. Where a
// number comes from stands beside it; test/unit/scripts/sizing.test.ts and test/full/sizing.test.ts hold them to the code.

/**
 * An office at work. Times in milliseconds.
 *
 * @typedef {object} Office
 * @property {number} editors people with a form open, each of whom holds a lock
 * @property {number} watchers pages with a grid, beside the forms
 * @property {number} tenants among whom people and pages are spread evenly
 * @property {number} types entity types of a tenant; each page shows one of them
 * @property {number} nodes of the application
 * @property {number} leaseMs
 * @property {number} renewEveryMs
 * @property {number} claimsPerEditorHour forms opened; as many are closed
 * @property {number} writesPerEditorHour through `guardWrites`
 * @property {number} listsPerWatcherHour grid pages loaded
 * @property {number} leaveShare forms that end with their page (a release with its grace), 0 to 1; the rest are closed in
 * a page that stays
 * @property {number} hoursPerDay of work: what is opened in a day leaves its fence for a day
 */

/**
 * Calls of a time, whatever its length.
 *
 * @typedef {object} Calls
 * @property {number} claims of free records
 * @property {number} renewals
 * @property {number} releases of a form that is closed
 * @property {number} leaves releases of a page that is left
 * @property {number} writes through `guardWrites`
 * @property {number} lists of one type, at least one lock in each
 */

/** @type {Readonly<Office>} */
export const DEFAULT_OFFICE = {
  editors: 500,
  watchers: 2_000,
  tenants: 1,
  types: 1,
  nodes: 2,
  leaseMs: 300_000,
  renewEveryMs: 120_000,
  claimsPerEditorHour: 12,
  writesPerEditorHour: 12,
  listsPerWatcherHour: 6,
  leaveShare: 1,
  hoursPerDay: 8,
};

/**
 * Commands that Redis counts for a call, those inside its script included (`INFO commandstats`; lua/*.lua and
 * server/redis/redis-lock-store.ts have them one by one). A claim of a record that its user was the last to hold has one
 * more, a claim that finds the record held has five, a list of a type without locks has two.
 *
 * @type {Readonly<Record<keyof Calls, number>>}
 */
export const REDIS_COMMANDS = { claims: 13, renewals: 17, releases: 10, leaves: 16, writes: 4, lists: 3 };

/** Per node: the subscriber's PING every 500 ms (SUBSCRIBER_PING_MS). Of a cluster: to each master that carries tenants. */
export const PINGS_PER_NODE_S = 2;

/** One for commands, one for subscriptions (server/redis/single-redis-link.ts). */
const REDIS_CONNECTIONS_PER_NODE = 2;

/** Seconds between two pings to a connection (core/hub/hub-timing.ts). */
export const HUB_PING_EVERY_S = 15;

/**
 * Bytes with ids of 36 characters (tenant, record and user), a type of 15 and a name of 14, as they were counted: a change
 * on its way through Redis, and as JSON in a WebSocket frame; an application's change (`Updated`) of a guarded write; a
 * ping; a lock in a list.
 */
export const BYTES = {
  redisLockChange: 333,
  redisDataChange: 214,
  hubLockChange: 526,
  hubDataChange: 272,
  hubPing: 13,
  listedLock: 315,
};

/**
 * Memory in bytes. Redis 7.0 with the same ids, `used_memory` over 10,000 locks: MEMORY USAGE says 408 for the record, 216
 * for the fence and 216 for the sessions; the index' entry and Redis' own tables are the rest. A connection: 8 to 12 KiB
 * were measured with 5,000 idle WebSockets (test/full/idle-connections.test.ts). A node without any: 78 MiB were resident with Express and metrics, rounded up.
 */
export const MEMORY = {
  redisLock: 1_350,
  redisFence: 330,
  redisSession: 300,
  redisConnection: 22_500,
  nodeConnection: 12_288,
  node: 100 * 1_048_576,
};

/**
 * CPU in microseconds, from the runs of docs/benchmarks.md of 2026-11-30, rounded up: a message to one connection, a claim
 * over HTTP, the same in redis-server. Another machine has other ones.
 */
export const CPU_US = { hubMessage: 6, httpCall: 725, redisScript: 160 };

/**
 * What calls come to, exactly, while `listeners` connections hear each change and every node listens to every tenant.
 *
 * @param {Readonly<Calls>} calls
 * @param {{ readonly nodes: number, readonly listeners: number }} hearers
 */
export function loadOf(calls, { nodes, listeners }) {
  const names = /** @type {(keyof Calls)[]} */ (Object.keys(REDIS_COMMANDS));
  const scripts = calls.claims + calls.renewals + calls.releases + calls.leaves;
  const changes = scripts + calls.writes;
  return {
    httpCalls: scripts + calls.writes + calls.lists,
    scripts,
    redisCommands: names.reduce((sum, name) => sum + calls[name] * REDIS_COMMANDS[name], 0),
    /** As often as a script or a node says PUBLISH. */
    published: changes,
    redisBytesToNodes: nodes * (scripts * BYTES.redisLockChange + calls.writes * BYTES.redisDataChange),
    hubMessages: changes * listeners,
    hubBytes: listeners * (scripts * BYTES.hubLockChange + calls.writes * BYTES.hubDataChange),
  };
}

/**
 * Memory that Redis needs for locks, in bytes.
 *
 * @param {{ readonly liveLocks: number, readonly endedFences: number, readonly endedSessions: number }} kept
 */
export function redisLockBytes({ liveLocks, endedFences, endedSessions }) {
  return liveLocks * MEMORY.redisLock + endedFences * MEMORY.redisFence + endedSessions * MEMORY.redisSession;
}

/**
 * An office's load by the second, and what it takes up. Renewals are those of forms that stay open: somebody who opens
 * another record every five minutes renews a little less. Throws a RangeError that names an input that makes no sense.
 *
 * @param {Partial<Office>} given
 */
export function sizing(given = {}) {
  const office = checkedOffice({ ...DEFAULT_OFFICE, ...given });
  const { editors, watchers, tenants, types, nodes, leaveShare } = office;
  const claims = (editors * office.claimsPerEditorHour) / 3_600;
  /** @type {Calls} */
  const calls = {
    claims,
    renewals: (editors * 1_000) / office.renewEveryMs,
    releases: claims * (1 - leaveShare),
    leaves: claims * leaveShare,
    writes: (editors * office.writesPerEditorHour) / 3_600,
    lists: (watchers * office.listsPerWatcherHour) / 3_600,
  };
  const connections = editors + watchers;
  const listeners = connections / (tenants * types);
  const load = loadOf(calls, { nodes, listeners });
  const pings = connections / HUB_PING_EVERY_S;
  const hubMessages = load.hubMessages + pings;
  const listedLocks = editors / (tenants * types);
  const ended = claims * 3_600 * office.hoursPerDay;
  return {
    office,
    calls,
    perSecond: {
      ...load,
      redisCommands: load.redisCommands + nodes * PINGS_PER_NODE_S,
      hubMessages,
      hubBytes: load.hubBytes + pings * BYTES.hubPing,
      listBytes: calls.lists * listedLocks * BYTES.listedLock,
    },
    listeners,
    redis: {
      connections: nodes * REDIS_CONNECTIONS_PER_NODE,
      bytes:
        redisLockBytes({ liveLocks: editors, endedFences: ended, endedSessions: ended * leaveShare }) +
        nodes * REDIS_CONNECTIONS_PER_NODE * MEMORY.redisConnection,
      cores: (load.scripts * CPU_US.redisScript) / 1e6,
    },
    node: {
      connections: connections / nodes,
      hubMessages: hubMessages / nodes,
      bytes: MEMORY.node + (connections / nodes) * MEMORY.nodeConnection,
      cores: (hubMessages * CPU_US.hubMessage + load.httpCalls * CPU_US.httpCall) / nodes / 1e6,
    },
    /** When Redis or a node was away and all pages are back: each grid fetches its list, each form renews. */
    afterGap: { lists: watchers, renewals: editors },
  };
}

/** @param {Office} office */
function checkedOffice(office) {
  for (const name of /** @type {(keyof Office)[]} */ (Object.keys(DEFAULT_OFFICE))) {
    const value = office[name];
    const isCount = name === 'tenants' || name === 'types' || name === 'nodes' || name === 'renewEveryMs';
    if (!(Number.isFinite(value) && value >= (isCount ? 1 : 0))) {
      throw new RangeError(`${name}: expected a number of ${isCount ? 1 : 0} or more, got ${String(value)}.`);
    }
  }
  if (office.leaveShare > 1)
    throw new RangeError(`leaveShare: expected 1 at most, got ${String(office.leaveShare)}.`);
  // As core/lock-timing.ts has it: a node refuses to start otherwise.
  const least = 2 * office.renewEveryMs + 60_000;
  if (office.leaseMs < least) {
    throw new RangeError(
      `leaseMs: expected 2 × renewEveryMs + 60000 = ${String(least)} or more, got ${String(office.leaseMs)}.`,
    );
  }
  return office;
}
