import { lockPaths } from '../core/index.ts';
import type { Capability } from './conformance-options.ts';
import type { CheckKit } from './conformance-check.ts';

type Lacks = Partial<Record<Capability, string>>;

/** Tries what a backend may lack; what it does wrongly is found by the checks. Rejects where not even a claim works. */
export async function findLacks({ anna, listen, newRef, options }: CheckKit): Promise<Lacks> {
  const lacks: Lacks = {};
  const ref = newRef();
  const { outcome, lock } = await anna.claim(ref, { sessionId: 's1' });
  if (outcome !== 'acquired' || !lock) throw new Error(`A claim of a free record was answered ${outcome}.`);
  if (typeof lock.expiresInMs !== 'number') lacks.remainingMs = 'a claim’s lock has no expiresInMs';
  if (typeof lock.fence !== 'number') lacks.fence = 'a claim’s lock has no fence';
  const second = await anna.claim(ref, { sessionId: 's2' });
  if (second.otherSessions !== 1) lacks.sessions = 'a second session’s claim knows of no other';
  await anna.release(ref, { sessionId: 's2' });

  const graceful = newRef();
  await anna.claim(graceful, { sessionId: 's1' });
  const release = await anna.raw({
    method: 'DELETE',
    path: `${lockPaths.entity(graceful)}?sessionId=s1&graceMs=5000`,
  });
  if (release.status !== 200) lacks.grace = `a release with graceMs was answered ${release.status}`;
  else if ((await anna.read(graceful)).locks?.length === 0)
    lacks.grace = 'a release with graceMs freed at once';

  const taken = newRef();
  const takeOver = await anna.raw({
    method: 'POST',
    path: lockPaths.takeOver(taken),
    body: { fromHolderOid: 'nobody' },
  });
  if (takeOver.status === 404 || takeOver.status === 405) {
    lacks.takeOver = `a take-over was answered ${takeOver.status}`;
  } else if (takeOver.status === 200) await anna.release(taken);

  if (options.hub !== undefined) {
    const ear = await listen(anna);
    await ear.subscribe([options.entityType]).catch((error: unknown) => {
      lacks.subscribe = error instanceof Error ? error.message : String(error);
    });
  }
  return lacks;
}
