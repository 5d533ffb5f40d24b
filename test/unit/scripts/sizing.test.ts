import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  DEFAULT_HUB_TIMING,
  DEFAULT_TIMING,
  jsonHubProtocol,
  type EntityChange,
} from '../../../core/index.ts';
import {
  BYTES,
  DEFAULT_OFFICE,
  loadOf,
  redisLockBytes,
  sizing,
  type Calls,
} from '../../../scripts/sizing-model.mjs';
import { withTable } from '../../../scripts/sizing.mjs';
import { webSocketFrame } from '../../../server/hub/web-socket-frame.ts';
import { readChangeMessage, writeChangeMessage } from '../../../server/redis/change-message.ts';
import { SUBSCRIBER_PING_MS } from '../../../server/redis/redis-settings.ts';

const ROOT = new URL('../../../', import.meta.url);
const NOTHING: Calls = { claims: 0, renewals: 0, releases: 0, leaves: 0, writes: 0, lists: 0 };
const NOBODY = { editors: 0, watchers: 0 };

/** As long as the model takes them to be: ids of 36 characters, a type of 15 and a name of 14. */
const ID = '00000000-1111-2222-3333-444444444444';
const RECORD = {
  entityType: 'ApprovalRequest',
  entityUid: ID,
  holderOid: ID,
  holderName: 'Anna Lindqvist',
  acquiredAtUtc: '2026-12-01T04:47:09.254Z',
  expiresAtUtc: '2026-12-01T04:52:09.254Z',
};
const DATA_CHANGE = {
  entityType: 'ApprovalRequest',
  entityUid: ID,
  operation: 'Updated',
  at: 1_796_100_429_258_161,
  by: { oid: ID, name: 'Anna Lindqvist', kind: 'user' },
} as const;

/** Of a WebSocket, as the hub writes it. */
function frameBytes(change: EntityChange): number {
  const message = jsonHubProtocol.write({ type: 1, target: 'EntityChanged', arguments: [change] });
  return webSocketFrame.frame(new TextEncoder().encode(String(message)), jsonHubProtocol).length;
}

