import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { tokenFor } from '../support/test-tokens.ts';
import { startInteropNode, type InteropNode } from './interop-node.ts';
import { startVendorPages, type VendorPageServer } from './signalr-pages/vendor-page-server.ts';
import type { TestProcess } from './signalr-suite/scene.ts';
import { testSteps } from './signalr-suite/test-steps.ts';

/** The page of every test here: of another origin than any hub. */
let pages: VendorPageServer;
let browser: Browser;
before(async () => {
  [pages, browser] = await Promise.all([startVendorPages(), launchChromium()]);
});
after(async () => {
  await browser.close();
  await pages.stop();
});

describe('the vendor’s script in Chromium, on a page of another origin that the hub lists', () => {
  testSteps({
    kind: 'chromium',
    pageOrigin: () => pages.origin,
    async open(hubs) {
      const { page, errors } = await openPage(hubs.testProcess);
      return {
        async run({ name }, manner) {
          const call = JSON.stringify([name, manner, hubs.addresses]);
          const seen = await page.evaluate<string>(`runStep(...${call})`);
          assert.deepEqual(errors, [], 'nothing goes wrong unheard');
          return seen;
        },
        close: () => page.close(),
      };
    },
  });
});

describe('the vendor’s script in Chromium, on a page of an origin that the hub does not list', () => {
  let node: InteropNode;
  let page: Page;
  before(async () => {
    node = await startInteropNode({ allowedOrigins: ['https://app.example.com'] });
    ({ page } = await openPage({ token: (oid) => tokenFor({ oid }), requests: async () => [] }));
  });
  after(async () => {
    await page.close();
    await node.stop();
  });

  /** Starts a client with these options of `withUrl`, with a good token; answers the words of the refusal. */
  const start = (options: string) =>
    page.evaluate<string>(`new signalR.HubConnectionBuilder()
      .withUrl('${node.url}', { accessTokenFactory: () => tokenOf('anna'), ${options} })
      .configureLogging('none').build().start().then(() => 'connected', ({ message }) => message)`);

  it('does not get through a negotiation, with or without cookies', async () => {
    const words = 'Failed to complete negotiation with the server: TypeError: Failed to fetch';
    assert.equal(await start(''), words);
    assert.equal(await start('withCredentials: false'), words);
  });

  it('gets no WebSocket, for which browsers ask nobody', async () => {
    const words = await start('skipNegotiation: true, transport: 1');
    assert.match(words, /^WebSocket failed to connect\./);
    const upgrades = node.requests.filter(({ method }) => method === 'UPGRADE');
    assert.deepEqual(
      upgrades.map(({ headers }) => headers.origin),
      [pages.origin],
      'it came as far as the hub, which refused it',
    );
    assert.equal(node.hub.connectionCount, 0);
  });
});

/** A new page, and what goes wrong on it. */
async function openPage({ token, requests }: TestProcess): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.exposeFunction('tokenOf', token);
  await page.exposeFunction('requestsOf', requests);
  await page.goto(pages.origin);
  return { page, errors };
}
