import { PROBLEM_MEDIA_TYPE } from '../core/index.ts';
import type { ApiUser, RawRequest } from './api-user.ts';
import type { ConformanceCheck } from './conformance-check.ts';
import { expectSame, expectThat } from './mismatch.ts';

/** Longer than any body of this API needs (16,384 bytes). */
const TOO_LONG = 'x'.repeat(20_000);

/** Section 7, the lists, and everything that is refused. */
export const readingChecks: readonly ConformanceCheck[] = [
  {
    id: '7 read: one record, all of a type, and my own',
    async run({ anna, ben, newRef }) {
      const [mine, theirs] = [newRef(), newRef()];
      const { me } = await anna.claim(mine);
      await ben.claim(theirs);
      const one = await anna.read(mine);
      expectSame(
        'one record',
        [one.locks?.[0]?.entityUid, one.me?.holderOid],
        [mine.entityUid, me?.holderOid],
      );
      expectSame('store', one.store, 'ok');
      const asOf = Number(one.asOf);
      expectThat(Number.isSafeInteger(asOf) && asOf > 0, 'asOf in microseconds', one.asOf);
      const uids = await allOf(anna, mine.entityType);
      expectThat(uids.includes(mine.entityUid) && uids.includes(theirs.entityUid), 'both locks in the list');
      const own = ((await anna.mine()).locks ?? []).map(({ entityUid }) => entityUid);
      expectThat(own.includes(mine.entityUid), 'my lock among mine', own);
      expectThat(!own.includes(theirs.entityUid), 'nobody else’s lock among mine', own);
    },
  },
  {
    id: '7 read: lists come in pages that leave nothing out',
    async run({ anna, newRef }) {
      const refs = [newRef(), newRef(), newRef()];
      for (const ref of refs) await anna.claim(ref);
      const uids = await allOf(anna, newRef().entityType, 2);
      for (const { entityUid } of refs)
        expectThat(uids.includes(entityUid), `${entityUid} on one of the pages`);
      expectSame('entries named twice', uids.length - new Set(uids).size, 0);
    },
  },
  {
    id: '7 read: reading changes nothing',
    needs: ['remainingMs'],
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const claimed = await anna.claim(ref);
      await ben.read(ref);
      await anna.read(ref);
      const read = (await ben.read(ref)).locks?.[0];
      expectSame('expiresAtUtc', read?.expiresAtUtc, claimed.lock?.expiresAtUtc);
      const [left, whole] = [Number(read?.expiresInMs), Number(claimed.lock?.expiresInMs)];
      expectThat(left > 0 && left <= whole, `expiresInMs no longer than ${whole}`, left);
    },
  },
  {
    id: '7 read: no cache keeps an answer',
    async run({ anna, newRef }) {
      const { entityType } = newRef();
      const { headers } = await anna.raw({ method: 'GET', path: `/locks/${entityType}` });
      const cacheControl = headers.get('cache-control') ?? '';
      expectThat(/no-store|no-cache|max-age=0/.test(cacheControl), 'Cache-Control: no-store', cacheControl);
    },
  },
  {
    id: '7 refused: a type that nobody made lockable, loudly',
    async run({ anna }) {
      await expectProblem(anna, {
        request: { method: 'POST', path: '/locks/NobodyRegisteredThis/1/claim', body: {} },
        status: 400,
        code: 'type-not-lockable',
      });
    },
  },
  {
    id: '7 refused: no token, and one that does not verify',
    async run({ anna, newRef }) {
      const { entityType, entityUid } = newRef();
      for (const token of [null, 'not-a-token', `${anna.token}x`]) {
        for (const [method, path] of [
          ['POST', `/locks/${entityType}/${entityUid}/claim`],
          ['DELETE', `/locks/${entityType}/${entityUid}`],
          ['GET', `/locks/${entityType}`],
        ] as const) {
          await expectProblem(anna, {
            request: { method, path, token, ...(method === 'POST' ? { body: {} } : {}) },
            status: 401,
            code: 'unauthenticated',
          });
        }
      }
      expectSame('locks read', (await anna.read({ entityType, entityUid })).locks?.length, 0);
    },
  },
  {
    id: '7 refused: a body that is not JSON, or has fields of a wrong kind, with the field’s name',
    async run({ anna, newRef }) {
      const { entityType, entityUid } = newRef();
      const path = `/locks/${entityType}/${entityUid}/claim`;
      for (const [body, field] of [
        ['{', 'body'],
        [{ sessionId: 7 }, 'sessionId'],
        [{ fence: 'x' }, 'fence'],
      ] as const) {
        const problem = await expectProblem(anna, {
          request: { method: 'POST', path, body },
          status: 400,
          code: 'bad-request',
        });
        expectSame('field', problem?.['field'], field);
      }
    },
  },
  {
    id: '7 refused: a body far too large',
    async run({ anna, newRef }) {
      const { entityType, entityUid } = newRef();
      await expectProblem(anna, {
        request: {
          method: 'POST',
          path: `/locks/${entityType}/${entityUid}/claim`,
          body: { sessionId: TOO_LONG },
        },
        status: 413,
        code: 'too-large',
      });
    },
  },
  {
    id: '7 refused: a uid of more than 200 characters',
    async run({ anna, newRef }) {
      const { entityType } = newRef();
      await expectProblem(anna, {
        request: { method: 'POST', path: `/locks/${entityType}/${'x'.repeat(201)}/claim`, body: {} },
        status: 400,
        code: 'bad-request',
      });
    },
  },
  {
    id: '7 identity: comes from the token, and never from a body',
    async run({ anna, ben, newRef }) {
      const ref = newRef();
      const { me } = await ben.claim(newRef());
      const path = `/locks/${ref.entityType}/${ref.entityUid}/claim`;
      const body = { holderOid: me?.holderOid, holderName: 'Ben' };
      const { status, json } = await anna.raw({ method: 'POST', path, body });
      // A backend may refuse such a body, or take no notice of it.
      const holder = (json?.['lock'] as { holderOid?: string } | undefined)?.holderOid;
      expectThat(
        status === 400 || holder !== me?.holderOid,
        'the body’s holderOid not to be believed',
        holder,
      );
      if (status === 200) await anna.release(ref);
    },
  },
  {
    id: '7 automation: never claims',
    needs: ['automation'],
    async run({ robot, newRef }) {
      const { entityType, entityUid } = newRef();
      await expectProblem(robot, {
        request: { method: 'POST', path: `/locks/${entityType}/${entityUid}/claim`, body: {} },
        status: 403,
        code: 'automation-cannot-claim',
      });
    },
  },
  {
    id: '7 isolation: another tenant sees nothing, and has records of its own under the same names',
    needs: ['otherTenant'],
    async run({ anna, carla, newRef }) {
      const ref = newRef();
      const { me } = await anna.claim(ref);
      expectSame('locks read', (await carla.read(ref)).locks?.length, 0);
      const uids = await allOf(carla, ref.entityType);
      expectThat(!uids.includes(ref.entityUid), 'nothing of another tenant in a list', ref.entityUid);
      expectSame('the other tenant’s claim', (await carla.claim(ref)).outcome, 'acquired');
      expectSame('the holder here', (await anna.read(ref)).locks?.[0]?.holderOid, me?.holderOid);
      await carla.release(ref);
      expectSame('locks here after their release', (await anna.read(ref)).locks?.length, 1);
    },
  },
];

/** Every uid of a type, over all pages. */
async function allOf(user: ApiUser, entityType: string, limit?: number): Promise<readonly string[]> {
  const uids: string[] = [];
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(next === undefined ? {} : { cursor: next }),
    }).toString();
    const page = await user.list(entityType, query === '' ? '' : `?${query}`);
    uids.push(...(page.locks ?? []).map(({ entityUid = '' }) => entityUid));
    expectThat(next === undefined || page.next !== next, 'a cursor that moves on', page.next);
    next = page.next;
  } while (next !== undefined);
  return uids;
}

/** Expects RFC 9457 problem details with a stable code, and answers them. */
async function expectProblem(
  user: ApiUser,
  { request, status, code }: { readonly request: RawRequest; readonly status: number; readonly code: string },
): Promise<Readonly<Record<string, unknown>> | null> {
  const answer = await user.raw(request);
  const asked = `${request.method} ${request.path.slice(0, 60)}`;
  expectSame(`${asked}: status and code`, [answer.status, answer.json?.['code']], [status, code]);
  expectSame(`${asked}: media type`, answer.contentType, PROBLEM_MEDIA_TYPE);
  expectSame(`${asked}: status in the body`, answer.json?.['status'], status);
  return answer.json;
}
