import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_BODY_BYTES } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { startNode, type CallResult, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, testIdentity, tokenFor } from '../support/test-tokens.ts';

const ANN = { oid: 'ann', name: 'Ann Lee' };
const CLAIM = '/api/locks/ApprovalRequest/42/claim';

interface BadRequest {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

const TABLE: readonly BadRequest[] = [
  {
    name: 'an unknown type',
    path: '/api/locks/Nothing/42/claim',
    status: 400,
    code: 'type-not-lockable',
    field: 'entityType',
  },
  {
    name: 'an unknown type in a list',
    method: 'GET',
    path: '/api/locks/Nothing',
    status: 400,
    code: 'type-not-lockable',
    field: 'entityType',
  },
  {
    name: 'the reserved type "mine"',
    path: '/api/locks/mine/42/claim',
    status: 400,
    code: 'bad-request',
    field: 'entityType',
  },
  {
    name: 'an empty type',
    path: '/api/locks//42/claim',
    status: 400,
    code: 'bad-request',
    field: 'entityType',
  },
  {
    name: 'an empty uid',
    path: '/api/locks/ApprovalRequest//claim',
    status: 400,
    code: 'bad-request',
    field: 'entityUid',
  },
  {
    name: 'an over-long uid',
    path: `/api/locks/ApprovalRequest/${'x'.repeat(201)}/claim`,
    status: 400,
    code: 'bad-request',
    field: 'entityUid',
  },
  {
    name: 'a uid that is over-long when encoded',
    path: `/api/locks/ApprovalRequest/${encodeURIComponent('ü'.repeat(40))}/claim`,
    status: 400,
    code: 'bad-request',
    field: 'entityUid',
  },
  {
    name: 'a uid with control characters',
    path: '/api/locks/ApprovalRequest/a%00b/claim',
    status: 400,
    code: 'bad-request',
    field: 'entityUid',
  },
  {
    name: 'broken percent-encoding',
    path: '/api/locks/ApprovalRequest/%E0%A4%A/claim',
    status: 400,
    code: 'bad-request',
    field: 'path',
  },
  { name: 'a body that is no JSON', body: '{"sessionId":', status: 400, code: 'bad-request', field: 'body' },
  { name: 'a body that is a list', body: [], status: 400, code: 'bad-request', field: 'body' },
  { name: 'a body that is a number', body: 7, status: 400, code: 'bad-request', field: 'body' },
  { name: 'a body that is null', body: 'null', status: 400, code: 'bad-request', field: 'body' },
  {
    name: 'an unknown field',
    body: { sessionId: 's1', sesionId: 's2' },
    status: 400,
    code: 'bad-request',
    field: 'sesionId',
  },
  {
    name: 'a session id that is a number',
    body: { sessionId: 1 },
    status: 400,
    code: 'bad-request',
    field: 'sessionId',
  },
  {
    name: 'a session id with spaces',
    body: { sessionId: 'a b' },
    status: 400,
    code: 'bad-request',
    field: 'sessionId',
  },
  {
    name: 'an over-long session id',
    body: { sessionId: 'x'.repeat(65) },
    status: 400,
    code: 'bad-request',
    field: 'sessionId',
  },
  { name: 'a fence that is a text', body: { fence: '17' }, status: 400, code: 'bad-request', field: 'fence' },
  { name: 'a negative fence', body: { fence: -1 }, status: 400, code: 'bad-request', field: 'fence' },
  {
    name: 'a holder in the body: identity comes from the token alone',
    body: { holderOid: 'eve' },
    status: 400,
    code: 'bad-request',
    field: 'holderOid',
  },
  {
    name: 'a take-over from nobody',
    path: '/api/locks/ApprovalRequest/42/take-over',
    body: { sessionId: 's' },
    status: 400,
    code: 'bad-request',
    field: 'fromHolderOid',
  },
  {
    name: 'a body that is too large',
    body: `"${'x'.repeat(MAX_BODY_BYTES)}"`,
    status: 413,
    code: 'too-large',
  },
  {
    name: 'a body in an unknown encoding',
    body: '{}',
    headers: { 'content-encoding': 'rot13' },
    status: 400,
    code: 'bad-request',
    field: 'body',
  },
  {
    name: 'a body in an unknown character set',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=klingon' },
    status: 400,
    code: 'bad-request',
    field: 'body',
  },
  {
    name: 'a grace that is too long',
    method: 'DELETE',
    path: '/api/locks/ApprovalRequest/42?graceMs=30001',
    status: 400,
    code: 'bad-request',
    field: 'graceMs',
  },
  {
    name: 'a grace that is no number',
    method: 'DELETE',
    path: '/api/locks/ApprovalRequest/42?graceMs=soon',
    status: 400,
    code: 'bad-request',
    field: 'graceMs',
  },
  {
    name: 'a parameter given twice',
    method: 'DELETE',
    path: '/api/locks/ApprovalRequest/42?sessionId=a&sessionId=b',
    status: 400,
    code: 'bad-request',
    field: 'sessionId',
  },
  {
    name: 'an unknown parameter',
    method: 'GET',
    path: '/api/locks/ApprovalRequest?page=2',
    status: 400,
    code: 'bad-request',
    field: 'page',
  },
  {
    name: 'a list without end',
    method: 'GET',
    path: '/api/locks/ApprovalRequest?limit=1001',
    status: 400,
    code: 'bad-request',
    field: 'limit',
  },
  {
    name: 'a cursor that was never given out',
    method: 'GET',
    path: '/api/locks/ApprovalRequest?cursor=1',
    status: 400,
    code: 'bad-request',
    field: 'cursor',
  },
  { name: 'an unknown route', path: '/api/locks/ApprovalRequest/42/steal', status: 404, code: 'not-found' },
  {
    name: 'an unknown method',
    method: 'PUT',
    path: '/api/locks/ApprovalRequest/42',
    status: 405,
    code: 'method-not-allowed',
  },
];

describe('bad requests', () => {
  let node: RowlockNode;
  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      identify: testIdentity({ tenants: [TEST_TENANT, 'tenant-b'] }),
    });
  });
  after(() => node.stop());

  const assertProblem = (
    result: CallResult,
    { status, code, field }: Pick<BadRequest, 'status' | 'code' | 'field'>,
  ) => {
    assert.match(result.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(result.headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      {
        status: result.status,
        code: result.json['code'],
        field: result.json['field'],
        inBody: result.json['status'],
      },
      { status, code, field, inBody: status },
    );
    assert.equal(typeof result.json['detail'], 'string');
    assert.doesNotMatch(result.text, /\bat .+:\d+:\d+|node_modules/, 'no stack trace leaves the server');
  };

  for (const { name, method = 'POST', path = CLAIM, body, headers, ...expected } of TABLE) {
    it(`${name} ⇒ ${expected.status} ${expected.code}${expected.field === undefined ? '' : ` (${expected.field})`}`, async () => {
      const options = {
        as: ANN,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      };
      assertProblem(await node.call(method, path, options), expected);
    });
  }

  describe('without a valid token ⇒ 401 unauthenticated, in whatever way it is not valid', () => {
    const tokens: Readonly<Record<string, () => Promise<string | null>>> = {
      'no token': async () => null,
      'no JWT': async () => 'abc',
      'an expired one': () => tokenFor({ ...ANN, expiresInS: -120 }),
      'a wrong signature': () =>
        tokenFor({ ...ANN, key: new TextEncoder().encode('another key of thirty-two bytes.') }),
      'alg none': async () => unsigned(await tokenFor(ANN)),
      'without an oid': () => tokenFor({ ...ANN, claims: { oid: undefined } }),
      'without a tenant': () => tokenFor({ ...ANN, claims: { tid: undefined } }),
      'an oid that no key may hold': () => tokenFor({ oid: 'x'.repeat(201) }),
      'another audience': () => tokenFor({ ...ANN, claims: { aud: 'api://other' } }),
      'a tenant that is not allowed': () => tokenFor({ ...ANN, tenant: 'tenant-z' }),
    };
    for (const [name, token] of Object.entries(tokens)) {
      it(name, async () => {
        const text = await token();
        const result = await node.call('POST', CLAIM, { as: text });
        assertProblem(result, { status: 401, code: 'unauthenticated' });
        assert.equal(result.headers.get('www-authenticate'), 'Bearer');
        if (text !== null) assert.ok(!result.text.includes(text), 'the token is not repeated');
      });
    }

    it('the token in the query counts for nothing here', async () => {
      const result = await node.call('GET', `/api/locks/mine?access_token=${await tokenFor(ANN)}`, {
        as: null,
      });
      assertProblem(result, { status: 401, code: 'unauthenticated' });
    });
  });

  it('another tenant’s token sees and blocks nothing (F33)', async () => {
    const stranger = { oid: 'ann', name: 'Ann of B', tenant: 'tenant-b' };
    const ref = { entityType: 'ApprovalRequest', entityUid: 'shared-uid' };
    await node.claim(ANN, ref);
    for (const path of [
      '/api/locks/ApprovalRequest/shared-uid',
      '/api/locks/ApprovalRequest',
      '/api/locks/mine',
    ]) {
      assert.deepEqual((await node.call('GET', path, { as: stranger })).json['locks'], []);
    }
    assert.equal((await node.claim(stranger, ref)).outcome, 'acquired');
    assert.equal((await node.claim({ oid: 'bob' }, ref)).lock?.holderName, 'Ann Lee');
  });

  it('automation never claims ⇒ 403 automation-cannot-claim', async () => {
    const robot = { oid: 'driver-app', claims: { idtyp: 'app' } };
    assertProblem(await node.call('POST', CLAIM, { as: robot }), {
      status: 403,
      code: 'automation-cannot-claim',
    });
  });

  it('an unexpected failure ⇒ 500 internal, logged, with nothing of its reason in the answer', async () => {
    const errors: unknown[] = [];
    const broken = await startNode({
      backend: memoryBackend({ log: silentLog }),
      log: { ...silentLog, error: (message, details) => errors.push([message, details]) },
      identify: async () => {
        throw new Error('the session table has a secret name');
      },
    });
    const result = await broken.call('POST', CLAIM, { as: null });
    await broken.stop();
    assertProblem(result, { status: 500, code: 'internal' });
    assert.doesNotMatch(result.text, /secret/);
    assert.match(JSON.stringify(errors), /secret name/);
  });
});

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${token.split('.')[1] ?? ''}.`;
}
