import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailable, entityRef, type ClaimStep, type LockStore, type Log } from '../../core/index.ts';
import { neededRights, redisBackend, type LockBackend, type PublishMode } from '../../server/index.ts';
import { ChangeRecorder } from '../support/change-recorder.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const TENANT = 'tenant-a';
const ANN = { oid: 'ann', name: 'Ann Lee' };
const BOB = { oid: 'bob', name: 'Bob Kay' };
const PASSWORD = 'a-secret';

/** A log that keeps what it is told, errors with their details. */
function keptLog() {
  const told: { readonly level: string; readonly message: string; readonly details: unknown }[] = [];
  const at = (level: string) => (message: string, details?: unknown) =>
    void told.push({ level, message, details });
  const log: Log = { info: at('info'), warn: at('warn'), error: at('error') };
  return { told, log };
}

/** A user with exactly these rights, on one server. */
async function setUser(url: string, name: string, rights: string): Promise<void> {
  const redis = new Redis(url);
  await redis.call('ACL', 'SETUSER', name, 'reset', 'on', `>${PASSWORD}`, ...rights.split(' '));
  redis.disconnect();
}

/** Every verb and every read, once. */
async function allVerbs(store: LockStore, uid: string): Promise<void> {
  const ref = entityRef('Doc', uid);
  const step: ClaimStep = { tenant: TENANT, ref, holder: ANN, sessionId: 's1', leaseMs: 60_000 };
  const fence = (await store.claim(step)).lock?.fence ?? 0;
  assert.equal((await store.claim({ ...step, sessionId: 's2' })).outcome, 'acquired');
  assert.equal((await store.renew({ ...step, fence })).outcome, 'acquired');
  assert.equal((await store.claim({ ...step, holder: BOB })).outcome, 'held');
  assert.equal((await store.takeOver({ ...step, holder: BOB, fromHolderOid: 'ann' })).outcome, 'acquired');
  assert.equal((await store.read({ tenant: TENANT, ref })).lock?.holderOid, 'bob');
  assert.equal((await store.list(TENANT, 'Doc', { limit: 10 })).locks.length > 0, true);
  assert.equal((await store.listHeldBy(TENANT, ['Doc'], 'bob')).locks.length > 0, true);
  const release = { tenant: TENANT, ref, holderOid: 'bob', sessionId: 's1' };
  await store.release({ ...release, graceMs: 5_000 });
  assert.equal((await store.release({ ...release, graceMs: 0 })).outcome, 'released');
}

describe('a Redis user with no more rights than Rowlock needs', () => {
  const backends: LockBackend[] = [];
  let server: RedisServer;
  let cluster: RedisCluster;

  before(async () => {
    [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  });
  after(async () => {
    await Promise.all(backends.map((backend) => backend.stop()));
    await Promise.all([server.stop(), cluster.stop()]);
  });

  for (const isCluster of [false, true]) {
    for (const publish of ['plain', 'sharded'] as const) {
      it(`${isCluster ? 'cluster' : 'one Redis'}, ${publish}: all verbs, reads and changes work, and nobody complains`, async () => {
        const name = `least-${publish}`;
        const rights = neededRights(isCluster, publish);
        for (const { url } of isCluster ? cluster.nodes : [server]) await setUser(url, name, rights);
        const { told, log } = keptLog();
        const backend = start(isCluster, publish, name, log);
        await backend.start();
        const recorder = await ChangeRecorder.start(backend.feed, TENANT);
        await allVerbs(backend.store, name);
        await backend.feed.publish(TENANT, { entityType: 'Doc', entityUid: 'x', operation: 'Updated' });
        await until('the last change', () =>
          recorder.changes(TENANT).some(({ operation }) => operation === 'Updated'),
        );
        recorder.stop();
        assert.deepEqual(told, []);
      });
    }
  }

  for (const right of neededRights(false, 'plain')
    .split(' ')
    .filter((each) => each !== '+info')) {
    it(`without ${right}: an error at start says so in Redis’ words, with all that is needed, and the server starts`, async () => {
      const rights = neededRights(false, 'plain')
        .split(' ')
        .filter((each) => each !== right);
      const name = `lacks-${right.replace(/\W/g, '')}`;
      await setUser(server.url, name, rights.join(' '));
      const { told, log } = keptLog();
      const backend = start(false, 'plain', name, log);
      await backend.start();
      const [error] = told.filter(({ level }) => level === 'error');
      assert.match(error?.message ?? '', /Redis refuses its user what Rowlock needs/);
      const { refused, needed } = error?.details as { refused: string[]; needed: string };
      assert.equal(needed, neededRights(false, 'plain'));
      assert.equal(refused.length > 0, true);
      assert.equal(
        refused.every((refusal) => refusal.includes('NOPERM')),
        true,
      );
      if (right.startsWith('+')) assert.match(refused.join(), new RegExp(`\\b${right.slice(1)}: NOPERM`));
    });
  }

  it('a missing right is a set-up fault of every call that needs it', async () => {
    await setUser(server.url, 'no-scripts', neededRights(false, 'plain').replace('+eval +evalsha ', ''));
    const backend = start(false, 'plain', 'no-scripts', keptLog().log);
    await backend.start();
    await assert.rejects(
      allVerbs(backend.store, 'no-scripts'),
      (error: unknown) =>
        error instanceof StoreUnavailable && error.setupFault && /NOPERM/.test(error.message),
    );
  });

  it('a start leaves nothing behind in Redis', async () => {
    const backend = start(false, 'plain', 'default', keptLog().log);
    await backend.start();
    const redis = new Redis(server.url);
    const keys = await redis.keys('*rowlock-check*');
    redis.disconnect();
    assert.deepEqual(keys, []);
  });

  function start(isCluster: boolean, publish: PublishMode, username: string, log: Log): LockBackend {
    const connection = username === 'default' ? {} : { username, password: PASSWORD };
    const backend = redisBackend({
      ...(isCluster ? { cluster: cluster.addresses } : { url: server.url }),
      connection,
      publish,
      log,
    });
    backends.push(backend);
    return backend;
  }
});
