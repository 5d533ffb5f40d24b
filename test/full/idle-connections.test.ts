import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_HUB_TIMING } from '../../core/index.ts';
import { startNodeProcess, type NodeProcess } from '../support/node-process.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { startIdleCrowd, tooFewDescriptorsFor } from './idle-crowd.ts';

const CONNECTIONS = 5_000;

/** Come and go before anything is measured: code is compiled, and pools have their usual size. */
const FIRST_CROWD = 1_000;

/** For its two halves, JavaScript objects and the two buffers of a socket; measured 8 to 12 KiB. */
const MOST_BYTES_PER_CONNECTION = 40_960;

const MIB = 1_048_576;

/** A connection that is not let go of is 2 KiB at least, and 5,000 of them are 10 MiB. */
const MOST_HEAP_LEFT = 3 * MIB;

/** Of the resident memory, what the allocator keeps for next time: between -17 and +20 MiB were seen. */
const MOST_RSS_LEFT = 32 * MIB;

describe(
  `${CONNECTIONS} idle WebSockets on one node`,
  { skip: tooFewDescriptorsFor(CONNECTIONS) ?? false },
  () => {
    let node: NodeProcess;
    before(async () => {
      node = await startNodeProcess({ redisUrl: null, hub: { maxConnectionsPerUser: CONNECTIONS } });
    });
    after(() => node.stop());

    const memory = () => node.report({ afterCollection: true });
    const join = async (count: number) => {
      const crowd = await startIdleCrowd(node.port, await tokenFor({ oid: 'crowd' }), count);
      assert.equal((await crowd.report()).joined, count);
      return crowd;
    };
    const allGone = () =>
      until('all are gone', async () => {
        const { connections, webSockets } = await node.report();
        return connections === 0 && webSockets === 0;
      });

    it('cost little memory each, are all pinged in time, all hear a change, and leave nothing behind', async (t) => {
      const first = await join(FIRST_CROWD);
      await first.stop();
      await allGone();
      const before = await memory();

      const joinedFrom = performance.now();
      const crowd = await join(CONNECTIONS);
      try {
        const joinedMs = performance.now() - joinedFrom;
        const perConnection = ((await memory()).rssBytes - before.rssBytes) / CONNECTIONS;
        t.diagnostic(
          `${(perConnection / 1_024).toFixed(1)} KiB a connection; joined in ${joinedMs.toFixed(0)} ms`,
        );
        assert.ok(
          perConnection < MOST_BYTES_PER_CONNECTION,
          `${perConnection.toFixed(0)} bytes a connection`,
        );

        const { pingEveryMs, heartbeatMs } = DEFAULT_HUB_TIMING;
        const pinged = async () => (await crowd.report()).pinged === CONNECTIONS;
        await until('all are pinged', pinged, pingEveryMs + 10 * heartbeatMs);
        const { longestWaitForPingMs } = await crowd.report();
        t.diagnostic(`the last first ping came ${longestWaitForPingMs.toFixed(0)} ms after its client`);
        // A look every heartbeat: up to one late by itself, and one for a machine that is busy with 5,000 sockets.
        assert.ok(longestWaitForPingMs <= 16_000 + heartbeatMs, `${longestWaitForPingMs} ms`);

        const publishedAt = performance.now();
        await node.publish({ entityType: 'ApprovalRequest', entityUid: 'uid-1', operation: 'Updated' });
        await until('all heard it', async () => (await crowd.report()).changed === CONNECTIONS);
        t.diagnostic(`all heard a change after ${(performance.now() - publishedAt).toFixed(0)} ms`);
        assert.equal((await crowd.report()).closed, 0);
        assert.equal((await node.report()).webSockets, CONNECTIONS);
      } finally {
        await crowd.stop();
      }
      await allGone();
      const after = await memory();
      const mib = (bytes: number) => (bytes / MIB).toFixed(1);
      const [heap, rss] = [after.heapBytes - before.heapBytes, after.rssBytes - before.rssBytes];
      t.diagnostic(`more than before the crowd: ${mib(heap)} MiB of JavaScript's, ${mib(rss)} MiB resident`);
      assert.ok(heap < MOST_HEAP_LEFT, `${mib(heap)} MiB of JavaScript's are left`);
      assert.ok(rss < MOST_RSS_LEFT, `${mib(rss)} MiB are left`);
    });
  },
);
