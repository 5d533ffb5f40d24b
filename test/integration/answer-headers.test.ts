import express from 'express';
import helmet from 'helmet';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createRowlock, memoryBackend } from '../../server/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity } from '../support/test-tokens.ts';

const ANN = { oid: 'ann' };
const RECORD = '/api/locks/ApprovalRequest/1';
const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

function shown(headers: Headers): Record<string, string | null> {
  return Object.fromEntries(Object.keys(SAFE).map((name) => [name, headers.get(name)]));
}

describe('the headers of answers', () => {
  let node: RowlockNode;
  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      routes: (app, rowlock) => {
        const guard = rowlock.guardWrites({
          type: 'ApprovalRequest',
          uid: (request) => request.params['id'],
        });
        app.put('/requests/:id', guard, (_request, response) => response.json({ saved: true }));
      },
    });
  });
  after(() => node.stop());

  it('are those of data, on every kind of answer', async () => {
    await node.claim({ oid: 'ben' }, { entityType: 'ApprovalRequest', entityUid: 'locked' });
    for (const [method, path, as, status] of [
      ['GET', '/api/locks/mine', ANN, 200],
      ['POST', `${RECORD}/claim`, ANN, 200],
      ['DELETE', RECORD, ANN, 200],
      ['POST', `${RECORD}/claim`, null, 401],
      ['GET', '/api/locks/nothing/at/all', ANN, 404],
      ['PUT', RECORD, ANN, 405],
      ['GET', '/api/locks/ApprovalRequest/%E0%A4%A', ANN, 400],
      ['PUT', '/requests/locked', ANN, 409],
      ['GET', '/healthz', null, 200],
      ['GET', '/readyz', null, 200],
    ] as const) {
      const answer = await node.call(method, path, { as });
      assert.equal(answer.status, status, `${method} ${path}`);
      assert.deepEqual(shown(answer.headers), SAFE, `${method} ${path}`);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-powered-by'), null);
      assert.equal(answer.headers.get('strict-transport-security'), null, 'not without TLS');
    }
    const preflight = { origin: node.url, 'access-control-request-method': 'POST' };
    const asked = await node.call('OPTIONS', `${RECORD}/claim`, { as: null, headers: preflight });
    assert.deepEqual([asked.status, shown(asked.headers)], [204, SAFE]);
  });

  it('leave what a guarded route itself answers to the application', async () => {
    const { status, headers } = await node.call('PUT', '/requests/free', { as: ANN });
    assert.equal(status, 200);
    assert.equal(headers.get('content-security-policy'), null);
  });

  it('ask for TLS where the request came over it, and keep what the application has set', async () => {
    const rowlock = createRowlock({
      types: [],
      identify: testIdentity(),
      backend: memoryBackend({ log: silentLog }),
      log: silentLog,
    });
    const app = express()
      .set('trust proxy', 'loopback')
      .use(helmet.frameguard({ action: 'sameorigin' }))
      .use('/api', rowlock.router);
    const server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/locks/mine`;
    const { headers } = await fetch(url, { headers: { 'x-forwarded-proto': 'https' } });
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
    server.close();
    server.closeAllConnections();
    await rowlock.stop();
  });
});

describe('one shape of error for whatever the router answers', () => {
  let node: RowlockNode;
  before(async () => {
    node = await startNode({ backend: memoryBackend({ log: silentLog }) });
  });
  after(() => node.stop());

  for (const [method, path, status, allow] of [
    ['GET', '/api/locks', 404, null],
    ['GET', '/api/locks/', 400, null],
    ['GET', '/api/locks/a/b/c/d', 404, null],
    ['GET', '/api/locks/%E0%A4%A', 400, null],
    ['GET', '/api/locks/%', 400, null],
    ['GET', '/api/locks/ApprovalRequest/%FF', 400, null],
    ['PATCH', RECORD, 405, 'GET, HEAD, DELETE'],
    ['GET', `${RECORD}/claim`, 405, 'POST'],
    ['OPTIONS', RECORD, 405, 'GET, HEAD, DELETE'],
    ['DELETE', '/api/locks/mine', 405, 'GET, HEAD'],
    ['POST', '/api/openapi.json', 405, 'GET, HEAD'],
  ] as const) {
    it(`${method} ${path} ⇒ ${status}`, async () => {
      const answer = await node.call(method, path, { as: ANN });
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.deepEqual([answer.json['status'], typeof answer.json['code']], [status, 'string']);
      assert.equal(answer.headers.get('allow'), allow);
    });
  }

  it('a HEAD is a GET without its content', async () => {
    const got = await node.call('GET', '/api/locks/mine', { as: ANN });
    const head = await node.call('HEAD', '/api/locks/mine', { as: ANN });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-length'), String(got.text.length));
  });
});
