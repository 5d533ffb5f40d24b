import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { memoryBackend } from '../../server/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { openSignalRSocket } from '../support/signalr-socket.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const MIB = 1_048_576;

/** More than what the two ends of a loopback connection hold by themselves. */
const MUCH = 12 * MIB;

describe('a client that does not read', () => {
  const timing = { heartbeatMs: 50, sendTimeoutMs: 1_000, closeTimeoutMs: 200 };
  let node: RowlockNode;
  let sockets: WebSocket[];
  before(async () => {
    // So much may be unread that the time decides, not the amount.
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      hub: { timing, limits: { maxBufferedBytes: 2 * MUCH } },
    });
    sockets = [];
  });
  after(async () => {
    for (const socket of sockets) socket.terminate();
    await node.stop();
  });
  const open = async (oid: string, onFrame: (frame: Buffer) => void) => {
    const socket = await openSignalRSocket(node.url, await tokenFor({ oid }), onFrame);
    sockets.push(socket);
    return socket;
  };
  const publish = (bytes: number) =>
    node.rowlock.hub.publish(TEST_TENANT, {
      entityType: 'ApprovalRequest',
      entityUid: 'uid-1',
      operation: 'x'.repeat(bytes),
    });

  it('is cut off when it took nothing for the send timeout, a heartbeat later at most; others are not', async () => {
    let taken = 0;
    const lazy = await open('lazy', () => {});
    await open('reader', (frame) => (taken += frame.length));
    lazy.pause();
    for (let at = 0; at < 12; at += 1) await publish(MUCH / 12);
    const publishedAt = performance.now();
    await until('the lazy one is gone', () => node.rowlock.hub.connectionCount === 1);
    const tookMs = performance.now() - publishedAt;
    const { sendTimeoutMs, heartbeatMs } = timing;
    assert.ok(tookMs > sendTimeoutMs - heartbeatMs, `cut off after ${tookMs.toFixed(0)} ms, too soon`);
    // Time is counted in heartbeats, and those of a busy machine come late: half a second is allowed for that.
    assert.ok(tookMs < sendTimeoutMs + 2 * heartbeatMs + 500, `cut off after ${tookMs.toFixed(0)} ms`);
    await until('the reader has it all', () => taken > MUCH);
    assert.equal(node.rowlock.hub.connectionCount, 1);
  });
});
