import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { entityRef, lockPaths } from '../../core/index.ts';
import type { RowlockNode } from '../support/rowlock-node.ts';

const TYPE = 'ApprovalRequest';

/** As long as the sizing model takes names to be. */
const NAME = 'Anna Lindqvist';

export interface EditorsHabits {
  readonly node: RowlockNode;
  readonly tenant: string;
  /** When the form is opened, in milliseconds from now. */
  readonly startAfterMs: number;
  readonly renewEveryMs: number;
  readonly renewals: number;
  /** 0 = the form is closed, more = the page is left. */
  readonly graceMs: number;
}

/** Opens a free record, renews, saves, and lets go. Rejects where anything is not as it is on a good day. */
export async function editOneRecord(habits: EditorsHabits): Promise<void> {
  const { node, tenant, startAfterMs, renewEveryMs, renewals, graceMs } = habits;
  const as = { oid: randomUUID(), name: NAME, tenant };
  const ref = entityRef(TYPE, randomUUID());
  const sessionId = randomUUID();
  const ask = async (expected: string, method: string, path: string, body?: unknown) => {
    const answer = await node.call(method, path, { as, body });
    assert.equal(answer.json['outcome'] ?? answer.status, expected, `${method} ${path}: ${answer.text}`);
  };
  await delay(startAfterMs);
  const openedMs = performance.now();
  await ask('acquired', 'POST', `/api${lockPaths.claim(ref)}`, { sessionId });
  for (let round = 1; round <= renewals; round += 1) {
    await delay(Math.max(0, openedMs + round * renewEveryMs - performance.now()));
    await ask('acquired', 'POST', `/api${lockPaths.renew(ref)}`, { sessionId });
  }
  const saved = await node.call('PUT', `/requests/${ref.entityUid}`, { as });
  assert.equal(saved.status, 200, saved.text);
  await ask(
    'released',
    'DELETE',
    `/api${lockPaths.entity(ref)}?sessionId=${sessionId}&graceMs=${String(graceMs)}`,
  );
}

/** Loads a grid once, in so many milliseconds. Rejects where the store could not say. */
export async function lookAtGrid(node: RowlockNode, tenant: string, afterMs: number): Promise<void> {
  await delay(afterMs);
  const as = { oid: randomUUID(), tenant };
  const { json, text } = await node.call('GET', `/api${lockPaths.type(TYPE)}`, { as });
  assert.equal(json['store'], 'ok', text);
  assert.ok(Array.isArray(json['locks']) && json['locks'].length > 0, 'a list without locks costs less');
}
