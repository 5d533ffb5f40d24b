import { Redis } from 'ioredis';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { entityRef } from '../../core/index.ts';
import { REDIS_COMMANDS, type Calls } from '../../scripts/sizing-model.mjs';
import { redisBackend, type LockBackend } from '../../server/index.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';

const TENANT = 'tenant-a';
const ANNA = { oid: 'anna', name: 'Anna' };
const SESSION = 's1';

/** What comes by the second, and what this test sends. */
const ASIDE = /^(ping|info|config)/;

describe('the commands that the sizing model counts', () => {
  let server: RedisServer;
  let redis: Redis;
  let backend: LockBackend;
  before(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    backend = redisBackend({ url: server.url, log: silentLog });
    await backend.start();
  });
  after(async () => {
    await backend.stop();
    redis.disconnect();
    await server.stop();
  });

  /** As `INFO commandstats` has it: those inside scripts are counted, too. */
  const commandsOf = async (call: () => Promise<unknown>): Promise<number> => {
    await redis.config('RESETSTAT');
    await call();
    const counted = (await redis.info('commandstats')).matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm);
    return [...counted].reduce(
      (sum, [, name = '', calls]) => sum + (ASIDE.test(name) ? 0 : Number(calls)),
      0,
    );
  };
  const step = (uid: string, holder = ANNA) => {
    const ref = entityRef('Doc', uid);
    return { tenant: TENANT, ref, holder, sessionId: SESSION, leaseMs: 300_000 };
  };
  const release = (uid: string, graceMs: number) => () =>
    backend.store.release({
      tenant: TENANT,
      ref: step(uid).ref,
      holderOid: ANNA.oid,
      sessionId: SESSION,
      graceMs,
    });
  /** As guardWrites does it for the holder, with its news. */
  const guardedWrite = async () => {
    await backend.store.read(step('a'));
    await backend.feed.publish(TENANT, { entityType: 'Doc', entityUid: 'a', operation: 'Updated' });
  };

  it('are those that Redis counts, for each kind of call', async () => {
    const { store } = backend;
    const counted: Partial<Record<keyof Calls, number>> = {
      claims: await commandsOf(() => store.claim(step('a'))),
      renewals: await commandsOf(() => store.renew(step('a'))),
      writes: await commandsOf(guardedWrite),
      lists: await commandsOf(() => store.list(TENANT, 'Doc', { limit: 1_000 })),
      releases: await commandsOf(release('a', 0)),
    };
    await store.claim(step('b'));
    counted.leaves = await commandsOf(release('b', 5_000));
    assert.deepEqual(counted, REDIS_COMMANDS);
  });

  it('and those that it names beside them', async () => {
    const { store } = backend;
    await store.claim(step('c'));
    await release('c', 0)();
    assert.equal(await commandsOf(() => store.claim(step('c'))), REDIS_COMMANDS.claims + 1, 'claimed again');
    assert.equal(await commandsOf(() => store.claim(step('c', { oid: 'ben', name: 'Ben' }))), 5, 'held');
    assert.equal(await commandsOf(() => store.list(TENANT, 'Nothing', { limit: 1_000 })), 2, 'no locks');
  });
});
