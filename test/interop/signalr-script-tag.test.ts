import assert from 'node:assert/strict';
import express from 'express';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { memoryBackend, type HubTransport } from '../../server/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tokenFor, type TestUser } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { startHubProxy, type HubProxy } from './signalr-suite/hub-proxy.ts';

const ANNA: TestUser = { oid: 'anna', name: 'Anna Berger' };
const BEN: TestUser = { oid: 'ben', name: 'Ben Okafor' };
const CDN = fileURLToPath(new URL('../../dist/cdn', import.meta.url));

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(() => browser.close());

/** What the built script tag does where a server or a proxy has no WebSockets: its SignalR has parts cut out. */
describe('the script tag without WebSockets', () => {
  let streams: RowlockNode;
  let all: RowlockNode;
  let polls: RowlockNode;
  let proxy: HubProxy;
  before(async () => {
    [streams, all, polls] = await Promise.all([
      startPages(['ServerSentEvents']),
      startPages(['WebSockets', 'ServerSentEvents', 'LongPolling']),
      startPages(['LongPolling']),
    ]);
    proxy = await startHubProxy(all.url, { refuses: ['upgrades'] });
  });
  after(async () => {
    await proxy.stop();
    await Promise.all([streams, all, polls].map((node) => node.stop()));
  });

  for (const [where, of] of [
    ['a server that has event streams alone', () => ({ node: streams, url: streams.url })],
    ['a proxy that refuses upgrades', () => ({ node: all, url: proxy.url })],
  ] as const) {
    describe(`at ${where}`, () => {
      it('is connected, claims, and shows what others do as they do it', async () => {
        const { node, url } = of();
        const desk = await openDesk(url, 'REQ-1');
        await desk.inState('mine');
        await desk.page.locator('input').fill('Anna types');
        await desk.connected();
        const other = { entityType: 'ApprovalRequest', entityUid: 'other' };
        await node.claim(BEN, other);
        await desk.cell.getByText('Ben Okafor').waitFor();
        await node.call('DELETE', '/api/locks/ApprovalRequest/other?sessionId=s1', { as: BEN });
        await until('an empty cell', async () => (await desk.cell.innerText()) === '');
        assert.ok(desk.streams() > 0, 'by an event stream');
        await desk.close();
      });

      it('waits for somebody else, and opens when the hub says that the record is free', async () => {
        const { node, url } = of();
        const ref = { entityType: 'ApprovalRequest', entityUid: 'REQ-2' };
        await node.claim(BEN, ref);
        const desk = await openDesk(url, ref.entityUid);
        await desk.inState('held');
        await desk.connected();
        await node.call('DELETE', '/api/locks/ApprovalRequest/REQ-2?sessionId=s1', { as: BEN });
        await desk.inState('mine');
        await desk.close();
      });

      it('connects again when its event stream was broken, and hears on', async () => {
        const { node, url } = of();
        const desk = await openDesk(url, 'REQ-3');
        await desk.inState('mine');
        await desk.connected();
        const before = desk.streams();
        await node.claim(BEN, { entityType: 'ApprovalRequest', entityUid: 'other' });
        await desk.cell.getByText('Ben Okafor').waitFor();
        node.server.closeAllConnections();
        await until('another stream', () => desk.streams() > before, 15_000);
        await desk.connected();
        await node.call('DELETE', '/api/locks/ApprovalRequest/other?sessionId=s1', { as: BEN });
        await until('an empty cell', async () => (await desk.cell.innerText()) === '');
        await desk.close();
      });
    });
  }

  describe('at a server that has long polling alone, which it left out', () => {
    it('says that it is not connected; the form claims, saves and lets go over HTTP', async () => {
      const desk = await openDesk(polls.url, 'REQ-1');
      await desk.inState('mine');
      await desk.page.locator('input').fill('Anna types');
      await until('three attempts', () => desk.negotiations() >= 3, 20_000);
      assert.deepEqual(
        desk.complaints().map((text) => /^rowlock: .*transports/.test(text)),
        [true],
        'said once, in the console',
      );
      assert.equal(await desk.isConnected(), false);
      assert.equal(polls.rowlock.hub.connectionCount, 0, 'and leaves nothing behind at the hub');
      const { json } = await polls.call('GET', '/api/locks/ApprovalRequest/REQ-1', { as: BEN });
      assert.equal((json['locks'] as readonly { holderOid: string }[])[0]?.holderOid, 'anna');
      const held = await polls.claim(BEN, { entityType: 'ApprovalRequest', entityUid: 'REQ-1' });
      assert.equal(held.outcome, 'held', 'the server is the lock');
      await desk.page.evaluate(`document.querySelector('lock-guard').release()`);
      const after = await polls.claim(BEN, { entityType: 'ApprovalRequest', entityUid: 'REQ-1' });
      assert.equal(after.outcome, 'acquired');
      await desk.close();
    });

    it('shows who has the record, and learns of its end by a reload at the latest', async () => {
      const ref = { entityType: 'ApprovalRequest', entityUid: 'REQ-2' };
      await polls.claim(BEN, ref);
      const desk = await openDesk(polls.url, ref.entityUid);
      await desk.inState('held');
      await desk.page.locator('lock-banner [part=banner]').filter({ hasText: 'Ben Okafor' }).waitFor();
      await polls.call('DELETE', '/api/locks/ApprovalRequest/REQ-2?sessionId=s1', { as: BEN });
      await desk.page.reload();
      await desk.inState('mine');
      await desk.close();
    });
  });
});

