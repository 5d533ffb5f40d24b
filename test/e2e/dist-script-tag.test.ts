import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { Browser, Page, WebSocket } from 'playwright-core';
import { LockError, lockable, type Principal } from '../../core/index.ts';
import { bearerToken, createRowlock, memoryBackend, type Rowlock } from '../../server/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { silentLog } from '../support/silent-log.ts';

const SCRIPTS = {
  'rowlock.js (IIFE)': `<script src="/cdn/rowlock.js"></script><script>Rowlock.configure({ getToken: () => 'anna' });</script>`,
  'rowlock.mjs (module)': `<script type="module">
    import { configure } from '/cdn/rowlock.mjs';
    configure({ getToken: () => 'anna' });
  </script>`,
};
const BODY = `<lock-guard entity-type="ApprovalRequest" entity-uid="UID">
    <form><input name="note"><button>Save</button></form>
  </lock-guard>
  <table><tr><td>UID</td><td><locked-by-cell entity-type="ApprovalRequest" entity-uid="UID"></locked-by-cell></td></tr></table>`;

const BEN: Principal = { tenant: 'acme', oid: 'ben', name: 'Ben Okafor', kind: 'user' };
const ANNA: Principal = { tenant: 'acme', oid: 'anna', name: 'Anna Berger', kind: 'user' };

/**
 * Loads what is shipped, against the real server: a bundler can break what the sources do right (decorators, class
 * fields, dropped modules), and ours also takes parts out of SignalR.
 */
describe('the built script tag', () => {
  let server: Server;
  let rowlock: Rowlock;
  let browser: Browser;
  let url = '';
  const connections = new Set<Socket>();
  before(async () => {
    rowlock = createRowlock({
      types: [lockable('ApprovalRequest')],
      identify: async (request) => {
        if (bearerToken(request) === 'anna') return ANNA;
        throw new LockError('unauthenticated', 'Only Anna has a token here.');
      },
      backend: memoryBackend({ log: silentLog }),
      log: silentLog,
    });
    const app = express()
      .use('/api', rowlock.router)
      .get('/page/:script', ({ params }, response) => {
        const [name, uid = ''] = params.script.split('~');
        const script = Object.entries(SCRIPTS).find(([title]) => title.startsWith(`${name} `))?.[1] ?? '';
        response
          .type('html')
          .send(`<!doctype html><html lang="en"><title>Page</title>${script}${BODY.replaceAll('UID', uid)}`);
      })
      .use('/cdn', express.static(fileURLToPath(new URL('../../dist/cdn', import.meta.url))));
    server = createServer(app);
    server.on('connection', (socket) => {
      connections.add(socket);
      socket.on('close', () => connections.delete(socket));
    });
    rowlock.attach(server);
    await rowlock.start();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null, 'the server listens on a port');
    url = `http://127.0.0.1:${address.port}`;
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await rowlock.stop();
    server.closeAllConnections();
    server.close();
  });

  for (const name of Object.keys(SCRIPTS)) {
    const file = name.split(' ')[0] ?? '';
    it(`${name} claims, blocks, shows the holder, and opens when the hub says that the record is free`, async () => {
      const ref = { entityType: 'ApprovalRequest', entityUid: file };
      await rowlock.service.claim(BEN, ref, { sessionId: 'elsewhere' });
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      const connected = subscribed(page);
      await page.goto(`${url}/page/${file}~${file}`);
      await page.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
      await page.locator('locked-by-cell').getByText('Ben Okafor').waitFor();
      assert.match(await page.locator('lock-banner [part="banner"]').innerText(), /Ben Okafor/);
      await assert.rejects(page.locator('input').click({ timeout: 500 }), 'the form is out of reach');

      await connected;
      await rowlock.service.release(BEN, ref, { sessionId: 'elsewhere' });
      await page.locator('lock-guard:state(mine):not(:state(blocked))').waitFor({ state: 'attached' });
      await page.locator('locked-by-cell').getByText('You').waitFor();
      await page.locator('input').fill('mine now');
      assert.deepEqual(errors, []);
      await page.close();
    });
  }

  it('connects to the hub again after its connection was lost', async () => {
    const page = await browser.newPage();
    let connecting = subscribed(page);
    await page.goto(`${url}/page/rowlock.js~again`);
    const socket = await connecting;
    connecting = subscribed(page);
    const lost = socket.waitForEvent('close');
    for (const connection of connections) connection.destroy();
    await lost;
    assert.notEqual(await connecting, socket);
    await page.close();
  });
});

/** The next hub connection, once it hears changes: the first completion answers `Subscribe`. */
async function subscribed(page: Page): Promise<WebSocket> {
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('"type":3'),
  });
  return socket;
}
