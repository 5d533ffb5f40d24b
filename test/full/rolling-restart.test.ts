import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startKeepAliveLoad } from '../support/keep-alive-load.ts';
import { startLoadBalanced, type LoadBalanced, type NamedClient } from '../support/load-balanced.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const PAGES = 6;
/** So many claims are answered before a node is stopped, and by the other one afterwards. */
const SOME = 100;
/** Test nodes then cut off whatever is left, in milliseconds after they stopped listening. */
const CUT_AFTER_MS = 2_000;
const BOB = { oid: 'bob', name: 'Bob Kay' };

/**
 * Two nodes are replaced one after the other. Each drains as docs/behind-a-load-balancer.md says, and as the demo does:
 * first the hub says goodbye while requests are still answered, each with `Connection: close`; then the server stops
 * listening, closes the kept connections that are idle and lets what is under way end; Redis goes last.
 */
describe('two nodes are restarted in turn, under load', () => {
  let stage: LoadBalanced;
  before(async () => {
    stage = await startLoadBalanced();
  });
  after(() => stage.stop());

  it('no request fails but on connections that were just being closed, and pages come back on the other node', async (t) => {
    const pages = await stage.connect(PAGES, { reconnect: true });
    for (const [at, node] of stage.nodes.entries()) {
      const other = stage.nodes[1 - at];
      if (other === undefined) throw new Error('There is no other node');
      const load = await startKeepAliveLoad([node, other]);
      const { counts } = load;
      try {
        await until('the node is under load', () => (counts.answered[0] ?? 0) > SOME);
        const before = counts.answered[0] ?? 0;
        const startedMs = performance.now();
        await node.drain();
        const drainMs = performance.now() - startedMs;
        const during = (counts.answered[0] ?? 0) - before;
        await until('the other one has taken over', () => (counts.answered[1] ?? 0) > SOME);
        await until('all pages are there', async () => (await other.report()).connections === PAGES, 10_000);
        await hearAll(pages, other, `after-${at}`);
        t.diagnostic(
          `node ${at + 1}: gone after ${drainMs.toFixed(0)} ms; ${counts.answered.join(' + ')} answered, ${during} of them while it drained; ` +
            `${counts.refused} refused and asked elsewhere, ${counts.onClosed} on a connection that was being closed`,
        );
        assert.ok(drainMs < CUT_AFTER_MS, `${drainMs.toFixed(0)} ms: what was under way was cut off`);
        assert.ok(during > 0, 'the node answered nothing while it drained');
      } finally {
        await load.stop();
      }
      assert.deepEqual(counts.failed, []);
      await node.restart();
    }
  });
});

/** A claim on one node reaches every page. */
async function hearAll(
  pages: readonly NamedClient[],
  { url }: NodeProcess,
  entityUid: string,
): Promise<void> {
  const response = await fetch(`${url}/api/locks/ApprovalRequest/${entityUid}/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenFor(BOB)}`, 'content-type': 'application/json' },
    body: '{"sessionId":"s1"}',
  });
  assert.equal(response.status, 200);
  await Promise.all(pages.map((page) => page.heard('Acquired', entityUid)));
}
