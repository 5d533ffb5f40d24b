import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entityRef, type EntityRef } from '../../core/index.ts';
import { flattenLua } from '../../scripts/flatten-lua.mjs';
import { redisBackend, type LockBackend } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { playLockSteps } from '../support/lock-steps.ts';
import { scriptWriter, storeWriter, type LockUser, type LockWriter } from '../support/lock-writer.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';
const CHANNEL = `lockchange:{${TENANT}}`;
const ANN: LockUser = { holder: { oid: 'ann', name: 'Ann Lee' }, sessionId: 's1' };
const ANN_TOO: LockUser = { ...ANN, sessionId: 's2' };
const BOB: LockUser = { holder: { oid: 'bob', name: 'Bob Kay' }, sessionId: 's3' };
const EVE: LockUser = { holder: { oid: 'eve', name: 'Eve Orr' }, sessionId: 's4' };

/** The scripts as version 0.1 shipped them: never changed, not even to match the present ones. */
const OLD_LUA = new URL('fixtures/lua-0.1/', import.meta.url);

describe('old and new nodes on one Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  let backend: LockBackend;
  let flattened = '';
  /** The old node, another service that runs the present scripts as it ran the old ones, and the present node. */
  let writers: readonly [LockWriter, LockWriter, LockWriter];
  const warnings: string[] = [];
  let entities = 0;
  const newRef = (): EntityRef => {
    entities += 1;
    return entityRef('Doc', `uid-${entities}`);
  };
  const keyOf = ({ entityType, entityUid }: EntityRef, kind: string) =>
    `${kind}:{${TENANT}}:${entityType}:${entityUid}`;
  const storedRecord = ({ entityType, entityUid }: EntityRef) => {
    const dates = { acquiredAtUtc: '2026-01-01T00:00:00.000Z', expiresAtUtc: '2026-01-01T00:05:00.000Z' };
    return JSON.stringify({ entityType, entityUid, holderOid: 'ann', holderName: 'Ann Lee', ...dates });
  };

  before(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    const warn = (_message: string, details?: Readonly<Record<string, unknown>>) =>
      void warnings.push(String(details?.['reason']));
    backend = redisBackend({ url: server.url, log: { ...silentLog, warn } });
    await backend.start();
    flattened = mkdtempSync(join(tmpdir(), 'rowlock-lua-'));
    flattenLua(fileURLToPath(new URL('../../lua', import.meta.url)), flattened);
    writers = [
      scriptWriter('0.1', redis, TENANT, OLD_LUA),
      scriptWriter('present scripts', redis, TENANT, pathToFileURL(`${flattened}/`)),
      storeWriter('present node', backend.store, TENANT),
    ];
  });
  after(async () => {
    await backend.stop();
    redis.disconnect();
    await server.stop();
    rmSync(flattened, { recursive: true });
  });

  describe('what is stored already', () => {
    it('a record alone, of another writer: it holds, its holder claims it anew, and gets sessions and a fence', async () => {
      for (const writer of writers) {
        const ref = newRef();
        await redis.set(keyOf(ref, 'lock'), storedRecord(ref), 'PX', 60_000);
        assert.equal((await writer.claim(BOB, ref)).outcome, 'held', writer.name);
        assert.equal((await writer.renew(ANN, ref, 0)).outcome, 'lost', writer.name);
        assert.equal((await writer.release(ANN, ref)).outcome, 'kept', writer.name);
        const { outcome, fence } = await writer.claim(ANN, ref);
        assert.equal(outcome, 'acquired', writer.name);
        assert.ok(fence > 0, `${writer.name}: fence ${fence}`);
        assert.match(
          (await redis.get(keyOf(ref, 'lock'))) ?? '',
          /"acquiredAtUtc":"2026-01-01T00:00:00.000Z"/,
        );
        assert.deepEqual(await writer.renew(ANN, ref, fence), { outcome: 'acquired', fence }, writer.name);
        assert.equal((await writer.release(ANN, ref)).outcome, 'released', writer.name);
      }
    });

    it('a record and a fence without sessions: the same, and the holder’s fence stays', async () => {
      for (const writer of writers) {
        const ref = newRef();
        await redis.set(keyOf(ref, 'lock'), storedRecord(ref), 'PX', 60_000);
        await redis.set(keyOf(ref, 'lockfence'), '1700000000000 ann', 'PX', 60_000);
        assert.equal((await writer.claim(BOB, ref)).outcome, 'held', writer.name);
        assert.equal((await writer.renew(ANN, ref, 1_700_000_000_000)).outcome, 'lost', writer.name);
        assert.deepEqual(await writer.claim(ANN, ref), { outcome: 'acquired', fence: 1_700_000_000_000 });
        const taken = await writer.takeOver(BOB, ref, 'ann');
        assert.equal(taken.outcome, 'acquired', writer.name);
        assert.ok(taken.fence > 1_700_000_000_000, `${writer.name}: fence ${taken.fence}`);
      }
    });

    it('a fence alone: kept for its holder, and one more for anybody else, also where it is ahead of the clock', async () => {
      const ahead = Date.now() + 3_600_000;
      for (const writer of writers) {
        for (const [user, expected] of [
          [ANN, ahead],
          [BOB, ahead + 1],
        ] as const) {
          const ref = newRef();
          await redis.set(keyOf(ref, 'lockfence'), `${ahead} ann`, 'PX', 60_000);
          assert.equal((await writer.renew(user, ref, ahead)).outcome, 'lost', writer.name);
          assert.deepEqual(
            await writer.claim(user, ref),
            { outcome: 'acquired', fence: expected },
            writer.name,
          );
        }
      }
    });
  });

  describe('scripts of both versions on the same keys', () => {
    for (const [one, other] of [
      [0, 1],
      [1, 0],
      [0, 2],
      [2, 0],
    ] as const) {
      const names = ['0.1', 'present scripts', 'present node'];
      it(`${names[one] ?? ''} first, then ${names[other] ?? ''}: each respects what the other did, and fences grow`, async () => {
        const [first, second] = [writers[one], writers[other]];
        const ref = newRef();
        const claimed = await first.claim(ANN, ref);
        assert.equal(claimed.outcome, 'acquired');
        assert.deepEqual(await second.claim(BOB, ref), { outcome: 'held', fence: claimed.fence });
        assert.deepEqual(await second.renew(ANN, ref, claimed.fence), claimed);
        assert.deepEqual(await second.claim(ANN_TOO, ref), claimed, 'her second form');
        assert.equal((await first.release(ANN, ref)).outcome, 'kept', 'her second form is open');
        assert.deepEqual(await first.renew(ANN_TOO, ref, claimed.fence), claimed);
        assert.deepEqual(await second.takeOver(BOB, ref, 'eve'), { outcome: 'held', fence: claimed.fence });

        const taken = await second.takeOver(BOB, ref, 'ann');
        assert.equal(taken.outcome, 'acquired');
        assert.ok(taken.fence > claimed.fence, `${taken.fence} after ${claimed.fence}`);
        for (const writer of [first, second]) {
          assert.equal((await writer.renew(ANN_TOO, ref, claimed.fence)).outcome, 'held', writer.name);
          assert.equal((await writer.release(ANN_TOO, ref)).outcome, 'held', writer.name);
        }
        const back = await first.takeOver(ANN, ref, 'bob');
        assert.ok(back.fence > taken.fence, `${back.fence} after ${taken.fence}`);
        assert.equal((await second.release(ANN, ref)).outcome, 'released');
        const next = await first.claim(EVE, ref);
        assert.equal(next.outcome, 'acquired');
        assert.ok(next.fence > back.fence, `${next.fence} after ${back.fence}`);
      });

      it(`${names[one] ?? ''} claims, the lease ends, ${names[other] ?? ''} renews: resumed, or lost where somebody came`, async () => {
        const [first, second] = [writers[one], writers[other]];
        for (const comes of [false, true]) {
          const ref = newRef();
          const { fence } = await first.claim(ANN, ref, 30);
          await until('the lease is over', async () => (await redis.exists(keyOf(ref, 'lock'))) === 0);
          if (comes) await first.claim(BOB, ref, 30);
          await until('that one, too', async () => (await redis.exists(keyOf(ref, 'lock'))) === 0);
          assert.equal((await second.renew(ANN, ref, fence)).outcome, comes ? 'lost' : 'acquired');
        }
      });
    }

    it('any steps come to the same, whichever version takes each, and no fence ever steps back', async () => {
      const users = [ANN, ANN_TOO, BOB, EVE];
      for (let seed = 1; seed <= 12; seed += 1) {
        const play = (writerOf: (at: number) => LockWriter | undefined) =>
          playLockSteps(newRef(), { seed, length: 60, users, writerOf });
        const [old, ...others] = await Promise.all([
          play(() => writers[0]),
          play(() => writers[1]),
          play(() => writers[2]),
          play((at) => writers[at % 2]),
          play((at) => writers[at % 3]),
          play((at) => writers[(at * 7 + seed) % 3]),
        ]);
        for (const { steps, fences } of others) {
          assert.deepEqual(steps, old.steps, `seed ${seed}`);
          assert.deepEqual(
            fences,
            [...fences].sort((a, b) => a - b),
            `seed ${seed}`,
          );
        }
      }
    });

    it('what the old scripts publish is heard, and their locks are listed', async () => {
      const recorder = await ChangeRecorder.start(backend.feed, TENANT);
      const ref = newRef();
      const [old] = writers;
      const { fence } = await old.claim(ANN, ref);
      await old.renew(ANN, ref, fence);
      const { locks } = await backend.store.list(TENANT, 'Doc', { limit: 1_000 });
      assert.equal(locks.find(({ entityUid }) => entityUid === ref.entityUid)?.fence, fence);
      const taken = await old.takeOver(BOB, ref, 'ann');
      await old.release(BOB, ref);
      const heard = (await recorder.lockChanges(TENANT)).filter(
        (change) => change.entityUid === ref.entityUid,
      );
      recorder.stop();
      assert.deepEqual(
        heard.map((change) => [change.operation, change.fence]),
        [
          ['Acquired', fence],
          ['Renewed', fence],
          ['TakenOver', taken.fence],
          ['Released', taken.fence],
        ],
      );
    });
  });

  it('messages of a version to come: what is known is heard, what is not is skipped with a warning, and the rest follows', async () => {
    const recorder = await ChangeRecorder.start(backend.feed, TENANT);
    const told: string[] = [];
    const stopListening = backend.feed.onDisconnectUser((_tenant, oid) => told.push(oid));
    warnings.length = 0;
    const lock = {
      ...(JSON.parse(storedRecord(entityRef('Doc', 'new'))) as object),
      colour: 'red',
      parts: [{}],
    };
    const known = {
      operation: 'Acquired',
      expiresInMs: 60_000,
      lock,
      reason: 'new',
      more: { deep: [1, null] },
    };
    for (const message of [
      `1700000000000 1700000000000000 ${JSON.stringify(known)}`,
      `1700000000000 1700000000000001 ${JSON.stringify({ ...known, operation: 'Transferred' })}`,
      `0 1700000000000002 ${JSON.stringify({ entityType: 'Doc', entityUid: 'new', operation: 'Archived', extra: 1 })}`,
      `0 1700000000000003 ${JSON.stringify({ disconnect: 'ann', from: 'a-node', until: 'tomorrow' })}`,
      `0 1700000000000004 ${JSON.stringify({ command: 'a new one', oid: 'ann' })}`,
      `2 1700000000000 1700000000000005 ${JSON.stringify(known)}`,
      'v2:AAECAw==',
    ]) {
      await redis.publish(CHANNEL, message);
    }
    await recorder.lockChanges(TENANT); // a mark behind them was heard
    const heard = recorder.changes(TENANT).filter(({ entityUid }) => entityUid === 'new');
    recorder.stop();
    stopListening();
    assert.deepEqual(
      heard.map(({ operation, at }) => [operation, at]),
      [
        ['Acquired', 1_700_000_000_000_000],
        ['Archived', 1_700_000_000_000_002],
      ],
    );
    assert.doesNotMatch(
      JSON.stringify(heard),
      /colour|parts|reason|extra/,
      'only what is documented is passed on',
    );
    assert.deepEqual(told, ['ann']);
    assert.equal(warnings.length, 4, JSON.stringify(warnings));
  });
});
