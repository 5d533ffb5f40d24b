import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { sizing, type Office } from '../../scripts/sizing-model.mjs';
import type { RedisServer } from '../support/redis-server.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { startIdleCrowd } from './idle-crowd.ts';
import { startOfficeNode } from './office-node.ts';
import { editOneRecord, lookAtGrid } from './office-people.ts';

/** Commands that the test sends itself, and those that come by the second. */
const ASIDE = ['ping', 'info', 'config', 'client', 'hello', 'subscribe'];

const GRACE_MS = 5_000;

/** What was counted while an office worked. */
export interface OfficeCounts {
  readonly elapsedS: number;
  /** Calls that the store could not answer at once, since the machine was busy: each may have cost its commands or not. */
  readonly repeats: number;
  readonly redisCommands: number;
  readonly redisPings: number;
  readonly scripts: number;
  readonly published: number;
  readonly redisBytesToNodes: number;
  readonly redisConnections: number;
  readonly hubMessages: number;
  readonly hubBytes: number;
}

/**
 * Plays so many seconds of an office in which everybody opens one form in that time, against nodes of this process and a
 * real Redis, with a WebSocket for each page. Rejects where a call is answered wrongly; null = more than `mostRepeats` of the calls had to be asked again: this would measure the machine.
 */
export async function playOffice(
  server: RedisServer,
  office: Office,
  { playedS, mostRepeats }: { readonly playedS: number; readonly mostRepeats: number },
): Promise<OfficeCounts | null> {
  const { editors, watchers, renewEveryMs, leaveShare } = office;
  const redis = new Redis(server.url);
  const listener = new Redis(server.url);
  const tenants = Array.from({ length: office.tenants }, () => randomUUID());
  const nodes = await Promise.all(
    Array.from({ length: office.nodes }, () => startOfficeNode(server.url, office)),
  );
  const places = nodes.flatMap(({ node }) => tenants.map((tenant) => ({ node, tenant })));
  const placeOf = (at: number) => places[at % places.length] as (typeof places)[number];
  const crowds = await Promise.all(
    places.map(async ({ node, tenant }) =>
      startIdleCrowd(
        Number(new URL(node.url).port),
        await tokenFor({ oid: 'crowd', tenant }),
        (editors + watchers) / places.length,
      ),
    ),
  );
  try {
    let [published, publishedBytes] = [0, 0];
    listener.on('message', (_channel, message: string) => {
      published += 1;
      publishedBytes += Buffer.byteLength(message);
    });
    await listener.subscribe(...tenants.map((tenant) => `lockchange:{${tenant}}`));
    const total = (counts: readonly number[]) => counts.reduce((sum, each) => sum + each, 0);
    const delivered = async () => total(await Promise.all(nodes.map((node) => node.delivered())));
    const written = () => total(nodes.map((node) => node.webSocketBytes()));
    const redisConnections = ((await redis.client('LIST')) as string).trim().split('\n').length - 2;

    const [deliveredBefore, writtenBefore] = [await delivered(), written()];
    await redis.config('RESETSTAT');
    const startedMs = performance.now();
    const asked = await Promise.all([
      ...Array.from({ length: editors }, (_, at) =>
        editOneRecord({
          ...placeOf(at),
          startAfterMs: (at / editors) * renewEveryMs,
          renewEveryMs,
          renewals: (playedS * 1_000) / renewEveryMs,
          graceMs: Math.floor(at / places.length) % 2 < 2 * leaveShare ? GRACE_MS : 0,
        }),
      ),
      // Once all forms are open, and while they are.
      ...Array.from({ length: watchers }, (_, at) => {
        const { node, tenant } = placeOf(at);
        return lookAtGrid(node, tenant, (1 + at / watchers) * renewEveryMs);
      }),
    ]);
    const counts = commandCounts(await redis.info('commandstats'));
    const { listeners, perSecond } = sizing(office);
    const repeats = total(asked) + total(await Promise.all(nodes.map((node) => node.unchecked())));
    if (repeats > mostRepeats * perSecond.httpCalls * playedS) return null;
    // News of a write that passed unchecked may stay with its node.
    const changes = Math.round(perSecond.published * playedS) - repeats;
    await until('all news are heard', () => published >= changes, 10_000);
    const heard = async () => (await delivered()) - deliveredBefore;
    await until('all pages are told', async () => (await heard()) >= changes * listeners, 10_000);
    const elapsedS = (performance.now() - startedMs) / 1_000;
    return {
      elapsedS,
      repeats,
      redisCommands: [...counts].reduce((sum, [name, calls]) => sum + (ASIDE.includes(name) ? 0 : calls), 0),
      redisPings: counts.get('ping') ?? 0,
      scripts: (counts.get('eval') ?? 0) + (counts.get('evalsha') ?? 0),
      published,
      redisBytesToNodes: publishedBytes * nodes.length,
      redisConnections,
      hubMessages: await heard(),
      hubBytes: written() - writtenBefore,
    };
  } finally {
    await Promise.all(crowds.map((crowd) => crowd.stop()));
    await Promise.all(nodes.map(({ node }) => node.stop()));
    redis.disconnect();
    listener.disconnect();
  }
}

/** From `INFO commandstats`, subcommands counted with their command. */
function commandCounts(info: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = '', calls] of info.matchAll(/^cmdstat_(\w+)[^:]*:calls=(\d+)/gm)) {
    counts.set(name, (counts.get(name) ?? 0) + Number(calls));
  }
  return counts;
}
