import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { crossOrigin } from '../../demo/cross-origin.ts';
import { demoOrigins } from '../../demo/demo-origins.ts';
import { scriptTagRoutes } from '../../demo/script-tag-routes.ts';
import { OriginRule } from '../../server/index.ts';

const MAIN = fileURLToPath(new URL('../../demo/server.ts', import.meta.url));

/** Whether a page of this origin may use a demo of these settings, from which it does not come itself. */
const isLetIn = (origin: string, allowed: string | undefined, host: string) =>
  new OriginRule(demoOrigins(allowed, host)).allows({
    headers: { origin, host: 'demo.test:8080' },
  } as unknown as IncomingMessage);

describe('the demo’s allow-list of other origins', () => {
  it('without ALLOWED_ORIGINS, a demo on loopback lets in pages of this machine, on any port, and nobody else', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.53']) {
      for (const origin of [
        'http://localhost',
        'http://localhost:3000',
        'http://127.0.0.1:5500',
        'http://[::1]:1',
      ]) {
        assert.equal(isLetIn(origin, undefined, host), true, `${origin} on ${host}`);
      }
      for (const origin of [
        'null',
        'https://localhost:3000',
        'http://localhost.evil.test',
        'http://127.0.0.1.evil.test:5500',
        'http://evil.test',
        'http://192.168.0.7:5500',
        'file://',
      ]) {
        assert.equal(isLetIn(origin, undefined, host), false, `${origin} on ${host}`);
      }
    }
  });

  it('without ALLOWED_ORIGINS, a demo that others can reach lets in no page of another origin', () => {
    for (const host of ['0.0.0.0', '::', '192.168.0.7', 'demo.test', '']) {
      for (const origin of ['http://localhost:3000', 'http://127.0.0.1:5500', 'null']) {
        assert.equal(isLetIn(origin, undefined, host), false, `${origin} on ${host}`);
      }
    }
  });

  it('ALLOWED_ORIGINS is the whole list, also when it is empty', () => {
    const list = 'http://127.0.0.1:5500, https://app.example.com';
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      assert.equal(isLetIn('http://127.0.0.1:5500', list, host), true, host);
      assert.equal(isLetIn('https://app.example.com', list, host), true, host);
      for (const origin of [
        'http://127.0.0.1:5501',
        'http://app.example.com',
        'http://localhost:5500',
        'null',
      ]) {
        assert.equal(isLetIn(origin, list, host), false, `${origin} on ${host}`);
      }
      assert.equal(isLetIn('http://127.0.0.1:5500', '', host), false, host);
    }
  });

  it('ALLOWED_ORIGINS takes origins alone: everybody, nobody’s and addresses of pages are refused by name', () => {
    for (const wrong of [
      '*',
      'null',
      'localhost:5500',
      'http://127.0.0.1:5500/',
      'http://127.0.0.1:5500/page.html',
      'HTTP://LOCALHOST:5500',
      'http://*.example.com',
      'https://app.example.com:443',
      'ftp://example.com',
      'file://',
      'http://a b',
    ]) {
      assert.throws(
        () => demoOrigins(`http://localhost:1,${wrong}`, '127.0.0.1'),
        (error: Error) => error.message.includes('ALLOWED_ORIGINS') && error.message.includes(`"${wrong}"`),
        wrong,
      );
    }
  });

  it('the demo does not start with a list that is wrong, and says what was expected', async () => {
    const env = { ...process.env, PORT: '0', NODE_ENV: 'test', ALLOWED_ORIGINS: '*' };
    const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 1);
    assert.match(
      output,
      /^The Rowlock demo cannot start: ALLOWED_ORIGINS: expected origins such as .* got "\*"\./,
    );
  });
});

describe('the demo’s own routes and pages of other origins', () => {
  const warnings: string[] = [];
  let server: Server;
  let url = '';
  let folder = '';
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rowlock-script-tag-'));
    writeFileSync(join(folder, 'rowlock.js'), 'var Rowlock;');
    writeFileSync(join(folder, 'secret.js'), 'x');
    const log = { info: () => {}, error: () => {}, warn: (message: string) => void warnings.push(message) };
    const app = express()
      .use('/demo', crossOrigin(demoOrigins('http://page.test', '127.0.0.1'), log), (_request, response) => {
        response.set('ETag', '"1"').json({ reached: true });
      })
      .use(scriptTagRoutes(folder));
    server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  const ask = (method: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/demo/token`, { method, headers });
  const asked = { 'access-control-request-method': 'POST' };

  it('a listed page’s preflight is answered, without credentials, and never for everybody', async () => {
    const { status, headers } = await ask('OPTIONS', { origin: 'http://page.test', ...asked });
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), 'http://page.test');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
    for (const method of ['GET', 'PUT', 'POST']) {
      assert.match(headers.get('access-control-allow-methods') ?? '', new RegExp(`\\b${method}\\b`));
    }
    for (const name of ['authorization', 'content-type', 'if-match', 'lock-fence']) {
      assert.match(headers.get('access-control-allow-headers') ?? '', new RegExp(name));
    }
  });

  it('a listed page and this host’s own reach the route, and the listed one may read its answer', async () => {
    for (const origin of ['http://page.test', url]) {
      const answer = await ask('POST', { origin });
      assert.deepEqual([answer.status, await answer.json()], [200, { reached: true }]);
      assert.equal(answer.headers.get('access-control-allow-origin'), origin);
      assert.equal(answer.headers.get('access-control-expose-headers'), 'ETag');
    }
    const noBrowser = await ask('POST', {});
    assert.equal(noBrowser.status, 200);
    assert.match(noBrowser.headers.get('vary') ?? '', /\bOrigin\b/, 'caches must tell them apart');
  });

  it('any other page, and one of no origin, is refused before the route, and told what to do', async () => {
    for (const [origin, advice] of [
      ['http://page.test:81', /A page of http:\/\/page\.test:81 may not .*ALLOWED_ORIGINS/],
      ['null', /without an origin .*http-server/],
    ] as const) {
      for (const [method, more] of [
        ['POST', {}],
        ['OPTIONS', asked],
      ] as const) {
        const answer = await ask(method, { origin, ...more });
        assert.equal(answer.status, 403, `${method} of ${origin}`);
        assert.equal(answer.headers.get('access-control-allow-origin'), null);
        assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/);
        const { code, detail } = (await answer.json()) as { code: string; detail: string };
        assert.equal(code, 'origin-not-allowed');
        assert.match(detail, advice);
      }
    }
    assert.equal(warnings.length, 2, 'each of the two is in the log once');
  });

  it('a crowd of refused origins does not fill the log', async () => {
    for (let at = 0; at < 25; at += 1) await ask('POST', { origin: `http://page-${at}.test` });
    assert.equal(warnings.length <= 20, true, `${warnings.length} lines`);
  });

  it('the script may be loaded by pages of any origin, and is all that comes from its folder', async () => {
    const { status, headers } = await fetch(`${url}/rowlock.js`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /javascript/);
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal((await fetch(`${url}/secret.js`)).status, 404);
  });
});
