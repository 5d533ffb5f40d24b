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

/** A page asks again after an `unknown`; here so much later, in milliseconds. */
const ASK_AGAIN_MS = 500;

/**
 * Opens a free record, renews, saves, and lets go. Answers how often it had to ask again because the store could not say:
 * on a machine that is not too busy 0. Rejects where anything else is not as it is on a good day.
 */
export async function editOneRecord(habits: EditorsHabits): Promise<number> {
  const { node, tenant, startAfterMs, renewEveryMs, renewals, graceMs } = habits;
  const as = { oid: randomUUID(), name: NAME, tenant };
  const ref = entityRef(TYPE, randomUUID());
  const sessionId = randomUUID();
  let repeats = 0;
  const ask = async (expected: string, method: string, path: string, body?: unknown) => {
    let answer = await node.call(method, path, { as, body });
    while (answer.json['outcome'] === 'unknown') {
      repeats += 1;
      await delay(ASK_AGAIN_MS);
      answer = await node.call(method, path, { as, body });
    }
    // What was carried out unheard is over the second time; and a lease may have ended meanwhile.
    if (repeats > 0) return;
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
  return repeats;
}

/** Loads a grid once, in so many milliseconds. Answers how often it had to ask again. */
export async function lookAtGrid(node: RowlockNode, tenant: string, afterMs: number): Promise<number> {
  await delay(afterMs);
  const as = { oid: randomUUID(), tenant };
  const look = () => node.call('GET', `/api${lockPaths.type(TYPE)}`, { as });
  let answer = await look();
  let repeats = 0;
  for (; answer.json['store'] === 'unavailable'; repeats += 1) {
    await delay(ASK_AGAIN_MS);
    answer = await look();
  }
  const { locks } = answer.json;
  assert.ok(Array.isArray(locks) && locks.length > 0, `a list without locks costs less: ${answer.text}`);
  return repeats;
}
