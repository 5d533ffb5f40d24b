import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { Browser } from 'playwright-core';
import type { EntityRef } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { tokenFor } from '../support/test-tokens.ts';

const ORDER: EntityRef = { entityType: 'ApprovalRequest', entityUid: '42' };
const SCRIPTS = '<script src="/cdn/rowlock.js"></script><script src="/cdn/rowlock-lock-list.js"></script>';

/** Two tabs of Anna's: a form in one, her list of locks in the other, from nothing but script tags. */
describe('rowlock-lock-list.js beside rowlock.js', () => {
  let node: RowlockNode;
  let browser: Browser;
  const pageOf = (head: string, body: string): string =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,">${head}
    <script>Rowlock.configure({ getToken: () => new URLSearchParams(location.search).get('token') });</script>${body}`;
  before(async () => {
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      routes: (app) => {
        app.use('/cdn', express.static(fileURLToPath(new URL('../../dist/cdn', import.meta.url))));
        app.get('/form', (_request, response) => {
          response
            .type('html')
            .send(
              pageOf(
                SCRIPTS,
                '<lock-guard entity-type="ApprovalRequest" entity-uid="42"><input></lock-guard>',
              ),
            );
        });
        app.get('/list', (_request, response) => {
          response
            .type('html')
            .send(
              pageOf(
                SCRIPTS,
                '<lock-list></lock-list><locked-by-cell entity-type="ApprovalRequest" entity-uid="42"></locked-by-cell>',
              ),
            );
        });
        app.get('/alone', (_request, response) => {
          response.type('html').send('<script src="/cdn/rowlock-lock-list.js"></script>');
        });
      },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await node.stop();
  });

  it('lets go of what another tab has open, which keeps its text and goes on when somebody types there (F32)', async () => {
    const context = await browser.newContext();
    const token = await tokenFor({ oid: 'anna', name: 'Anna Berger' });
    const [form, list] = [await context.newPage(), await context.newPage()];
    const errors: string[] = [];
    let connections = 0;
    for (const page of [form, list]) page.on('pageerror', (error) => errors.push(String(error)));
    list.on('websocket', () => {
      connections += 1;
    });
    await form.goto(`${node.url}/form?token=${token}`);
    await form.locator('lock-guard:state(mine)').waitFor({ state: 'attached' });
    await form.locator('input').fill('typed');
    await list.goto(`${node.url}/list?token=${token}`);
    await list.locator('[part=title]').getByText('ApprovalRequest 42').waitFor();
    await list.locator('locked-by-cell').getByText('You').waitFor();
    assert.equal(connections, 1, 'cell and list share the page’s one connection');

    await list.getByRole('button', { name: 'Release ApprovalRequest 42' }).click();
    await list.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await list.getByText('You are not editing any record.').waitFor();
    await form.locator('lock-guard:state(released)').waitFor({ state: 'attached' });
    assert.equal(await form.locator('input').inputValue(), 'typed');

    await form.locator('input').pressSequentially(' on');
    await form.locator('lock-guard:state(mine)').waitFor({ state: 'attached' });
    await list.locator('[part=title]').getByText('ApprovalRequest 42').waitFor();
    await context.close();
    assert.deepEqual(errors, []);
  });

  it('tells a selection of records apart by the page’s own client', async () => {
    await node.claim({ oid: 'ben', name: 'Ben Okafor' }, { ...ORDER, entityUid: '7' });
    const page = await browser.newPage();
    const token = await tokenFor({ oid: 'anna', name: 'Anna Berger' });
    await page.goto(`${node.url}/list?token=${token}`);
    const told = await page.evaluate(async () => {
      interface List {
        sortOutLocked(refs: readonly object[]): Promise<object>;
        leftOutText(sorted: object): string;
      }
      const { RowlockList } = globalThis as unknown as { RowlockList: List };
      const refs = ['7', '8'].map((entityUid) => ({ entityType: 'ApprovalRequest', entityUid }));
      return RowlockList.leftOutText(await RowlockList.sortOutLocked(refs));
    });
    assert.equal(
      told.replace(/[\u2068\u2069]/g, ''),
      '1 of 2 records is being edited by Ben Okafor and is left out.',
    );
    await page.close();
  });

  it('says what is missing where it is loaded alone', async () => {
    const page = await browser.newPage();
    const error = page.waitForEvent('pageerror');
    await page.goto(`${node.url}/alone`);
    assert.match(String(await error), /load rowlock\.js before it/);
    await page.close();
  });
});