describe('the sizing model', () => {
  it('counts commands, scripts, changes and messages of each kind of call', () => {
    const load = loadOf(
      { claims: 1, renewals: 2, releases: 3, leaves: 4, writes: 5, lists: 6 },
      { nodes: 2, listeners: 10 },
    );
    assert.equal(load.redisCommands, 13 + 2 * 17 + 3 * 10 + 4 * 16 + 5 * 4 + 6 * 3);
    assert.equal(load.scripts, 10);
    assert.equal(load.published, 15);
    assert.equal(load.hubMessages, 150);
    assert.equal(load.httpCalls, 21);
    assert.equal(load.redisBytesToNodes, 2 * (10 * 333 + 5 * 214));
  });

  it('a list is no script and no news', () => {
    const { scripts, published, hubMessages } = loadOf(
      { ...NOTHING, lists: 9 },
      { nodes: 3, listeners: 100 },
    );
    assert.deepEqual([scripts, published, hubMessages], [0, 0, 0]);
  });

  it('an office without people costs its nodes’ pings alone', () => {
    const { perSecond, node } = sizing({ ...NOBODY, nodes: 3 });
    assert.equal(perSecond.redisCommands, (3 * 1_000) / SUBSCRIBER_PING_MS);
    assert.deepEqual([perSecond.hubMessages, perSecond.httpCalls, node.cores], [0, 0, 0]);
  });

  it('renewals come by their interval, claims and releases by the hour', () => {
    const { calls } = sizing({
      editors: 1_200,
      renewEveryMs: 60_000,
      claimsPerEditorHour: 6,
      leaveShare: 0.25,
    });
    assert.equal(calls.renewals, 20);
    assert.equal(calls.claims, 2);
    assert.deepEqual([calls.releases, calls.leaves], [1.5, 0.5]);
  });

  it('messages of the hub grow with the square of one tenant, and only evenly with the number of tenants', () => {
    const of = (given: Parameters<typeof sizing>[0]) => loadOfOffice(given);
    const one = of({ editors: 500, watchers: 2_000, tenants: 1 });
    assert.equal(of({ editors: 1_000, watchers: 4_000, tenants: 1 }), 4 * one);
    assert.equal(of({ editors: 1_000, watchers: 4_000, tenants: 2 }), 2 * one);
    assert.equal(of({ editors: 500, watchers: 2_000, tenants: 1, types: 2 }), one / 2);
  });

  it('each connection is pinged as often as the hub pings', () => {
    const { perSecond } = sizing({ editors: 0, watchers: 300 });
    assert.equal(perSecond.hubMessages, (300 * 1_000) / DEFAULT_HUB_TIMING.pingEveryMs);
  });

  it('memory of Redis is that of live locks and of what a day leaves', () => {
    assert.equal(
      redisLockBytes({ liveLocks: 2, endedFences: 10, endedSessions: 5 }),
      2 * 1_350 + 3_300 + 1_500,
    );
    const day = (hoursPerDay: number) => sizing({ editors: 100, hoursPerDay }).redis.bytes;
    assert.equal(Math.round(day(8) - day(7)), 100 * 12 * (330 + 300));
  });

  it('has the timing of the server where nothing is said', () => {
    const { leaseMs, renewEveryMs } = DEFAULT_OFFICE;
    assert.deepEqual({ leaseMs, renewEveryMs }, DEFAULT_TIMING);
  });

  it('takes changes to be as long as they are', () => {
    const redisMessage = `1796100429255 1796100429255304 {"operation":"Acquired","expiresInMs":300000,"lock":${JSON.stringify(RECORD)}}`;
    assert.equal(BYTES.redisLockChange, redisMessage.length);
    const heard = readChangeMessage(redisMessage);
    assert.ok(heard.kind === 'change', heard.kind);
    // `Renewed`, the usual one, is shorter by a letter.
    assert.ok(
      Math.abs(BYTES.hubLockChange - frameBytes(heard.change)) <= 1,
      String(frameBytes(heard.change)),
    );
    assert.equal(BYTES.redisDataChange, writeChangeMessage(DATA_CHANGE).length);
    assert.equal(BYTES.hubDataChange, frameBytes(DATA_CHANGE));
    assert.equal(BYTES.hubPing, 2 + String(jsonHubProtocol.write({ type: 6 })).length);
    const listed = 'lock' in heard.change ? `${JSON.stringify(heard.change.lock)},` : '';
    assert.equal(BYTES.listedLock, listed.length);
  });

  for (const [input, given] of [
    ['tenants', { tenants: 0 }],
    ['editors', { editors: -1 }],
    ['watchers', { watchers: Number.NaN }],
    ['leaveShare', { leaveShare: 1.5 }],
    ['leaseMs', { leaseMs: 299_999 }],
  ] as const) {
    it(`names an input that makes no sense: ${input}`, () => {
      assert.throws(() => sizing(given), { name: 'RangeError', message: new RegExp(`^${input}: expected`) });
    });
  }
});

describe('npm run sizing', () => {
  const run = (...options: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('scripts/sizing.mjs', ROOT)), ...options], {
      encoding: 'utf8',
    });

  it('prints what it was asked for', () => {
    const { stdout, status } = run('--editors', '30', '--watchers', '70', '--renew-every-ms', '60000');
    assert.equal(status, 0);
    assert.match(stdout, /^\| editors +\| +30 \|$/m);
    assert.match(stdout, /^\| connections that hear a change +\| +100 \|$/m);
  });

  it('says which inputs there are when one makes no sense', () => {
    const { stderr, status } = run('--tenants', '0');
    assert.equal(status, 2);
    assert.match(stderr, /^tenants: expected .*\n.*\n {2}--editors 500$/m);
    assert.equal(run('--people', '3').status, 2);
  });

  it('docs/sizing.md has the table as the model has it now', async () => {
    const page = readFileSync(new URL('docs/sizing.md', ROOT), 'utf8');
    assert.equal(await withTable(page), page, 'run: npm run sizing -- --write');
  });
});

/** Without pings. */
function loadOfOffice(given: Parameters<typeof sizing>[0]): number {
  const { calls, listeners, office } = sizing(given);
  return loadOf(calls, { nodes: office.nodes, listeners }).hubMessages;
}
