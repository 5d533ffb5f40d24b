import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { ClaimWitness } from '../support/claim-witness.ts';
import { startFaultLoad, type FaultLoad } from '../support/fault-load.ts';
import { claimsOf, faultRow, fenceReader, type FaultRow } from '../support/fault-row.ts';
import { faultTable } from '../support/fault-table.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import type { RedisFault, RedisFaultStage } from '../support/redis-fault.ts';
import { REDIS_SENTINEL_FAULTS, redisClusterFaults } from '../support/redis-failover-faults.ts';
import { REDIS_SERVER_FAULTS } from '../support/redis-server-faults.ts';
import { until } from '../support/until.ts';

/** How long a fault lasts from the first "unknown" on, in milliseconds: longer than every timeout of the connection. */
const OUTAGE_MS = 2_500;
/** So many claims in a row are answered before a fault begins, and after it before all counts as well again. */
const STEADY = 10;
/** A cluster's master that hangs is noticed after its node timeout. */
const PATIENCE_MS = 20_000;

/**
 * What is aimed at, in milliseconds. A run may take three times as long, and on top of that what is the machine's: the
 * longest that this very process was late, and for the median three times what the same takes without a store.
 */
const AIM = { worst: 600, medianDown: 5, recovered: 1_500 } as const;
const HEADROOM = 3;

describe('what people meet while Redis is in trouble', () => {
  let cluster: RedisCluster;
  const rows: FaultRow[] = [];

  before(async () => {
    cluster = await startRedisCluster();
  });
  after(() => cluster.stop());

  for (const fault of [
    ...REDIS_SERVER_FAULTS,
    ...redisClusterFaults(() => cluster),
    ...REDIS_SENTINEL_FAULTS,
  ]) {
    it(fault.name, async () => {
      const stage = await fault.prepare();
      const witness = new ClaimWitness(stage.ports);
      try {
        const load = await startFaultLoad({
          target: stage.target,
          user: { oid: 'bob', name: 'Bob Kay', tenant: stage.tenant },
        });
        try {
          const row = await outlast(fault, stage, load, witness);
          rows.push(row);
          assertFailsOpen(row, load, fault);
        } finally {
          await load.stop();
        }
      } finally {
        witness.stop();
        await stage.stop();
      }
    });
  }

  it('in numbers', (t: TestContext) => {
    for (const line of faultTable(rows)) t.diagnostic(line);
    assert.ok(rows.length > 0, 'nothing was measured');
  });
});

/** The load goes on while the fault begins, lasts and ends. */
async function outlast(
  fault: RedisFault,
  stage: RedisFaultStage,
  load: FaultLoad,
  witness: ClaimWitness,
): Promise<FaultRow> {
  const last = (outcome: string, count: number) => {
    const claims = claimsOf(load).slice(-count);
    return claims.length === count && claims.every((claim) => claim.outcome === outcome);
  };
  if (fault.beginsWell) {
    await until('claims are answered', () => last('acquired', STEADY), PATIENCE_MS);
    const before = claimsOf(load).filter(({ outcome }) => outcome === 'acquired');
    await until('the witness sees what is carried out', () =>
      before.every(({ uid }) => witness.writtenAtMs(uid).length > 0),
    );
  }
  const beganAtMs = Date.now();
  await stage.begin();
  await until(
    'claims are answered "unknown"',
    () => claimsOf(load).some(({ outcome }) => outcome === 'unknown'),
    PATIENCE_MS,
  );
  await delay(OUTAGE_MS); // the length of the fault, not a wait for something
  await stage.end();
  const endedAtMs = Date.now();
  await until('claims are answered again', () => last('acquired', STEADY), PATIENCE_MS);
  await load.endLoad();
  await stage.settle();
  await witness.catchUp();
  return faultRow(
    fault.name,
    { beganAtMs, endedAtMs },
    { load, witness, keys: fenceReader(stage.target, stage.tenant) },
  );
}

function assertFailsOpen(row: FaultRow, load: FaultLoad, { beginsWell }: RedisFault): void {
  const within = (what: string, tookMs: number, aimMs: number, ownMs: number) =>
    assert.ok(
      tookMs <= HEADROOM * aimMs + ownMs,
      `${what}: ${Math.round(tookMs)} ms, aimed at ${aimMs} (and ${Math.round(ownMs)} ms are this machine's)`,
    );
  assert.equal(row.failedWrites, 0, 'writes that failed');
  assert.equal(row.otherFailures, 0, 'other requests that failed');
  assert.equal(row.late, 0, 'claims that were carried out after their answer "unknown"');
  assert.equal(row.notOwned, 0, 'sessions that did not get the lock which was carried out for them');
  assert.ok(row.unknown >= STEADY, `only ${row.unknown} claims were answered "unknown"`);
  within('the worst wait', row.worstMs, AIM.worst, row.ownDelayMs);
  within('the median while down', row.medianDownMs, AIM.medianDown, HEADROOM * row.controlMs);
  within('until all was well again', row.recoveredMs, AIM.recovered, row.ownDelayMs);
  assert.ok(row.complaints >= 1, 'nothing was logged');
  const seconds = (Date.now() - (load.requests[0]?.askedAtMs ?? 0)) / 1_000;
  assert.ok(row.complaints <= 2 + seconds / 5, `${row.complaints} warnings in ${Math.round(seconds)} s`);
  assert.ok(row.saidUnavailable > 0, '/readyz never said that the store is unavailable');
  assert.equal(row.up, beginsWell ? '1 0 1' : '0 1');
}
