import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOCK_ROUTES, lockApiDocument } from '../../../core/index.ts';
import { lockPath } from '../../../mocks/api-handler.ts';
import { lockHandlers } from '../../../mocks/index.ts';
import { RecordedLog } from '../core/recorded-log.ts';
import { ANNA, BEN, LEFT_ALONE, ORIGIN, send, withMockServer } from './mock-server.ts';

describe('lockPath', () => {
  const table: readonly (readonly [path: string, apiPath: string, expected: string | null])[] = [
    ['/api/locks/mine', '/api', '/locks/mine'],
    ['/api/locks', '/api', '/locks'],
    ['/api/locks?limit=1', '/api', '/locks'],
    ['/app/v2/api/locks/Order/1', '/api', '/locks/Order/1'],
    ['/api/locks/Order/a%2Fb%25/claim', '/api', '/locks/Order/a%2Fb%25/claim'],
    ['/api/locks/Order/%E0%A4%A', '/api', '/locks/Order/%E0%A4%A'],
    ['/api/locks/api/locks/claim', '/api', '/locks/api/locks/claim'],
    ['/api/locks-demo/api/locks/Order', '/api', '/locks/Order'],
    ['/api/orders', '/api', null],
    ['/api/lockset/1', '/api', null],
    ['/myapi/locks/mine', '/api', null],
    ['/?next=/api/locks/mine', '/api', null],
    ['/locks/Order', '', '/locks/Order'],
    ['/a.i/locks/Order', '/a.i', '/locks/Order'],
    ['/axi/locks/Order', '/a.i', null],
  ];
  for (const [path, apiPath, expected] of table) {
    it(`finds ${expected ?? 'nothing'} in ${path} below "${apiPath}"`, () => {
      assert.equal(lockPath(ORIGIN + path, apiPath), expected);
    });
  }
});

describe('the mocked lock API', () => {
  it('answers every route of the real one, below any origin and sub-path', async () => {
    await withMockServer({}, async () => {
      for (const { method, path } of LOCK_ROUTES) {
        const [type, uid] = ['Order', '1'];
        let parameter = 0;
        const url = path.map((part) => (part === ':' ? [type, uid][parameter++] : part)).join('/');
        const body = url.endsWith('take-over') ? { body: '{"fromHolderOid":"ben"}' } : {};
        for (const base of ['/api', '/app/api', 'https://api.example.test/v1/api']) {
          const answer = await send(ANNA, method, `${base}/${url}`, body);
          assert.equal(answer.status, 200, `${method} ${base}/${url}`);
          assert.equal(answer.headers.get('content-type'), 'application/json');
          assert.equal(answer.headers.get('cache-control'), 'no-store');
        }
      }
    });
  });

  it('answers what the real one does not know with its words, and leaves the application’s own paths alone', async () => {
    await withMockServer({}, async () => {
      const unknown = await send(ANNA, 'POST', '/api/locks/Order/1/steal');
      assert.equal(unknown.status, 404);
      assert.equal(unknown.headers.get('content-type'), 'application/problem+json');
      assert.equal(unknown.body?.['code'], 'not-found');
      assert.equal((await send(ANNA, 'GET', '/api/orders/1')).status, LEFT_ALONE);
    });
  });

  it('describes itself as the real one does, to everybody', async () => {
    await withMockServer({}, async () => {
      const { status, body } = await send(null, 'GET', '/app/api/openapi.json');
      assert.equal(status, 200);
      assert.deepEqual(body, JSON.parse(JSON.stringify(lockApiDocument('/app/api'))));
      assert.equal((await send(ANNA, 'GET', '/openapi.json')).status, LEFT_ALONE);
    });
  });

  it('says which methods a path has', async () => {
    await withMockServer({}, async () => {
      const { status, headers, body } = await send(ANNA, 'PUT', '/api/locks/Order/1');
      assert.deepEqual([status, body?.['code']], [405, 'method-not-allowed']);
      assert.equal(headers.get('allow'), 'GET, HEAD, DELETE');
    });
  });

  it('answers 401 to nobody', async () => {
    await withMockServer({}, async () => {
      const { status, body } = await send(null, 'GET', '/api/locks/mine');
      assert.deepEqual([status, body?.['code']], [401, 'unauthenticated']);
    });
  });

  it('hands on a repeated parameter as a list, which is refused, and a parameter named __proto__ as that', async () => {
    await withMockServer({}, async () => {
      for (const [query, field] of [
        ['sessionId=a&sessionId=b', 'sessionId'],
        ['__proto__=a', '__proto__'],
        ['access_token=anna-1', 'access_token'],
      ]) {
        const { status, body } = await send(ANNA, 'DELETE', `/api/locks/Order/1?${query}`);
        assert.deepEqual([status, body?.['field']], [400, field]);
      }
    });
  });

  it('hands on the raw body', async () => {
    await withMockServer({}, async () => {
      const broken = await send(ANNA, 'POST', '/api/locks/Order/1/claim', { body: '{' });
      assert.equal(broken.body?.['field'], 'body');
      const large = await send(ANNA, 'POST', '/api/locks/Order/1/claim', { body: ' '.repeat(20_000) });
      assert.equal(large.status, 413);
    });
  });

  it('answers 500, and logs why, when something breaks that is not the caller’s making', async () => {
    const log = new RecordedLog();
    await withMockServer({ log }, async ({ service }) => {
      service.claim = () => Promise.reject(new Error('it broke'));
      assert.equal((await send(BEN, 'POST', '/api/locks/Order/1/claim')).status, 500);
      assert.deepEqual(
        log.lines.map(({ level, reason }) => [level, reason]),
        [['error', 'Error: it broke']],
      );
    });
  });

  it('an application’s policy that breaks allows nothing, and is logged', async () => {
    const log = new RecordedLog();
    const canTakeOver = () => {
      throw new Error('policy broke');
    };
    await withMockServer({ log, order: { canTakeOver } }, async () => {
      await send(ANNA, 'POST', '/api/locks/Order/1/claim');
      const { status, body } = await send(BEN, 'POST', '/api/locks/Order/1/claim');
      assert.deepEqual([status, (body as { canTakeOver: boolean }).canTakeOver], [200, false]);
      assert.deepEqual(
        log.lines.map(({ level, reason }) => [level, reason]),
        [['error', 'policy broke']],
      );
    });
  });

  it('lives at the paths it is told, with or without a closing slash', async () => {
    await withMockServer({ apiPath: '/v1/' }, async () => {
      assert.equal((await send(ANNA, 'GET', '/v1/locks/mine')).status, 200);
      assert.equal((await send(ANNA, 'GET', '/api/locks/mine')).status, LEFT_ALONE);
    });
    assert.throws(
      () => lockHandlers({ types: [], users: [], apiPath: 'api' }),
      /apiPath: expected .*got "api"/,
    );
    assert.throws(() => lockHandlers({ types: [], users: [], hubPath: '' }), /hubPath: /);
  });
});
