import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { DEFAULT_HUB_PATH } from '../../core/index.ts';
import {
  TRANSPORTS,
  startLoadBalanced,
  type LoadBalanced,
  type NamedClient,
} from '../support/load-balanced.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const CLIENTS = 10;

/** Clients are back after this, with the default timing; the spread of a drain is in it. */
const BACK_WITHIN_MS = 8_000;

describe('a node behind nginx goes away', () => {
  let stage: LoadBalanced;
  let changes = 0;
  before(async () => {
    stage = await startLoadBalanced();
  });
  afterEach(() => stage.closeClients());
  after(() => stage.stop());

  const newChange = () => {
    changes += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${changes}`, operation: 'Updated' };
  };
  const connections = async (at: 0 | 1) => (await stage.nodes[at].report()).connections;

  /** Resolves when all hear what is published on a node; what was published before they were back they have missed. */
  const areBack = async (clients: readonly NamedClient[], node: NodeProcess) => {
    const deadline = performance.now() + BACK_WITHIN_MS;
    while (true) {
      const { entityUid, ...change } = newChange();
      await node.publish({ entityUid, ...change });
      const hasHeard = ({ changes: heard }: NamedClient) =>
        heard.some((other) => other.entityUid === entityUid);
      try {
        await until(`all heard ${entityUid}`, () => clients.every(hasHeard), 100);
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
    }
  };

  for (const [name, transport] of Object.entries(TRANSPORTS)) {
    for (const way of ['drain', 'crash'] as const) {
      it(`by a ${way}: its clients come back on the other within seconds (${name}, F24)`, async (t) => {
        const [first, second] = stage.nodes;
        const clients = await stage.connect(CLIENTS, { transport, reconnect: true });
        const gone = await connections(0);
        assert.ok(gone > 0 && gone < CLIENTS, `${gone} of ${CLIENTS} were on the node that goes`);
        let lost = 0;
        for (const { connection } of clients) connection.onreconnecting(() => (lost += 1));
        const startedAt = performance.now();
        await first[way]();
        const endedAt = performance.now();
        await areBack(clients, second);
        const [ended, back] = [endedAt - startedAt, performance.now() - startedAt];
        t.diagnostic(
          `${gone} of ${CLIENTS} moved; node gone after ${ended.toFixed(0)}, all back after ${back.toFixed(0)} ms`,
        );
        assert.equal(lost, gone, 'each of those reconnected once, and nobody else did');
        assert.equal(await connections(1), CLIENTS);
        await stage.closeClients();
        await first.restart();
      });
    }
  }

  it('while a node drains, whoever comes is let in on the other, in any transport', async () => {
    const [first, second] = stage.nodes;
    // A drain takes 5 ms for each connection, so this one lasts long enough to be met.
    await stage.connect(400, { skipNegotiation: true });
    const before = await connections(1);
    let isDraining = true;
    const drained = first.drain().then(() => (isDraining = false));
    const headers = { authorization: `Bearer ${await tokenFor({ oid: 'newcomer' })}` };
    await until('the node refuses newcomers', async () => {
      const { status } = await fetch(`${first.url}${DEFAULT_HUB_PATH}/negotiate`, {
        method: 'POST',
        headers,
      });
      return status === 503;
    });
    const newcomers = await Promise.all(
      Object.values(TRANSPORTS).map((transport) => stage.connect(CLIENTS, { transport })),
    );
    assert.equal(isDraining, true, 'the drain was over before everybody had come');
    assert.equal(await connections(1), before + 3 * CLIENTS);
    await areBack(newcomers.flat(), second);
    await drained;
    await stage.closeClients();
    await first.restart();
  });
});
