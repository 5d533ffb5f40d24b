import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { startNodeProcess } from '../support/node-process.ts';
import { openSignalRSocket } from '../support/signalr-socket.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';

const READERS = 99;

/** 12 s of 50 bursts a second, 700 KiB/s to each client: 8.4 MiB. */
const BURSTS = 600;
const BURST_EVERY_MS = 20;
const CHANGES_PER_BURST = 40;
/** After so many bursts somebody looks whether the stalled one is still there. */
const LOOK_EVERY = 10;
const PADDING = 'x'.repeat(240);
const LEAST_BYTES = 8 * 1_048_576;

/** The tests' own limit, in milliseconds, for a client that takes nothing. */
const CLOSED_WITHIN_MS = 30_000;

interface Run {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytesPerReader: number;
  readonly peakRssBytes: number;
  /** After it stopped reading; null = nobody did. */
  readonly closedAfterMs: number | null;
}

describe('100 clients, and more than 8 MiB for each', () => {
  it('one client that does not read costs 99 others nothing, is closed, and costs little memory (aspnetcore#33582)', async (t) => {
    const without = await run({ isOneStalled: false });
    const stalled = await run({ isOneStalled: true });
    const mib = (bytes: number) => (bytes / 1_048_576).toFixed(1);
    for (const [name, { p50Ms, p99Ms, bytesPerReader, peakRssBytes }] of Object.entries({
      without,
      stalled,
    })) {
      t.diagnostic(
        `${name}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${mib(bytesPerReader)} MiB to each of ${READERS}, ` +
          `server's peak ${mib(peakRssBytes)} MiB`,
      );
    }
    t.diagnostic(
      `ratio of the p99: ${(stalled.p99Ms / without.p99Ms).toFixed(2)}; closed after ${stalled.closedAfterMs?.toFixed(0)} ms`,
    );
    for (const { bytesPerReader } of [without, stalled])
      assert.ok(bytesPerReader >= LEAST_BYTES, mib(bytesPerReader));
    assert.ok(
      stalled.p99Ms <= 3 * without.p99Ms + 50,
      `p99 ${stalled.p99Ms} ms, without ${without.p99Ms} ms`,
    );
    assert.ok(stalled.closedAfterMs !== null && stalled.closedAfterMs < CLOSED_WITHIN_MS, 'it was closed');
    assert.ok(
      stalled.peakRssBytes < without.peakRssBytes + 64 * 1_048_576,
      `${mib(stalled.peakRssBytes)} MiB, without ${mib(without.peakRssBytes)} MiB`,
    );
  });
});

async function run({ isOneStalled }: { readonly isOneStalled: boolean }): Promise<Run> {
  const node = await startNodeProcess({ redisUrl: null });
  const sockets: WebSocket[] = [];
  try {
    const latencies: number[] = [];
    let bytes = 0;
    let heard = 0;
    const token = (at: number) => tokenFor({ oid: `user-${at}` });
    const readers = Array.from({ length: READERS }, async (_, at) =>
      openSignalRSocket(node.url, await token(at), (frame) => {
        bytes += frame.length;
        for (const sentAtMs of sentTimes(frame)) {
          heard += 1;
          latencies.push(performance.now() - sentAtMs);
        }
      }),
    );
    sockets.push(...(await Promise.all(readers)));
    const stalledAt = performance.now();
    if (isOneStalled) {
      const lazy = await openSignalRSocket(node.url, await token(READERS), () => {});
      sockets.push(lazy);
      lazy.pause();
    }
    let closedAfterMs: number | null = null;
    const look = async () => {
      if (!isOneStalled || closedAfterMs !== null) return;
      if ((await node.report()).webSockets === READERS) closedAfterMs = performance.now() - stalledAt;
    };
    const startedAt = performance.now();
    for (let burst = 0; burst < BURSTS; burst += 1) {
      await delay(Math.max(startedAt + burst * BURST_EVERY_MS - performance.now(), 0)); // a steady pace
      await node.publish(...burstOf(performance.now()));
      if (burst % LOOK_EVERY === 0) await look();
    }
    await until('all readers heard everything', () => heard === READERS * BURSTS, 30_000);
    await until(
      'the stalled one is closed',
      async () => {
        await look();
        return !isOneStalled || closedAfterMs !== null;
      },
      CLOSED_WITHIN_MS,
    );
    const { connections, peakRssBytes } = await node.report();
    assert.equal(connections, READERS, 'nobody else was closed');
    latencies.sort((left, right) => left - right);
    const percentile = (part: number) => latencies[Math.floor(part * latencies.length)] ?? NaN;
    const bytesPerReader = bytes / READERS;
    return { p50Ms: percentile(0.5), p99Ms: percentile(0.99), bytesPerReader, peakRssBytes, closedAfterMs };
  } finally {
    for (const socket of sockets) socket.terminate();
    await node.stop();
  }
}

/** One burst; its first change says when it was sent. */
function burstOf(sentAtMs: number) {
  return Array.from({ length: CHANGES_PER_BURST }, (_, at) => ({
    entityType: 'ApprovalRequest',
    entityUid: at === 0 ? `sent-${sentAtMs}-` : `uid-${at}`,
    operation: PADDING,
  }));
}

const SENT = Buffer.from('"sent-');

/** Without parsing: the readers share a process, and are to be on time. */
function* sentTimes(frame: Buffer): Generator<number> {
  for (let at = frame.indexOf(SENT); at >= 0; at = frame.indexOf(SENT, at + SENT.length)) {
    const start = at + SENT.length;
    yield Number(frame.toString('latin1', start, frame.indexOf('-', start)));
  }
}
