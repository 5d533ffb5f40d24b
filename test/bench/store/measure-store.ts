// The bench's own process, run from a bundle by store.bench.ts.
import { parseArgs } from 'node:util';
import { startRedis } from '../../support/redis-server.ts';
import { writeSection } from '../write-section.ts';
import { measureHttp } from './http-rounds.ts';
import { measureLists } from './list-costs.ts';
import { MachineWatch } from './machine-watch.ts';
import { findLockPeers } from './lock-peers.ts';
import { measurePairs } from './pair-rounds.ts';
import { RedisUsage } from './redis-usage.ts';
import { measureScripts } from './script-costs.ts';
import { StallWatch } from './stall-watch.ts';
import { storeReport } from './store-report.ts';

const PARTS = ['peers', 'scripts', 'lists', 'http'] as const;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
    before: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const wanted = values.only?.split(',') ?? PARTS;
const unknown = wanted.filter((part) => !PARTS.some((known) => known === part));
if (unknown.length > 0)
  throw new Error(`--only: expected some of ${PARTS.join(', ')}, got ${unknown.join(', ')}`);
if (values.write && (values.only !== undefined || values.before !== undefined || rounds < 5)) {
  throw new Error('--write is for the whole comparison of this working copy, in 5 rounds or more.');
}

const startedAt = performance.now();
const server = await startRedis();
const usage = await RedisUsage.of(server.url);
const watch = new MachineWatch(usage);
const stalls = new StallWatch();
const measure = <Findings>(
  part: (typeof PARTS)[number],
  run: () => Promise<Findings>,
): Promise<Findings | null> => {
  if (!wanted.includes(part)) return Promise.resolve(null);
  console.log(`${part}…`);
  return run();
};
try {
  await watch.start();
  const before = values.before;
  const { peers, missing } = await findLockPeers({
    url: server.url,
    ...(before === undefined ? {} : { before }),
  });
  for (const reason of missing) console.log(`Not measured: ${reason}`);
  const pairs = await measure('peers', () => measurePairs(peers, usage, rounds, stalls));
  for (const peer of peers) await peer.close();
  const scripts = await measure('scripts', () => measureScripts(server.url, rounds, before));
  const lists = await measure('lists', () => measureLists(server.url, rounds, stalls));
  const http = await measure('http', () =>
    measureHttp(server.url, usage, rounds, stalls, (us) => watch.add(us)),
  );
  const others = await watch.othersCores();
  const report = storeReport({
    missing,
    rounds,
    redisVersion: await usage.version(),
    pairs,
    scripts,
    lists,
    http,
    others,
    stalls: stalls.stalls,
  });
  console.log(`\n${report}\n`);
  if (values.write) await writeSection('docs/benchmarks.md', 'store', 'Locks in Redis', report);
  console.log(`Took ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
} finally {
  usage.close();
  await server.stop();
}
