import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';

const PAGE = `<!doctype html><html lang="en"><title>Script tag</title>
<script src="rowlock.js"></script>
<script>
  Rowlock.configure({ api: '/api', hub: '/hub', getToken: () => 'token' });
</script>
<lock-guard entity-type="ApprovalRequest" entity-uid="REQ-1"><form><input name="note"><button>Save</button></form></lock-guard>
<table><tr><td>REQ-1</td><td><locked-by-cell entity-type="ApprovalRequest" entity-uid="REQ-1"></locked-by-cell></td></tr></table>`;

const LOCK = {
  entityType: 'ApprovalRequest',
  entityUid: 'REQ-1',
  holderOid: 'ben',
  holderName: 'Ben Okafor',
  acquiredAtUtc: '2026-11-30T12:00:00.000Z',
  expiresAtUtc: '2026-11-30T12:05:00.000Z',
  expiresInMs: 300_000,
  fence: 1,
  at: 1,
};

/** Loads what is shipped: a bundler can break what the sources do right (decorators, class fields, dropped modules). */
describe('the built script tag', () => {
  let server: Server;
  let browser: Browser;
  let url = '';
  const asked: string[] = [];
  before(async () => {
    browser = await launchChromium();
    server = createServer((request, response) => {
      void answer(request.url ?? '/').then(([status, type, body]) => {
        if (request.url?.startsWith('/api') === true) {
          asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        }
        response.writeHead(status, { 'content-type': type }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    url = `http://127.0.0.1:${address.port}`;
  });
  after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  for (const [name, file] of [
    ['rowlock.js (IIFE)', 'index.html'],
    ['rowlock.mjs (module)', 'module.html'],
  ] as const) {
    it(`${name} defines the elements, which claim, block and show the holder`, async () => {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(`${url}/${file}`);
      await page.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
      await page.locator('locked-by-cell').getByText('Ben Okafor').waitFor();
      assert.match(await page.locator('lock-banner [part="banner"]').innerText(), /Ben Okafor/);
      await assert.rejects(page.locator('input').click({ timeout: 500 }), 'the form is out of reach');
      assert.ok(
        asked.some((line) => line === 'POST /api/locks/ApprovalRequest/REQ-1/claim Bearer token'),
        asked.join('\n'),
      );
      assert.deepEqual(errors, []);
      await page.close();
    });
  }
});

async function answer(path: string): Promise<[number, string, string]> {
  const json = (body: unknown): [number, string, string] => [200, 'application/json', JSON.stringify(body)];
  const me = { holderOid: 'anna' };
  if (path.endsWith('/claim')) {
    const answer = { outcome: 'held', lock: LOCK, changed: null, otherSessions: 0, renewAfterMs: 120_000 };
    return json({ ...answer, canTakeOver: true, me });
  }
  if (path.startsWith('/api/locks/')) return json({ locks: [LOCK], asOf: 2, me, store: 'ok' });
  const file = path.slice(1);
  if (file === 'index.html') return [200, 'text/html', PAGE];
  if (file === 'module.html') {
    const module = `<script type="module">import * as Rowlock from './rowlock.mjs'; Rowlock.configure({ getToken: () => 'token' });</script>`;
    return [200, 'text/html', PAGE.replace(/<script[\s\S]*<\/script>/, module)];
  }
  if (/^rowlock\.m?js$/.test(file)) {
    return [
      200,
      'text/javascript',
      await readFile(new URL(`../../dist/cdn/${file}`, import.meta.url), 'utf8'),
    ];
  }
  return [404, 'text/plain', 'not here'];
}
