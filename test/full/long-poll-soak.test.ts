import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpTransportType } from '@microsoft/signalr';
import { memoryBackend } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT } from '../support/test-tokens.ts';
import { POLL_NUMBER, startAbortingProxy, type AbortingProxy } from './aborting-proxy.ts';

const SOAK_MS = 30_000;
const PUBLISH_EVERY_MS = 12;

/** Every so many changes one is longer than what the two ends of a connection hold, so that it leaves in parts. */
const LONG_EVERY = 60;
const LONG = 'x'.repeat(8 * 1_048_576);

describe('a real client polls through a proxy that breaks its polls off for 30 s', () => {
  let node: RowlockNode;
  let proxy: AbortingProxy;
  /** The node's side of each poll, until somebody asks for it. */
  const polls = new Map<string, { readonly response: ServerResponse; readonly left: Promise<boolean> }>();
  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      hub: { limits: { maxBufferedBytes: 16 * LONG.length } },
    });
    node.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const number = request.headers[POLL_NUMBER];
      if (typeof number === 'string') polls.set(number, { response, left: hasLeft(response) });
    });
    proxy = await startAbortingProxy({
      target: node.url,
      hadLeft: async (number) => (await polls.get(number)?.left) ?? false,
    });
  });
  after(async () => {
    await proxy.stop();
    await node.stop();
  });

  it('loses nothing while an answer had not left, keeps the order, and connects anew otherwise (aspnet/SignalR#2700)', async (t) => {
    const transport = HttpTransportType.LongPolling;
    const client = new HubClient({ url: proxy.url, user: { oid: 'ann' }, transport, reconnect: true });
    /** What was heard, in one list for each connection. */
    const heard: number[][] = [[]];
    client.connection.on('EntityChanged', ({ entityUid }: { entityUid: string }) => {
      heard.at(-1)?.push(Number(entityUid));
    });
    // Not when that is done: what the new connection brings may come before.
    client.connection.onreconnecting(() => heard.push([]));
    await client.start();
    let published = 0;
    const publish = () => {
      published += 1;
      const operation = published % LONG_EVERY === 0 ? LONG : 'Updated';
      const change = { entityType: 'ApprovalRequest', entityUid: String(published), operation };
      return node.rowlock.hub.publish(TEST_TENANT, change);
    };
    try {
      for (const endAt = performance.now() + SOAK_MS; performance.now() < endAt;) {
        await publish();
        await delay(2 * PUBLISH_EVERY_MS * Math.random()); // in the mean; what matters is when they are published
      }
      proxy.isAborting = false;
      const last = async () => {
        await publish();
        return client.heard('Updated', String(published));
      };
      // The first may fall between two connections.
      await last().catch(last);
    } finally {
      await client.stop();
    }
    const { harmless, inTheMiddle, harmful } = proxy;
    const total = heard.flat().length;
    assert.equal(client.resyncs, 0, 'the node itself lost nothing');
    t.diagnostic(
      `${published} changes; polls broken off: ${harmless} before their answer had left (${inTheMiddle} of them in the ` +
        `middle of it), ${harmful} after; ${heard.length - 1} reconnections, ${published - total} changes lost with them`,
    );
    for (const numbers of heard) {
      const [first = 0] = numbers;
      assert.deepEqual(
        numbers,
        Array.from(numbers, (_, at) => first + at),
        'nothing is missing, double or out of order',
      );
    }
    const all = heard.flat();
    assert.deepEqual(
      all,
      [...all].sort((left, right) => left - right),
      'connections follow each other',
    );
    assert.ok(harmless > 100, `only ${harmless} polls were broken off before their answer had left`);
    assert.ok(inTheMiddle > 0, 'no answer was broken off in the middle');
    assert.ok(
      heard.length - 1 <= harmful,
      `${heard.length - 1} reconnections, and ${harmful} answers were lost`,
    );
  });
});

/** Resolves when a poll is over: whether an answer with messages went into the connection while that stood. */
async function hasLeft(response: ServerResponse): Promise<boolean> {
  const { socket } = response;
  const finished = { isLeaving: false };
  response.once('finish', () => (finished.isLeaving = socket?.destroyed === false));
  await once(response, 'close');
  return finished.isLeaving && Number(response.getHeader('content-length')) > 0;
}
