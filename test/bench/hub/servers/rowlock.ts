// Ours: Rowlock's hub as an application gets it, in the JSON protocol. BENCH_SERVER_MODULE names the build of
// server/index.ts to measure.
import { createServer } from 'node:http';
import type * as Rowlock from '../../../../server/index.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { listenLocally } from '../listen-locally.ts';
import { BENCH_TENANT, sampleChange } from '../sample-change.ts';
import { serveBench } from '../serve-bench.ts';

const { createRowlock, lockable, memoryBackend } = (await import(
  process.env['BENCH_SERVER_MODULE'] ?? ''
)) as typeof Rowlock;

// Every client is a user of its own, as in an office; who they are is not what is measured.
let users = 0;
const rowlock = createRowlock({
  types: [lockable('ApprovalRequest')],
  identify: async () => {
    users += 1;
    return { tenant: BENCH_TENANT, oid: `user-${users}`, name: `User ${users}`, kind: 'user' };
  },
  backend: memoryBackend({ log: silentLog }),
  log: silentLog,
});
const server = createServer();
rowlock.attach(server);
await rowlock.start();
serveBench(await listenLocally(server), (index) => {
  void rowlock.hub.publish(BENCH_TENANT, sampleChange(index));
});
