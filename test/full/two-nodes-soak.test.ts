import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import type { EntityLock, EntityRef, ListAnswer } from '../../core/index.ts';
import { changeChannel } from '../../server/redis/lock-keys.ts';
import { TRANSPORTS } from '../support/load-balanced.ts';
import { startNodeProcess, type NodeProcess } from '../support/node-process.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { BusyOffice } from './busy-office.ts';
import { WatchingPage } from './watching-page.ts';

const ENTITIES = 50;
/** On each node. A page that polls asks anew for every change, so one costs as much as many others. */
const PAGES = { WebSockets: 4, 'server-sent events': 3, 'long polling': 1 } as const;
const CHANGES = { untilKill: 2_000, untilCut: 5_000, all: 10_000 };

/** So few around the cut that what was missed in it is not made good by what came after it. */
const CHANGES_AROUND_CUT = 60;

/** What pages should show, from both ends of the store. */
type State = ReadonlyMap<string, { readonly holderOid: string; readonly fence: number }>;

describe('10,000 changes on two nodes with one Redis', () => {
  let redis: RedisServer;
  let raw: Redis;
  let nodes: readonly [NodeProcess, NodeProcess];
  let pages: readonly [WatchingPage[], WatchingPage[]];
  let office: BusyOffice;
  const refs: readonly EntityRef[] = Array.from({ length: ENTITIES }, (_, at) => ({
    entityType: 'ApprovalRequest',
    entityUid: `uid-${at}`,
  }));

  before(async () => {
    redis = await startRedis();
    raw = new Redis(redis.url);
    const start = () => startNodeProcess({ redisUrl: redis.url });
    nodes = await Promise.all([start(), start()]);
    const pagesOf = ({ url }: NodeProcess, node: string) =>
      (Object.keys(PAGES) as (keyof typeof PAGES)[]).flatMap((transportName) =>
        Array.from({ length: PAGES[transportName] }, (_, at) => {
          const name = `${node}, ${transportName} ${at}`;
          return new WatchingPage({ name, url, transport: TRANSPORTS[transportName], refs });
        }),
      );
    pages = [pagesOf(nodes[0], 'first'), pagesOf(nodes[1], 'second')];
    office = new BusyOffice(nodes, refs);
    await until('all pages are connected', () => pages.flat().every((page) => page.isConnected), 15_000);
  });
  after(async () => {
    for (const page of pages.flat()) page.stop();
    raw.disconnect();
    await Promise.all(nodes.map((node) => node.stop()));
    await redis.stop();
  });

  /** The list that the API answers on both nodes, which must be what the raw keys say. */
  const stored = async (): Promise<State> => {
    const headers = { authorization: `Bearer ${await tokenFor({ oid: 'reader' })}` };
    const states = await Promise.all(
      nodes.map(async ({ url }) => {
        const answer = await fetch(`${url}/api/locks/ApprovalRequest`, { headers });
        const { locks, store } = (await answer.json()) as ListAnswer;
        assert.equal(store, 'ok');
        return new Map(locks.map(({ entityUid, holderOid, fence }) => [entityUid, { holderOid, fence }]));
      }),
    );
    const keys = new Map<string, { holderOid: string; fence: number }>();
    for (const { entityType, entityUid } of refs) {
      const tail = `{${TEST_TENANT}}:${entityType}:${entityUid}`;
      const [record, fence] = await raw.mget(`lock:${tail}`, `lockfence:${tail}`);
      if (typeof record !== 'string') continue;
      const { holderOid } = JSON.parse(record) as EntityLock;
      keys.set(entityUid, { holderOid, fence: Number(fence?.split(' ')[0]) });
    }
    for (const state of states) assert.deepEqual(sorted(state), sorted(keys));
    return keys;
  };
  const shown = (page: WatchingPage): State =>
    new Map(
      refs.flatMap((ref) => {
        const lock = page.lock(ref);
        return lock === null
          ? []
          : [[ref.entityUid, { holderOid: lock.holderOid, fence: lock.fence }] as const];
      }),
    );
  const subscribers = async () => (await raw.pubsub('NUMSUB', changeChannel(TEST_TENANT)))[1];
  let marks = 0;
  /** Nobody works now. Every page hears a last change and then shows what is stored. */
  const settle = async (t: TestContext) => {
    marks += 1;
    const entityUid = `mark-${marks}`;
    const startedAt = performance.now();
    await until('all pages are connected', () => pages.flat().every((page) => page.isConnected), 30_000);
    const connectedMs = performance.now() - startedAt;
    // A mark that is told while a node is not subscribed is missed by its pages, as any change then.
    await until('both nodes are subscribed', async () => (await subscribers()) === nodes.length);
    await nodes[0].publish({ entityType: 'ApprovalRequest', entityUid, operation: 'Mark' });
    const heardMark = (page: WatchingPage) => page.heard.some((change) => change.entityUid === entityUid);
    await until(`all heard ${entityUid}`, () => pages.flat().every(heardMark));
    const state = await stored();
    const isRight = (page: WatchingPage) =>
      JSON.stringify(sorted(shown(page))) === JSON.stringify(sorted(state));
    await until('all pages are right', () => pages.flat().every(isRight), 5_000).catch(() => {}); // told better below
    for (const page of pages.flat()) assert.deepEqual(sorted(shown(page)), sorted(state), page.name);
    const rightMs = performance.now() - startedAt;
    t.diagnostic(
      `${office.changes} changes so far (${JSON.stringify(office.done)}), ${office.failures} without an answer; ` +
        `${state.size} of ${ENTITIES} locked; all connected after ${connectedMs.toFixed(0)} and right after ${rightMs.toFixed(0)} ms`,
    );
    for (const page of pages.flat()) assert.deepEqual(page.steppedBack, [], page.name);
  };
  const startListening = () => {
    for (const page of pages.flat()) page.heard = [];
  };
  const assertSameNews = (among: readonly WatchingPage[]) => {
    const [first, ...others] = among.map(({ heard }) =>
      heard.map(({ at, entityUid, operation }) => `${at} ${operation} ${entityUid}`),
    );
    assert.ok(first !== undefined && first.length > 1_000, `only ${first?.length ?? 0} changes were heard`);
    for (const other of others) assert.deepEqual(other, first);
  };

  it('one node is killed and comes back: nobody on the other notices, and all end right (F24, F25, F26)', async (t) => {
    startListening();
    await office.workUntil(CHANGES.untilKill);
    let isAway = true;
    const work = office.workWhile(() => isAway);
    await nodes[1].crash();
    await nodes[1].restart();
    // Nobody works any more when its pages are back: what they missed they must fetch.
    isAway = false;
    await work;
    await settle(t);
    for (const page of pages[0]) assert.deepEqual([page.connects, page.disconnects], [1, 0], page.name);
    for (const page of pages[1]) assert.ok(page.disconnects > 0, `${page.name} was never off`);
    assertSameNews(pages[0]);
    assert.ok(office.failures > 0, 'nobody was working on the node when it was killed');
  });

  it('Redis cuts its subscribers off once: pages fetch what they missed and end right (F25, F26)', async (t) => {
    await office.workUntil(CHANGES.untilCut);
    const before = pages.flat().map(({ connects }) => connects);
    const work = office.workUntil(CHANGES.untilCut + CHANGES_AROUND_CUT);
    await until('work goes on', () => office.changes > CHANGES.untilCut + CHANGES_AROUND_CUT / 4);
    const killed = await raw.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    assert.equal(killed, 2, 'both nodes were subscribed');
    await work;
    await settle(t);
    assert.deepEqual(
      pages.flat().map(({ connects }) => connects),
      before,
      'no page was disconnected by that',
    );
  });

  it('undisturbed, everybody hears the same news in the same order, and ends in the last commit (F26)', async (t) => {
    startListening();
    await office.workUntil(CHANGES.all);
    await settle(t);
    assertSameNews(pages.flat());
  });
});

function sorted(
  state: State,
): readonly (readonly [string, { readonly holderOid: string; readonly fence: number }])[] {
  return [...state].sort(([left], [right]) => (left < right ? -1 : 1));
}
