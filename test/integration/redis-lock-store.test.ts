import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  StoreUnavailable,
  WRITE_LEASE_MS,
  entityRef,
  newWriteSession,
  type ClaimStep,
  type LockHolder,
  type Log,
} from '../../core/index.ts';
import { redisBackend, type LockBackend, type PublishMode } from '../../server/index.ts';
import { lockKeys } from '../../server/redis/lock-keys.ts';
import { lockScripts } from '../../server/redis/lua-scripts.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';
const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const LEASE_MS = 300_000;
const DAY_MS = 86_400_000;

describe('RedisLockStore against a real Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  const backends: LockBackend[] = [];
  let entities = 0;

  const start = async (publish: PublishMode = 'plain', log: Log = silentLog, url = server.url) => {
    const backend = redisBackend({ url, log, publish });
    backends.push(backend);
    await backend.start();
    return backend;
  };
  const newStep = (holder: LockHolder = ANN, more: Partial<ClaimStep> = {}): ClaimStep => {
    entities += 1;
    const ref = entityRef('Doc', `uid-${entities}`);
    return { tenant: TENANT, ref, holder, sessionId: 's1', leaseMs: LEASE_MS, ...more };
  };
  const keyOf = ({ ref }: ClaimStep, kind = 'lock') =>
    `${kind}:{${TENANT}}:${ref.entityType}:${ref.entityUid}`;
  const release = ({ tenant, ref, holder, sessionId }: ClaimStep, graceMs = 0) => ({
    tenant,
    ref,
    holderOid: holder.oid,
    sessionId,
    graceMs,
  });

  before(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  after(async () => {
    await Promise.all(backends.map((backend) => backend.stop()));
    redis.disconnect();
    await server.stop();
  });

  describe('what is stored', () => {
    it('exactly six fields in this order, with the lease as TTL; fence and sessions live a day', async () => {
      const { store } = await start();
      const step = newStep();
      const { lock } = await store.claim(step);
      const record = JSON.parse((await redis.get(keyOf(step))) ?? '') as Record<string, unknown>;
      assert.deepEqual(Object.keys(record), [
        'entityType',
        'entityUid',
        'holderOid',
        'holderName',
        'acquiredAtUtc',
        'expiresAtUtc',
      ]);
      assert.equal(await redis.get(keyOf(step, 'lockfence')), `${lock?.fence ?? ''} ann`);
      assert.deepEqual(await redis.zrange(keyOf(step, 'locksess'), '0', '-1'), ['s1']);
      const lifetimes: readonly [key: string, expectedMs: number][] = [
        [keyOf(step), LEASE_MS],
        [keyOf(step, 'lockfence'), DAY_MS],
        [keyOf(step, 'locksess'), DAY_MS],
        [`lockidx:{${TENANT}}:Doc`, DAY_MS],
      ];
      for (const [key, expectedMs] of lifetimes) {
        const leftMs = await redis.pttl(key);
        assert.ok(leftMs <= expectedMs && leftMs > expectedMs - 5_000, `${key}: ${leftMs} ms`);
      }
    });

    it('renewals and claims of the holder give fence, sessions and index another day', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      const keys = [keyOf(step, 'lockfence'), keyOf(step, 'locksess'), `lockidx:{${TENANT}}:Doc`];
      const verbs = { renew: () => store.renew(step), claim: () => store.claim(step) };
      for (const [verb, again] of Object.entries(verbs)) {
        for (const key of keys) await redis.pexpire(key, 60_000);
        await again();
        for (const key of keys) {
          const leftMs = await redis.pttl(key);
          assert.ok(leftMs > DAY_MS - 5_000, `${verb}: ${key}: ${leftMs} ms`);
        }
      }
    });

    it('renewals and claims of the holder bring expiresAtUtc up to date and keep acquiredAtUtc', async () => {
      const { store } = await start();
      const step = newStep(ANN, { leaseMs: 60_000 });
      await store.claim(step);
      const stored = async () =>
        JSON.parse((await redis.get(keyOf(step))) ?? '') as { acquiredAtUtc: string; expiresAtUtc: string };
      const first = await stored();
      const leaseOf = ({ acquiredAtUtc, expiresAtUtc }: typeof first) =>
        Date.parse(expiresAtUtc) - Date.parse(acquiredAtUtc);
      await store.renew({ ...step, leaseMs: 120_000 });
      const renewed = await stored();
      await store.claim({ ...step, sessionId: 's2', leaseMs: 240_000 });
      const claimed = await stored();
      await store.takeOver({ ...step, sessionId: 's3', leaseMs: 480_000, fromHolderOid: 'eve' });
      const taken = await stored();
      assert.deepEqual(
        [...new Set([first, renewed, claimed, taken].map(({ acquiredAtUtc }) => acquiredAtUtc))],
        [first.acquiredAtUtc],
      );
      for (const [record, leaseMs] of [
        [first, 60_000],
        [renewed, 120_000],
        [claimed, 240_000],
        [taken, 480_000],
      ] as const) {
        assert.ok(Math.abs(leaseOf(record) - leaseMs) < 1_000, `${leaseOf(record)} for ${leaseMs}`);
      }
    });

    it('a release with a grace moves the record’s end to the end that is left', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await store.claim({ ...step, sessionId: 's2', leaseMs: 120_000 });
      const endsInMs = async () =>
        Date.parse(
          (JSON.parse((await redis.get(keyOf(step))) ?? '') as { expiresAtUtc: string }).expiresAtUtc,
        ) - Date.now();
      await store.release(release(step, 5_000));
      assert.equal(Math.abs((await endsInMs()) - 120_000) < 2_000, true);
      await store.release(release({ ...step, sessionId: 's2' }, 5_000));
      assert.equal(Math.abs((await endsInMs()) - 5_000) < 2_000, true);
    });

    it('a record that somebody rewrote meanwhile is left as it is, and lease, index and session are extended', async () => {
      const { store } = await start();
      const step = newStep(ANN, { leaseMs: 60_000 });
      await store.claim(step);
      const stored = (await redis.get(keyOf(step))) ?? '';
      // What the store sends when the record changed after it had read it.
      const reply = await lockScripts(redis)('renew', lockKeys(step), {
        holderOid: 'ann',
        sessionId: 's1',
        deadlineMs: 0,
        publish: 'off',
        channel: '',
        leaseMs: LEASE_MS,
        record: '{"holderOid":"ann"}',
        expectedRecord: `${stored} `,
        callerFence: 0,
      });
      assert.equal(reply.status, 'acquired');
      assert.equal(await redis.get(keyOf(step)), stored);
      const endMs = reply.at / 1_000 + LEASE_MS;
      const ends = [
        Date.now() + (await redis.pttl(keyOf(step))),
        Number(await redis.zscore(`lockidx:{${TENANT}}:Doc`, keyOf(step))),
        Number(await redis.zscore(keyOf(step, 'locksess'), 's1')),
      ];
      for (const end of ends) assert.ok(Math.abs(end - endMs) < 1_000, `${end} for ${endMs}`);
    });

    it('an index that was lost is entered again, never without an end (F3)', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await redis.del(`lockidx:{${TENANT}}:Doc`);
      await store.release(release(step, 20_000));
      assert.equal((await redis.pttl(`lockidx:{${TENANT}}:Doc`)) > 0, true);
      assert.equal(
        (await store.list(TENANT, 'Doc', { limit: 1_000 })).locks.some(
          ({ entityUid }) => entityUid === step.ref.entityUid,
        ),
        true,
      );
    });

    it('a claim tidies the index', async () => {
      const { store } = await start();
      const index = `lockidx:{${TENANT}}:Doc`;
      await redis.zadd(index, Date.now() - 1_000, 'lock:{tenant-a}:Doc:stale');
      await store.claim(newStep());
      assert.equal(await redis.zscore(index, 'lock:{tenant-a}:Doc:stale'), null);
    });
  });

  describe('other writers', () => {
    it('a record without a fence or sessions is respected, and its holder claims it as their own', async () => {
      const { store } = await start();
      const step = newStep();
      const record = {
        ...step.ref,
        holderOid: 'ann',
        holderName: 'Ann',
        acquiredAtUtc: '2026-01-01T00:00:00Z',
        expiresAtUtc: '2026-01-01T00:05:00Z',
      };
      await redis.set(keyOf(step), JSON.stringify(record), 'PX', 60_000);
      assert.equal((await store.claim({ ...step, holder: BOB })).outcome, 'held');
      assert.equal((await store.renew(step)).outcome, 'lost');
      const own = await store.claim(step);
      assert.equal(own.outcome, 'acquired');
      assert.equal(own.lock?.acquiredAtUtc, record.acquiredAtUtc);
      assert.equal(own.lock.fence > 0, true);
    });

    it('a record without sessions outlives its holder’s write, and their next write is refused meanwhile', async () => {
      const { store } = await start();
      const step = newStep(ANN, { sessionId: newWriteSession(), leaseMs: WRITE_LEASE_MS });
      const record = {
        ...step.ref,
        holderOid: 'ann',
        holderName: 'Ann',
        acquiredAtUtc: '',
        expiresAtUtc: '',
      };
      await redis.set(keyOf(step), JSON.stringify(record), 'PX', 60_000);
      assert.equal((await store.holdWrite({ ...step, holder: BOB })).outcome, 'held');
      assert.equal((await store.holdWrite(step)).outcome, 'acquired');
      assert.equal((await store.holdWrite({ ...step, sessionId: newWriteSession() })).outcome, 'busy');
      assert.equal((await store.release(release(step))).outcome, 'kept');
      const leftMs = await redis.pttl(keyOf(step));
      assert.equal(leftMs > 50_000 && leftMs <= 60_000, true);
      assert.equal((await store.holdWrite(step)).outcome, 'acquired');
    });

    it('garbage in the lock’s key is held by somebody unknown, and never throws', async () => {
      const { store } = await start();
      for (const garbage of [
        '',
        'x',
        '[]',
        '{}',
        '{"holderOid":7}',
        '{"holderOid":null}',
        'null',
        '"ann"',
        '['.repeat(2_000),
      ]) {
        const step = newStep();
        await redis.set(keyOf(step), garbage, 'PX', 60_000);
        for (const call of [
          store.claim(step),
          store.renew(step),
          store.takeOver({ ...step, fromHolderOid: 'bob' }),
        ]) {
          const { outcome, lock } = await call;
          assert.equal(outcome, 'held', garbage);
          assert.equal(lock?.holderOid, '', garbage);
          assert.equal(lock.entityUid, step.ref.entityUid);
        }
        assert.equal((await store.release(release(step))).outcome, 'held');
        assert.equal((await store.read(step)).lock?.holderOid, '');
        assert.equal(await redis.get(keyOf(step)), garbage);
      }
    });

    it('a lock without an end is held, and gets one when its holder goes on with it (F3)', async () => {
      const { store } = await start();
      const step = newStep();
      await redis.set(keyOf(step), JSON.stringify({ ...step.ref, holderOid: 'ann', holderName: 'Ann' }));
      const { outcome, lock } = await store.claim({ ...step, holder: BOB });
      assert.equal(outcome, 'held');
      assert.equal(lock?.expiresInMs, DAY_MS);
      assert.equal((await store.read(step)).lock?.expiresInMs, DAY_MS);
      await store.claim(step);
      assert.equal((await redis.pttl(keyOf(step))) > 0, true);
    });

    it('a foreign member in the index is not shown and breaks no page', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await redis.zadd(`lockidx:{${TENANT}}:Doc`, Date.now() + 60_000, 'something-else');
      const { locks } = await store.list(TENANT, 'Doc', { limit: 1_000 });
      assert.equal(
        locks.some(({ entityUid }) => entityUid === step.ref.entityUid),
        true,
      );
      await redis.zrem(`lockidx:{${TENANT}}:Doc`, 'something-else');
    });

    it('index entries without a lock take up room on a page, and hide nothing behind them', async () => {
      const { store } = await start();
      const step = newStep();
      const live = { ...step, ref: entityRef('Haunted', 'live') };
      await store.claim(live);
      for (const ghost of ['a', 'b', 'c', 'd', 'e']) {
        await redis.zadd(
          `lockidx:{${TENANT}}:Haunted`,
          Date.now() + 60_000,
          `lock:{${TENANT}}:Haunted:${ghost}`,
        );
      }
      const found: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 10; page += 1) {
        const { locks, next } = await store.list(TENANT, 'Haunted', {
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...locks.map(({ entityUid }) => entityUid));
        cursor = next;
        if (cursor === undefined) break;
      }
      assert.deepEqual(found, ['live']);
      assert.equal((await store.listHeldBy(TENANT, ['Haunted'], 'ann')).locks.length, 1);
    });

    it('a key of another type is a set-up fault in Redis’ own words', async () => {
      const { store } = await start();
      const step = newStep();
      await redis.lpush(keyOf(step), 'x');
      await assert.rejects(store.claim(step), (error: unknown) => {
        return error instanceof StoreUnavailable && error.setupFault && error.message.includes('WRONGTYPE');
      });
      await redis.del(keyOf(step));
    });

    it('a fence that Redis lost beside a live session list: the list of before is dropped with it', async () => {
      const { store } = await start();
      const step = newStep();
      const fence = (await store.claim({ ...step, sessionId: 'old' })).lock?.fence ?? 0;
      await redis.del(keyOf(step), keyOf(step, 'lockfence'));
      const resumed = await store.renew({ ...step, fence });
      assert.equal(resumed.outcome, 'acquired');
      assert.equal(resumed.lock?.fence, fence);
      assert.deepEqual(await redis.zrange(keyOf(step, 'locksess'), '0', '-1'), ['s1']);
    });
  });

  describe('publishing', () => {
    for (const mode of ['plain', 'sharded'] as const) {
      it(`${mode}: lock changes and data changes are heard, in order`, async () => {
        const { store, feed } = await start(mode);
        const recorder = await ChangeRecorder.start(feed, TENANT);
        const step = newStep();
        await store.claim(step);
        await feed.publish(TENANT, { ...step.ref, operation: 'Updated' });
        await store.release(release(step));
        await recorder.lockChanges(TENANT);
        recorder.stop();
        const heard = recorder.changes(TENANT).filter(({ entityUid }) => entityUid === step.ref.entityUid);
        assert.deepEqual(
          heard.map(({ operation }) => operation),
          ['Acquired', 'Updated', 'Released'],
        );
      });
    }

    it('off: locks work, and no lock change is published', async () => {
      const { store, feed } = await start('off');
      const recorder = await ChangeRecorder.start(feed, TENANT);
      const step = newStep();
      assert.equal((await store.claim(step)).outcome, 'acquired');
      assert.equal((await store.release(release(step))).outcome, 'released');
      const changes = await recorder.lockChanges(TENANT);
      recorder.stop();
      assert.deepEqual(
        changes.filter(({ entityUid }) => entityUid === step.ref.entityUid),
        [],
      );
    });

    it('the message is "<fence> <at> <json>" round the record really stored', async () => {
      const { store } = await start();
      const subscriber = new Redis(server.url);
      const messages: string[] = [];
      subscriber.on('message', (_channel: string, message: string) => messages.push(message));
      await subscriber.subscribe(`lockchange:{${TENANT}}`);
      const step = newStep();
      const { lock } = await store.claim(step);
      const stored = (await redis.get(keyOf(step))) ?? '';
      await until('the message', () => messages.length > 0);
      subscriber.disconnect();
      assert.equal(
        messages[0],
        `${lock?.fence ?? 0} ${lock?.at ?? 0} {"operation":"Acquired","expiresInMs":${LEASE_MS},"lock":${stored}}`,
      );
    });

    it('malformed messages are logged and skipped', async () => {
      const warnings: unknown[] = [];
      const { store, feed } = await start('plain', {
        ...silentLog,
        warn: (_message, details) => warnings.push(details),
      });
      const recorder = await ChangeRecorder.start(feed, TENANT);
      const malformed = [
        '',
        'x',
        '1 2',
        '1 2 {',
        '0 5 {"operation":"Updated"}',
        '7 5 {"operation":"Acquired","lock":{}}',
        '7 5 {"operation":"Invented","expiresInMs":1,"lock":{}}',
        '1 2 []',
      ];
      for (const message of malformed) await redis.publish(`lockchange:{${TENANT}}`, message);
      const step = newStep();
      await store.claim(step);
      const changes = await recorder.lockChanges(TENANT);
      recorder.stop();
      assert.equal(warnings.length, malformed.length);
      assert.deepEqual(
        changes.map(({ entityUid }) => entityUid),
        [step.ref.entityUid],
      );
    });

    it('a user without the right to the channel: the lock is taken all the same', async () => {
      await redis.call('ACL', 'SETUSER', 'mute', 'on', '>secret', '~*', '+@all', 'resetchannels');
      const errors: unknown[] = [];
      const { store, feed } = await start(
        'plain',
        { ...silentLog, error: (_message, details) => errors.push(details) },
        server.url.replace('//', '//mute:secret@'),
      );
      feed.join(TENANT).catch(() => {}); // never confirmed: the stop ends it
      const step = newStep();
      assert.equal((await store.claim(step)).outcome, 'acquired');
      assert.equal((await store.renew(step)).outcome, 'acquired');
      await until('the refused subscription is reported', () => errors.length > 0);
      assert.match(JSON.stringify(errors), /NOPERM/);
      await assert.rejects(
        feed.publish(TENANT, { ...step.ref, operation: 'Updated' }),
        (error: unknown) => error instanceof StoreUnavailable && error.setupFault,
      );
    });
  });

  describe('trouble', () => {
    it('SCRIPT FLUSH: the next call sends the text again', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await redis.script('FLUSH');
      assert.equal((await store.renew(step)).outcome, 'acquired');
      assert.equal((await store.release(release(step))).outcome, 'released');
    });

    it('out of memory: claims are unavailable, reading and releasing go on', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await redis.config('SET', 'maxmemory', '1');
      try {
        await assert.rejects(
          store.claim(newStep()),
          (error: unknown) =>
            error instanceof StoreUnavailable && !error.setupFault && /OOM/.test(error.message),
        );
        assert.equal((await store.read(step)).lock?.holderOid, 'ann');
        assert.equal((await store.list(TENANT, 'Doc', { limit: 1_000 })).locks.length > 0, true);
        assert.equal((await store.listHeldBy(TENANT, ['Doc'], 'ann')).locks.length > 0, true);
      } finally {
        await redis.config('SET', 'maxmemory', '0');
      }
      assert.equal((await store.claim(newStep())).outcome, 'acquired');
    });

    it('too few replicas: claims are unavailable, reading goes on', async () => {
      const { store } = await start();
      const step = newStep();
      await store.claim(step);
      await redis.config('SET', 'min-replicas-to-write', '1');
      try {
        await assert.rejects(
          store.claim(newStep()),
          (error: unknown) =>
            error instanceof StoreUnavailable && !error.setupFault && /NOREPLICAS/.test(error.message),
        );
        assert.equal((await store.read(step)).lock?.holderOid, 'ann');
        assert.equal((await store.list(TENANT, 'Doc', { limit: 1_000 })).locks.length > 0, true);
        assert.equal((await store.listHeldBy(TENANT, ['Doc'], 'ann')).locks.length > 0, true);
      } finally {
        await redis.config('SET', 'min-replicas-to-write', '0');
      }
    });

    it('a wrong password: a set-up fault in Redis’ own words, and the server starts', async () => {
      const warnings: string[] = [];
      const { store } = await start(
        'plain',
        { ...silentLog, warn: (message) => warnings.push(message) },
        server.url.replace('//', '//nobody:wrong@'),
      );
      await assert.rejects(
        store.claim(newStep()),
        (error: unknown) =>
          error instanceof StoreUnavailable && error.setupFault && /WRONGPASS/.test(error.message),
      );
      assert.equal(warnings.length, 1);
    });

    it('a server node’s clock that is wrong by 6 minutes changes nothing (F23)', async () => {
      const realNow = Date.now;
      const { store } = await start();
      try {
        for (const errorMs of [-360_000, 360_000]) {
          Date.now = () => realNow() + errorMs;
          const step = newStep();
          const { lock } = await store.claim(step);
          assert.equal(Math.abs(Date.parse(lock?.acquiredAtUtc ?? '') - realNow()) < 2_000, true);
          assert.equal((await store.claim({ ...step, holder: BOB })).outcome, 'held');
          assert.equal((await store.renew(step)).outcome, 'acquired');
          assert.equal(
            (await store.list(TENANT, 'Doc', { limit: 1_000 })).locks.some(
              ({ entityUid }) => entityUid === step.ref.entityUid,
            ),
            true,
          );
        }
      } finally {
        Date.now = realNow;
      }
    });

    it('an eviction policy that may drop locks is warned about at start', async () => {
      const warnings: string[] = [];
      await redis.config('SET', 'maxmemory-policy', 'volatile-ttl');
      await start('plain', { ...silentLog, warn: (message) => warnings.push(message) });
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /volatile-ttl/);
    });

    it('a stop is harmless twice, and refuses who still waits for a subscription', async () => {
      const backend = await start();
      await backend.stop();
      await backend.stop();
      await assert.rejects(backend.store.read(newStep()), StoreUnavailable);
    });
  });
});
