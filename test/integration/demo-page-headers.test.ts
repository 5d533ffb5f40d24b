import express from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { demoPageRoutes } from '../../demo/demo-page-routes.ts';

describe('the demo page', () => {
  it('comes with a policy without inline code, and everything beside it with the usual headers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowlock-demo-page-'));
    mkdirSync(join(folder, 'assets'));
    for (const file of [
      'index.html',
      'approvals.html',
      'mockServiceWorker.js',
      'assets/a.js',
      'secret.txt',
    ]) {
      writeFileSync(join(folder, file), 'x');
    }
    const server = createServer(express().use(demoPageRoutes(folder)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const path of ['/', '/index.html', '/approvals.html']) {
      const page = await fetch(url + path);
      assert.equal(page.headers.get('cache-control'), 'no-cache', path);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';/, path);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/, path);
    }
    for (const path of ['/', '/approvals.html', '/assets/a.js', '/mockServiceWorker.js']) {
      const { status, headers } = await fetch(url + path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.equal(headers.get('strict-transport-security'), null, path);
    }
    assert.equal((await fetch(`${url}/secret.txt`)).status, 404);
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
});
