// How fast the hub tells a crowd, beside its peers: npm run bench hub [-- options]
//   --clients N   default 1000        --rounds N   default 7         --idle N   default 5000, 0 = no memory
//   --only a,b    of rowlock, bare-ws, socket.io, aspnet, floor      --write    into docs/benchmarks.md
//   --ours DIR    another working copy instead of this one
//   --before DIR  another working copy of ours as a further peer
//   --profile P   writes a CPU profile of that server into .cache/bench
import { parseArgs } from 'node:util';
import { measureFanOut } from './hub/fan-out.ts';
import { hubReport } from './hub/hub-report.ts';
import { measureIdleMemory, whatIsMissingFor } from './hub/idle-memory.ts';
import { findPeers } from './hub/peers.ts';
import { findDotnet } from '../support/dotnet.ts';
import { packageVersions } from './measured-on.ts';
import { writeSection } from './write-section.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '7' },
    idle: { type: 'string', default: '5000' },
    only: { type: 'string' },
    ours: { type: 'string' },
    before: { type: 'string' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [clients, rounds, idle] = [Number(values.clients), Number(values.rounds), Number(values.idle)];

const isWhole = [values.only, values.ours, values.before, values.profile].every(
  (value) => value === undefined,
);
if (values.write && !isWhole) throw new Error('--write is for the whole comparison of this working copy.');

const startedAt = performance.now();
const found = await findPeers({
  ...(values.ours === undefined ? {} : { ours: values.ours }),
  ...(values.before === undefined ? {} : { before: values.before }),
  ...(values.profile === undefined ? {} : { profile: { name: values.profile, folder: '.cache/bench' } }),
});
const wanted = values.only?.split(',');
const peers = found.peers.filter(
  ({ name }) => wanted === undefined || name === 'before' || wanted.includes(name),
);
for (const { name, reason } of found.missing) console.log(`Skipped: ${name}: ${reason}`);

console.log(`${clients} clients each of ${peers.map(({ name }) => name).join(', ')}; warming up…`);
const fanOut = await measureFanOut(peers, {
  clients,
  rounds,
  roundMs: 500,
  onRound: (round) => console.log(`round ${round + 1} of ${rounds}`),
});

const noIdle = idle === 0 ? 'not asked for' : whatIsMissingFor(idle);
if (noIdle !== null) console.log(`Skipped: memory of idle connections: ${noIdle}`);
const memory = noIdle === null ? { connections: idle, bytes: await measureIdleMemory(peers, idle) } : null;

const dotnet = findDotnet();
const versions = {
  ...packageVersions('ws', 'socket.io'),
  ...(dotnet.missing === false ? { '.NET SDK': dotnet.sdk } : {}),
};
const report = hubReport({ peers, missing: found.missing, clients, versions, fanOut, memory });
console.log(`\n${report}\n`);
if (values.write) await writeSection('docs/benchmarks.md', 'hub', 'The hub’s fan-out', report);
console.log(`Took ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
