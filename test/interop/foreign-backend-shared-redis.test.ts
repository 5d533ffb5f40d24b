import { HubConnectionBuilder, NullLogger } from '@microsoft/signalr';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockPaths, type LeaseAnswer, type ListAnswer } from '../../core/index.ts';
import { redisBackend } from '../../server/index.ts';
import { findDotnet } from '../support/dotnet.ts';
import { HubClient } from '../support/hub-client.ts';
import { startRedis } from '../support/redis-server.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tokenFor, type TestUser } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { startForeignBackend, type ForeignAnswer, type ForeignBackend } from './foreign-backend.ts';

const ANNA: TestUser = { oid: 'anna', name: 'Anna Bergér' };
const BEN: TestUser = { oid: 'ben', name: 'Ben Okafor' };
const LEASE_MS = 300_000;
const TYPE = 'ApprovalRequest';

/** What the hub of the .NET application relays. */
interface RelayedNews {
  readonly what: string;
  readonly id: string;
  readonly fence: number;
  readonly record?: { readonly holderName: string };
}

describe(
  'a .NET service and Rowlock share the locks of one Redis by the scripts of lua/',
  { skip: findDotnet().missing },
  () => {
    let node: RowlockNode;
    let dotnet: ForeignBackend;
    let heardHere: HubClient;
    const relayed: RelayedNews[] = [];
    const ends: (() => Promise<void>)[] = [];
    before(async () => {
      const redis = await startRedis();
      ends.push(() => redis.stop());
      const luaFolder = fileURLToPath(new URL('../../dist/lua', import.meta.url));
      dotnet = await startForeignBackend({ redisPort: redis.port, leaseMs: LEASE_MS, luaFolder });
      ends.push(() => dotnet.stop());
      node = await startNode({
        backend: redisBackend({ url: redis.url, log: silentLog }),
        routes: (app, rowlock) => {
          const guard = rowlock.guardWrites({ type: TYPE, uid: ({ params }) => String(params['id']) });
          app.put('/requests/:id', guard, (_, response) => void response.status(204).end());
        },
      });
      ends.push(() => node.stop());
      heardHere = await new HubClient({ url: node.url, user: ANNA }).start(TYPE);
      ends.push(() => heardHere.stop());
      const heardThere = new HubConnectionBuilder()
        .withUrl(`${dotnet.url}/hubs/approvals`, { accessTokenFactory: () => tokenFor(BEN) })
        .configureLogging(NullLogger.instance)
        .build();
      heardThere.on('EntityChanged', (news: RelayedNews) => relayed.push(news));
      ends.push(() => heardThere.stop());
      await heardThere.start();
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    const here = async (
      user: TestUser,
      verb: 'claim' | 'renew' | 'takeOver',
      uid: string,
      body: object = {},
    ) => {
      const path = `/api${lockPaths[verb]({ entityType: TYPE, entityUid: uid })}`;
      const { json } = await node.call('POST', path, { as: user, body: { sessionId: 's', ...body } });
      return json as unknown as LeaseAnswer;
    };
    const there = (user: TestUser, method: string, uid: string, query = ''): Promise<ForeignAnswer> =>
      dotnet.call(user, method, `/requests/${encodeURIComponent(uid)}/lock?session=s${query}`);
    const takeOverThere = (user: TestUser, uid: string, from: string) =>
      dotnet.call(user, 'POST', `/requests/${uid}/lock/taker?session=s&from=${from}`);
    const readHere = async (uid: string) => {
      const path = `/api${lockPaths.entity({ entityType: TYPE, entityUid: uid })}`;
      const { json } = await node.call('GET', path, { as: BEN });
      return (json as unknown as ListAnswer).locks[0] ?? null;
    };
    const relayedOf = (what: string, uid: string) =>
      until(`${what} of ${uid} from the .NET hub`, () =>
        relayed.find((news) => news.what === what && news.id === uid),
      );

    it('what .NET claims is held here: named, listed, announced, and writes of others are blocked', async () => {
      const claimed = await there(ANNA, 'PUT', '1');
      assert.deepEqual([claimed.status, claimed.json['outcome']], [200, 'acquired']);
      const change = await heardHere.heard('Acquired', '1');
      assert.ok('lock' in change && change.lock.holderName === 'Anna Bergér', 'the hub names her');
      const { outcome, lock } = await here(BEN, 'claim', '1');
      assert.deepEqual([outcome, lock?.holderOid, lock?.holderName], ['held', 'anna', 'Anna Bergér']);
      assert.equal(lock?.fence, claimed.json['fence']);
      const list = await node.call('GET', `/api${lockPaths.type(TYPE)}`, { as: BEN });
      assert.match(list.text, /"entityUid":"1","holderOid":"anna"/);
      const write = await node.call('PUT', '/requests/1', { as: BEN });
      assert.deepEqual([write.status, write.json['code']], [409, 'entity-locked']);
      assert.equal((await node.call('PUT', '/requests/1', { as: ANNA })).status, 204);
      await there(ANNA, 'DELETE', '1');
      await heardHere.heard('Released', '1');
      assert.equal(await readHere('1'), null);
    });

    it('what is claimed here is a conflict for .NET, and its hub tells of it', async () => {
      const { lock } = await here(BEN, 'claim', '2');
      const news = await relayedOf('Acquired', '2');
      assert.deepEqual([news.record?.holderName, news.fence], ['Ben Okafor', lock?.fence]);
      const { status, json } = await there(ANNA, 'PUT', '2');
      assert.deepEqual([status, json['outcome']], [409, 'held']);
      assert.equal((json['record'] as { holderName: string }).holderName, 'Ben Okafor');
      await node.call('DELETE', `/api${lockPaths.entity({ entityType: TYPE, entityUid: '2' })}?sessionId=s`, {
        as: BEN,
      });
      await relayedOf('Released', '2');
      assert.equal((await there(ANNA, 'PUT', '2')).status, 200);
    });

    it('one form can be renewed by either, and its record keeps its start', async () => {
      const { lock } = await here(ANNA, 'claim', '3');
      assert.ok(lock, 'acquired');
      const byDotnet = await there(ANNA, 'PATCH', '3', `&fence=${lock.fence}`);
      assert.deepEqual([byDotnet.json['outcome'], byDotnet.json['fence']], ['acquired', lock.fence]);
      await heardHere.heard('Renewed', '3');
      const again = await here(ANNA, 'renew', '3', { fence: lock.fence });
      assert.deepEqual([again.outcome, again.changed, again.lock?.fence], ['acquired', false, lock.fence]);
      assert.equal(Date.parse(again.lock?.acquiredAtUtc ?? ''), Date.parse(lock.acquiredAtUtc));
      await relayedOf('Renewed', '3');
      const stranger = await there(BEN, 'PATCH', '3');
      assert.equal(stranger.status, 409, 'a renewal by somebody else changes nothing');
    });

    it('either takes over what the other gave out, and the one before learns of it', async () => {
      const { lock } = await here(ANNA, 'claim', '4');
      const taken = await takeOverThere(BEN, '4', 'anna');
      assert.equal(taken.json['outcome'], 'acquired');
      assert.ok(Number(taken.json['fence']) > Number(lock?.fence), 'the fence grows');
      await heardHere.heard('TakenOver', '4');
      const renewed = await here(ANNA, 'renew', '4', { fence: lock?.fence });
      assert.deepEqual([renewed.outcome, renewed.changed, renewed.lock?.holderOid], ['held', true, 'ben']);
      const back = await here(ANNA, 'takeOver', '4', { fromHolderOid: 'ben' });
      assert.equal(back.outcome, 'acquired');
      await relayedOf('TakenOver', '4');
      const late = await takeOverThere({ oid: 'carla' }, '4', 'ben');
      assert.equal(late.status, 409, 'ben, whom she saw, has it no more');
      assert.equal(
        (await there(BEN, 'PATCH', '4', `&fence=${String(taken.json['fence'])}`)).json['outcome'],
        'held',
      );
    });

    it('a release with grace leaves time to come back, by either and for either', async () => {
      await there(ANNA, 'PUT', '5');
      const released = await there(ANNA, 'DELETE', '5', '&graceMs=1500');
      assert.equal(released.json['outcome'], 'released');
      assert.ok(((await readHere('5'))?.expiresInMs ?? 0) <= 1_500, 'it ends after the grace');
      assert.equal((await here(BEN, 'claim', '5')).outcome, 'held');
      assert.equal((await here(ANNA, 'claim', '5', { sessionId: 'reloaded' })).outcome, 'acquired');
      const path = `/api${lockPaths.entity({ entityType: TYPE, entityUid: '5' })}?sessionId=reloaded&graceMs=300`;
      await node.call('DELETE', path, { as: ANNA });
      const taken = async () => (await there(BEN, 'PUT', '5')).status === 200;
      await until('the end of the grace', taken);
    });

    it('both find the same keys for names that need care', async () => {
      const guid = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';
      for (const uid of [`a:{b} (c)!*'~ü%`, guid, 'A\u0308rger']) {
        assert.equal((await there(ANNA, 'PUT', uid)).status, 200);
        assert.equal((await here(BEN, 'claim', uid)).outcome, 'held', uid);
      }
      assert.equal((await here(BEN, 'claim', guid.toLowerCase())).outcome, 'held');
    });

    it('a write that succeeds here is told to the pages of .NET', async () => {
      assert.equal((await node.call('PUT', '/requests/6', { as: ANNA })).status, 204);
      const news = await relayedOf('Updated', '6');
      assert.deepEqual([news.fence, news.record ?? null], [0, null]);
    });
  },
);
