import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LOCK_ROUTES,
  answerLockRequest,
  lockPaths,
  type ApiRequest,
  type LeaseAnswer,
  type ListAnswer,
  type Principal,
  type Problem,
} from '../../../core/index.ts';
import { ANNA, BEN, EVE } from './people.ts';
import { serviceAt } from './service-at.ts';

const START = 1_700_000_000_000;

function api() {
  const { service, clock } = serviceAt(START);
  const call = async (
    principal: Principal | null,
    method: string,
    path: string,
    { body = '', query = {} }: Partial<Pick<ApiRequest, 'body' | 'query'>> = {},
  ) => await answerLockRequest(service, { method, path, query, body, principal });
  return { service, clock, call };
}

const lease = (answer: { body: unknown }) => answer.body as LeaseAnswer;
const list = (answer: { body: unknown }) => answer.body as ListAnswer;
const problem = (answer: { body: unknown }) => answer.body as Problem;

describe('answerLockRequest', () => {
  const paths: readonly (readonly [method: string, path: string, options?: Partial<ApiRequest>])[] = [
    ['GET', '/locks/mine'],
    ['GET', '/locks/Order'],
    ['GET', '/locks/Order/1'],
    ['POST', '/locks/Order/1/claim', { body: '{"sessionId":"s"}' }],
    ['POST', '/locks/Order/1/renew', { body: '{"sessionId":"s"}' }],
    ['POST', '/locks/Order/1/take-over', { body: '{"fromHolderOid":"ben"}' }],
    ['DELETE', '/locks/Order/1', { query: { sessionId: 's', graceMs: '0' } }],
  ];

  it('has exactly these routes', () => {
    const shapes = LOCK_ROUTES.map(({ method, path }) => `${method} /${path.join('/')}`);
    assert.deepEqual(
      shapes,
      paths.map(([method, path]) => `${method} ${path.replace('/Order', '/:').replace('/1', '/:')}`),
    );
  });

  for (const [method, path, options] of paths) {
    it(`answers ${method} ${path} with 200 and JSON`, async () => {
      const answer = await api().call(ANNA, method, path, options);
      assert.equal(answer.status, 200);
      assert.equal(answer.contentType, 'application/json');
    });

    it(`answers ${method} ${path} with 401 to nobody, before it looks at the rest`, async () => {
      for (const tried of [path, '/nowhere', '/locks/%']) {
        const answer = await api().call(null, method, tried, { body: '{' });
        assert.equal(answer.status, 401);
        assert.equal(answer.contentType, 'application/problem+json');
        assert.equal(problem(answer).code, 'unauthenticated');
      }
    });
  }

  it('lets GET change nothing', async () => {
    const { call } = api();
    const before = lease(await call(ANNA, 'POST', '/locks/Order/1/claim')).lock;
    for (const path of ['/locks/mine', '/locks/Order', '/locks/Order/1']) await call(BEN, 'GET', path);
    const [after] = list(await call(ANNA, 'GET', '/locks/Order/1')).locks;
    assert.deepEqual({ ...after, at: 0 }, { ...before, at: 0 });
  });

  it('passes through the four verbs what the body and the query say', async () => {
    const { call } = api();
    const claimed = lease(await call(ANNA, 'POST', '/locks/Order/1/claim', { body: '{"sessionId":"a"}' }));
    const fence = claimed.lock?.fence;
    assert.equal(claimed.outcome, 'acquired');
    const second = await call(ANNA, 'POST', '/locks/Order/1/claim', {
      body: JSON.stringify({ sessionId: 'b', fence }),
    });
    assert.equal(lease(second).otherSessions, 1);
    assert.equal(lease(second).changed, false);
    const strange = await call(ANNA, 'POST', '/locks/Order/1/renew', { body: '{"sessionId":"c"}' });
    assert.equal(lease(strange).outcome, 'lost');
    const kept = await call(ANNA, 'DELETE', '/locks/Order/1', { query: { sessionId: 'a' } });
    assert.deepEqual(kept.body, { outcome: 'kept' });
    const wrong = await call(EVE, 'POST', '/locks/Order/1/claim');
    assert.equal(lease(wrong).outcome, 'acquired', 'another tenant has a record of its own');
    const taken = await call(BEN, 'POST', '/locks/Order/1/take-over', { body: '{"fromHolderOid":"anna"}' });
    assert.equal(lease(taken).outcome, 'acquired');
    assert.equal(lease(taken).lock?.holderOid, 'ben');
    const released = await call(BEN, 'DELETE', '/locks/Order/1', { query: { graceMs: '0' } });
    assert.deepEqual(released.body, { outcome: 'released' });
  });

  it('lists in pages', async () => {
    const { call, clock } = api();
    for (const uid of ['1', '2', '3']) {
      clock.nowMs += 1;
      await call(ANNA, 'POST', `/locks/Order/${uid}/claim`);
    }
    const first = list(await call(BEN, 'GET', '/locks/Order', { query: { limit: '2' } }));
    assert.deepEqual(
      first.locks.map(({ entityUid }) => entityUid),
      ['1', '2'],
    );
    const next = first.next ?? assert.fail('there is a second page');
    const second = list(await call(BEN, 'GET', '/locks/Order', { query: { limit: '2', cursor: next } }));
    assert.deepEqual(
      second.locks.map(({ entityUid }) => entityUid),
      ['3'],
    );
    assert.equal(second.next, undefined);
  });

  for (const uid of ['a/b', '100%', '%2F', 'claim', 'a?b#c', 'ä ö', '{x}:y', 'Order/1/claim', '…😀']) {
    it(`finds the uid ${JSON.stringify(uid)} where lockPaths put it`, async () => {
      const { call } = api();
      const ref = { entityType: 'Order', entityUid: uid };
      const claimed = lease(await call(ANNA, 'POST', lockPaths.claim(ref)));
      assert.equal(claimed.lock?.entityUid, uid);
      assert.equal(list(await call(ANNA, 'GET', lockPaths.entity(ref))).locks.length, 1);
      const renewed = await call(ANNA, 'POST', lockPaths.renew(ref));
      assert.equal(lease(renewed).outcome, 'acquired');
      assert.equal((await call(ANNA, 'DELETE', lockPaths.entity(ref))).status, 200);
    });
  }

  for (const [method, path] of [
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/locks'],
    ['GET', '/locks/Order/1/'],
    ['GET', '//locks/Order'],
    ['GET', '/Locks/Order'],
    ['POST', '/locks/Order/1/steal'],
    ['POST', '/locks/Order/1/claim/now'],
  ] as const) {
    it(`answers not-found to ${method} ${path || '(nothing)'}`, async () => {
      const answer = await api().call(ANNA, method, path);
      assert.equal(answer.status, 404);
      assert.equal(problem(answer).code, 'not-found');
    });
  }

  for (const [method, path, allow] of [
    ['GET', '/locks/Order/1/claim', 'POST'],
    ['POST', '/locks/Order/1', 'GET, HEAD, DELETE'],
    ['DELETE', '/locks/Order', 'GET, HEAD'],
    ['DELETE', '/locks/mine', 'GET, HEAD'],
    ['PUT', '/locks/Order/1', 'GET, HEAD, DELETE'],
    ['OPTIONS', '/locks/Order/1/renew', 'POST'],
    ['get', '/locks/mine', 'GET, HEAD'],
  ] as const) {
    it(`answers method-not-allowed to ${method} ${path}, and says that it has ${allow}`, async () => {
      const answer = await api().call(ANNA, method, path);
      assert.equal(answer.status, 405);
      assert.equal(problem(answer).code, 'method-not-allowed');
      assert.deepEqual(answer.headers, { Allow: allow });
    });
  }

  it('answers HEAD as it answers GET', async () => {
    const { call } = api();
    assert.deepEqual(
      { ...list(await call(ANNA, 'HEAD', '/locks/mine')), asOf: 0 },
      { ...list(await call(ANNA, 'GET', '/locks/mine')), asOf: 0 },
    );
  });

  for (const [what, method, path, options, field] of [
    ['broken percent-encoding', 'GET', '/locks/Order/%E0%A4%A', {}, 'path'],
    ['an empty uid', 'GET', '/locks/Order/', {}, 'entityUid'],
    ['an empty type', 'GET', '/locks//1', {}, 'entityType'],
    ['an encoded control character', 'POST', '/locks/Order/a%00b/claim', {}, 'entityUid'],
    ['the type "mine" with a uid', 'POST', '/locks/mine/1/claim', {}, 'entityType'],
    ['a body that is not JSON', 'POST', '/locks/Order/1/claim', { body: 'sessionId=1' }, 'body'],
    [
      'a parameter given twice',
      'DELETE',
      '/locks/Order/1',
      { query: { sessionId: ['a', 'b'] } },
      'sessionId',
    ],
    ['a cursor of somebody’s own', 'GET', '/locks/Order', { query: { cursor: 'x' } }, 'cursor'],
    ['a query where none belongs', 'GET', '/locks/mine', { query: { oid: 'ben' } }, 'oid'],
    ['a query on one record', 'GET', '/locks/Order/1', { query: { limit: '1' } }, 'limit'],
    ['a query beside a body', 'POST', '/locks/Order/1/claim', { query: { sessionId: 's' } }, 'sessionId'],
  ] as const) {
    it(`answers bad-request naming ${field} to ${what}`, async () => {
      const answer = await api().call(ANNA, method, path, options);
      assert.equal(answer.status, 400);
      assert.equal(problem(answer).code, 'bad-request');
      assert.equal(problem(answer).field, field);
    });
  }

  it('is loud about a type that nobody marked, on every route that names one', async () => {
    for (const [method, path, options] of paths.slice(1)) {
      const answer = await api().call(ANNA, method, path.replace('Order', 'Customer'), options);
      assert.equal(problem(answer).code, 'type-not-lockable', `${method} ${path}`);
    }
  });

  it('throws on what is not the caller’s making', async () => {
    const { service } = serviceAt(START);
    service.claim = () => Promise.reject(new TypeError('a bug of ours'));
    const claim = answerLockRequest(service, {
      method: 'POST',
      path: '/locks/Order/1/claim',
      query: {},
      body: '',
      principal: BEN,
    });
    await assert.rejects(claim, /a bug of ours/);
  });
});