/** A server with a page that has the script tag: a form for one record, and a row for another. */
function startPages(transports: readonly HubTransport[]): Promise<RowlockNode> {
  return startNode({
    backend: memoryBackend({ log: silentLog }),
    hub: { transports },
    routes(app) {
      app.use('/cdn', express.static(CDN));
      app.get('/page/:uid', ({ params: { uid }, query: { token } }, response) => {
        const guarded = `<lock-guard entity-type="ApprovalRequest" entity-uid="${uid}"><input aria-label="Note"></lock-guard>`;
        const row = `<table><tr><td>other</td><td><locked-by-cell entity-type="ApprovalRequest" entity-uid="other"></locked-by-cell></td></tr></table>`;
        response
          .type('html')
          .send(
            `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><script src="/cdn/rowlock.js"></script>` +
              `<script>Rowlock.configure({ getToken: () => ${JSON.stringify(token)} });</script>${guarded}${row}`,
          );
      });
    },
  });
}

interface ScriptTagDesk {
  readonly page: Page;
  readonly cell: ReturnType<Page['locator']>;
  /** `mine` means open for editing. */
  inState(state: string): Promise<void>;
  isConnected(): Promise<boolean>;
  /** Waits for the client's own word. */
  connected(): Promise<void>;
  /** Event streams that it has opened. */
  streams(): number;
  /** Negotiations that were answered. */
  negotiations(): number;
  /** What Rowlock wrote into the console. */
  complaints(): readonly string[];
  /** Closes it; fails for a WebSocket that was open, and for errors of the page. */
  close(): Promise<void>;
}

async function openDesk(url: string, uid: string): Promise<ScriptTagDesk> {
  const page = await browser.newPage();
  const errors: string[] = [];
  const complaints: string[] = [];
  let streams = 0;
  let negotiations = 0;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.text().startsWith('rowlock:')) complaints.push(message.text());
  });
  page.on('response', (response) => {
    if (response.request().resourceType() === 'eventsource' && response.status() === 200) streams += 1;
    if (response.url().includes('/negotiate')) negotiations += 1;
  });
  await page.goto(`${url}/page/${uid}?token=${await tokenFor(ANNA)}`);
  const isConnected = () => page.evaluate<boolean>('Rowlock.defaultClient().connected');
  return {
    page,
    cell: page.locator('locked-by-cell [part=name]'),
    async inState(state) {
      const open = state === 'mine' ? ':not(:state(blocked))' : '';
      await page.locator(`lock-guard:state(${state})${open}`).waitFor({ state: 'attached' });
    },
    isConnected,
    async connected() {
      await until('a connection', isConnected, 15_000);
    },
    streams: () => streams,
    negotiations: () => negotiations,
    complaints: () => complaints,
    async close() {
      await page.close();
      assert.deepEqual(errors, []);
      assert.ok(
        complaints.every((text) => /transports/.test(text)),
        complaints.join(),
      );
    },
  };
}
