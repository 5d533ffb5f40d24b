import express from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { lockApiDocument, lockable, LOCK_ROUTES } from '../../core/index.ts';
import { createRowlock, memoryBackend } from '../../server/index.ts';
import { operationOf, undocumented } from '../support/documented-answers.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity } from '../support/test-tokens.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const BEN = { oid: 'ben', name: 'Ben Ode' };
const ROBOT = { oid: 'robot', claims: { idtyp: 'app' } };

const identify = testIdentity();

describe('the document of the API', () => {
  let node: RowlockNode;
  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      types: [lockable('ApprovalRequest'), lockable('Payroll', { canTakeOver: () => false })],
      identify: async (request) => {
        if ('x-broken' in request.headers) throw new Error('a bug');
        return identify(request);
      },
      maxLocksPerHolder: 4,
    });
  });
  after(() => node.stop());

  it('is served to everybody, of every origin, and may be kept for an hour', async () => {
    const { status, headers, json } = await node.call('GET', '/api/openapi.json', { as: null });
    assert.equal(status, 200);
    assert.deepEqual(json, JSON.parse(JSON.stringify(lockApiDocument('/api'))));
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'public, max-age=3600');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const etag = headers.get('etag') ?? assert.fail('there is an ETag');
    const again = await node.call('GET', '/api/openapi.json?x=1', {
      as: null,
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await node.call('HEAD', '/api/openapi.json', { as: null })).status, 200);
  });

  it('says where it is mounted', async () => {
    const rowlock = createRowlock({
      types: [],
      identify: testIdentity(),
      backend: memoryBackend({ log: silentLog }),
      log: silentLog,
    });
    const server = createServer(express().use('/v2/editing', rowlock.router));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const port = (server.address() as AddressInfo).port;
    const response = await fetch(`http://127.0.0.1:${port}/v2/editing/openapi.json`);
    const { servers } = (await response.json()) as { servers: unknown };
    assert.deepEqual(servers, [{ url: '/v2/editing' }]);
    server.close();
    server.closeAllConnections();
    await rowlock.stop();
  });

  it('is kept by every answer there is: each outcome and each problem that a caller can bring about', async () => {
    const seen = new Set<string>();
    const call = async (
      as: typeof ANN | typeof ROBOT | null,
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => {
      const answer = await node.call(method, `/api${path}`, {
        as,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      });
      const contentType = answer.headers.get('content-type') ?? '';
      const given = { method, path, status: answer.status, contentType, body: answer.json };
      assert.deepEqual(undocumented(given), [], `${method} ${path} ⇒ ${answer.status} ${answer.text}`);
      const word = answer.json['code'] ?? answer.json['outcome'] ?? answer.json['store'];
      seen.add(`${operationOf(method, path) ?? 'no route'} ${String(word)}`);
      return answer.json;
    };
    const one = '/locks/ApprovalRequest/1';
    const claimed = await call(ANN, 'POST', `${one}/claim`, { sessionId: 'a' });
    const { fence } = claimed['lock'] as { fence: number };
    await call(BEN, 'POST', `${one}/claim`, { sessionId: 'b' });
    await call(ANN, 'POST', `${one}/renew`, { sessionId: 'a', fence });
    await call(ANN, 'POST', `${one}/renew`, { sessionId: 'unlisted' });
    await call(BEN, 'POST', `${one}/renew`, { sessionId: 'b' });
    await call(BEN, 'POST', `${one}/take-over`, { fromHolderOid: 'eve' });
    await call(BEN, 'POST', `${one}/take-over`, { fromHolderOid: 'ann' });
    for (const path of [
      '/locks/mine',
      '/locks/ApprovalRequest?limit=1',
      one,
      '/locks/ApprovalRequest/free',
    ]) {
      await call(BEN, 'GET', path);
    }
    await call(BEN, 'POST', `${one}/claim`, { sessionId: 'second' });
    await call(ANN, 'DELETE', one);
    await call(BEN, 'DELETE', one);
    await call(BEN, 'DELETE', `${one}?sessionId=second&graceMs=0`);
    await call(BEN, 'DELETE', `${one}?sessionId=second`);

    await call(ANN, 'POST', '/locks/Payroll/1/claim');
    await call(BEN, 'POST', '/locks/Payroll/1/take-over', { fromHolderOid: 'ann' });
    await call(ANN, 'POST', `${one}/claim`, undefined, { 'x-broken': 'yes' });
    for (const uid of ['2', '3', '4', '5']) await call(ANN, 'POST', `/locks/ApprovalRequest/${uid}/claim`);
    for (const { method, path, operation } of LOCK_ROUTES) {
      const here = `/${path.map((part, at) => (part === ':' ? ['', 'Nothing', '1'][at] : part)).join('/')}`;
      const body = operation === 'takeOverLock' ? { fromHolderOid: 'x' } : undefined;
      await call(null, method, here, body);
      await call(ANN, method, `${here}?unknown=1`, body);
      await call(ANN, method, here, body);
      const ofApproval = here.replace('Nothing', 'ApprovalRequest');
      await call(ROBOT, method, ofApproval, body);
      if (method === 'GET') continue;
      await call(null, method, ofApproval, body, { origin: 'https://evil.example' });
      await call(ANN, method, ofApproval, 'x'.repeat(20_000));
    }
    await call(ANN, 'GET', '/locks/a/b/c');
    await call(ANN, 'PUT', one);

    const wanted = [
      ...['acquired', 'held', 'internal', 'too-many-locks', 'too-large', 'origin-not-allowed'].map(
        (word) => `claimLock ${word}`,
      ),
      ...['acquired', 'held', 'lost', 'automation-cannot-claim'].map((word) => `renewLock ${word}`),
      ...['acquired', 'held', 'take-over-denied', 'type-not-lockable'].map((word) => `takeOverLock ${word}`),
      ...['released', 'kept', 'gone', 'held', 'origin-not-allowed', 'bad-request'].map(
        (word) => `releaseLock ${word}`,
      ),
      ...['listMyLocks', 'listLocks', 'readLock'].flatMap((name) => [
        `${name} ok`,
        `${name} unauthenticated`,
        `${name} bad-request`,
      ]),
      'no route not-found',
      'no route method-not-allowed',
    ];
    assert.deepEqual(
      wanted.filter((word) => !seen.has(word)),
      [],
    );
  });
});
