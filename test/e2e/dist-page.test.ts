import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import type { EntityRef, Principal } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';

const CDN = fileURLToPath(new URL('../../dist/cdn', import.meta.url));
const BEN: Principal = { tenant: TEST_TENANT, oid: 'ben', name: 'Ben Okafor', kind: 'user' };

/** Nothing inline, nothing from elsewhere, and HTML from one policy alone. */
const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";

const page = (scripts: readonly string[], uid: string): string => `<!doctype html><html lang="en">
  <head><title>Page</title>${scripts.map((script) => `<script ${script}></script>`).join('')}</head>
  <body><lock-guard entity-type="ApprovalRequest" entity-uid="${uid}"><form><input name="note"></form></lock-guard>
  <table><tr><td>${uid}</td><td>
    <locked-by-cell entity-type="ApprovalRequest" entity-uid="${uid}"></locked-by-cell>
  </td></tr></table></body></html>`;

/** What a page's own bundle brings: another copy of Lit, here with nothing of ours. */
const OTHER_LIT = `window.litHtmlVersions = ['0.0.0'];
  if (window.trustedTypes) trustedTypes.createPolicy('lit-html', { createHTML: (text) => text });`;

/** Pages that do not make it easy: strict policies, and the script more than once. */
describe('the built script tag on a page with', () => {
  let node: RowlockNode;
  let browser: Browser;
  const pages = new Map<string, { readonly policy: string; readonly html: string }>();

  before(async () => {
    const code = await readFile(`${CDN}/rowlock.js`, 'utf8');
    const { version } = JSON.parse(await readFile(`${CDN}/../../package.json`, 'utf8')) as {
      version: string;
    };
    const token = await tokenFor({ oid: 'anna', name: 'Anna Berger' });
    const texts: Readonly<Record<string, string>> = {
      'setup.js': `Rowlock.configure({ getToken: () => '${token}' });`,
      'other-version.js': code.replaceAll(version, '9.9.9'),
      'other-lit.js': OTHER_LIT,
    };
    assert.ok(texts['other-version.js'] !== code, 'the version stands in the script');
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      routes: (app) => {
        app.get('/page/:name', ({ params }, response) => {
          const { policy = '', html = '' } = pages.get(params.name) ?? {};
          response.set('content-security-policy', policy).type('html').send(html);
        });
        app.get('/text/:file', ({ params }, response) => {
          response.type('js').send(texts[params.file]);
        });
        app.get('/favicon.ico', (_, response) => void response.status(204).end());
        app.use('/cdn', express.static(CDN));
      },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await node.stop();
  });

  /** Loads a page with these scripts; collects all that the browser and the script complain of. */
  async function load(name: string, policy: string, scripts: readonly string[]) {
    pages.set(name, { policy, html: page(scripts, name) });
    const opened = await browser.newPage();
    const said: string[] = [];
    const sockets: string[] = [];
    opened.on('pageerror', (error) => said.push(String(error)));
    opened.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    opened.on('websocket', (socket) => sockets.push(socket.url()));
    // A violation that a script causes is an event as well as a line on the console.
    await opened.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
        console.error(violatedDirective),
      );
    });
    await opened.goto(`${node.url}/page/${name}`);
    return { opened, said, sockets };
  }

  const claimedByBen = async (entityUid: string): Promise<EntityRef> => {
    const ref = { entityType: 'ApprovalRequest', entityUid };
    await node.rowlock.service.claim(BEN, ref, { sessionId: 'b' });
    return ref;
  };

  /** Draws everything that the elements can draw: held, the question before taking over, mine. */
  async function takeOver(opened: Page): Promise<void> {
    await opened.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
    await opened.locator('locked-by-cell').getByText('Ben Okafor').waitFor();
    await opened.locator('lock-banner [part=take-over]').click();
    await opened.locator('lock-banner dialog button[value=yes]').click();
    await opened.locator('lock-guard:state(mine):not(:state(blocked))').waitFor({ state: 'attached' });
    await opened.locator('locked-by-cell').getByText('You').waitFor();
  }

  it('a strict content security policy and Trusted Types violates nothing (R23, R24)', async () => {
    await claimedByBen('strict');
    const { opened, said } = await load('strict', STRICT, ['src="/cdn/rowlock.js"', 'src="/text/setup.js"']);
    await opened.locator('lock-banner [part=banner]').waitFor();
    const style = await opened
      .locator('lock-banner [part=banner]')
      .evaluate((box) => getComputedStyle(box).display);
    assert.equal(style, 'flex', 'styles are applied');
    await takeOver(opened);
    assert.deepEqual(said, []);
    await opened.close();
  });

  it('the same script three times, as module as well, is silent and connects once (R22, R25)', async () => {
    await claimedByBen('thrice');
    const scripts = ['src="/cdn/rowlock.js"', 'src="/cdn/rowlock.js?2"', 'src="/text/setup.js"'];
    const module = 'type="module" src="/cdn/rowlock.mjs"';
    const policy = `${STRICT} 'allow-duplicates'`;
    const { opened, said, sockets } = await load('thrice', policy, [...scripts, module]);
    await takeOver(opened);
    assert.deepEqual(
      said.filter((line) => !line.includes('Multiple versions of Lit loaded')),
      [],
    );
    assert.equal(sockets.length, 1);
    await opened.close();
  });

  it('another version loaded twice warns once, and the first goes on (R25)', async () => {
    await claimedByBen('versions');
    const other = 'src="/text/other-version.js"';
    const scripts = [
      'src="/cdn/rowlock.js"',
      other,
      'src="/text/other-version.js?2"',
      'src="/text/setup.js"',
    ];
    const { opened, said } = await load('versions', `${STRICT} 'allow-duplicates'`, scripts);
    await takeOver(opened);
    const ours = said.filter((line) => line.includes('Rowlock'));
    assert.equal(ours.length, 1, said.join('\n'));
    assert.match(ours[0] ?? '', /^warning: Rowlock .* is loaded already and stays, not 9\.9\.9/);
    await opened.close();
  });

  it('another copy of Lit works where the policy allows two (R24)', async () => {
    await claimedByBen('lits');
    const scripts = ['src="/text/other-lit.js"', 'src="/cdn/rowlock.js"', 'src="/text/setup.js"'];
    const { opened, said } = await load('lits', `${STRICT} 'allow-duplicates'`, scripts);
    await takeOver(opened);
    assert.deepEqual(said, []);
    await opened.close();
  });
});
