import { build } from 'esbuild';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { EntityRef, Principal } from '../../../core/index.ts';
import { memoryBackend } from '../../../server/index.ts';
import { launchChromium } from '../../support/chromium.ts';
import { startNode, type RowlockNode } from '../../support/rowlock-node.ts';
import { silentLog } from '../../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../../support/test-tokens.ts';

const BEN: Principal = { tenant: TEST_TENANT, oid: 'ben', name: 'Ben Okafor', kind: 'user' };

/** A server whose locks the story makes itself, and pages with grids on it. */
export interface GridStage {
  /** Ben edits these records, and nobody edits any other. */
  lock(uids: readonly string[]): Promise<void>;
  /** Lists of locks that were asked for so far. */
  readonly lists: number;
  /** Opens the page of one grid as Anna. */
  open(grid: string, query?: string): Promise<Page>;
}

/** The stage for the tests of the `describe` that it is called in. */
export function setGridStage(names: readonly string[]): GridStage {
  let node: RowlockNode | undefined;
  let browser: Browser | undefined;
  let lists = 0;
  let locked: readonly string[] = [];
  before(async () => {
    const scripts = await bundle(names);
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      routes: (app) => {
        app.get('/:grid.js', ({ params }, response) => {
          response.type('text/javascript').send(scripts.get(params.grid) ?? '');
        });
        app.get('/:grid', ({ params }, response) => {
          response.type('html').send(pageOf(params.grid));
        });
      },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await node?.stop();
  });
  const there = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The stage is set when the first test begins.');
    return part;
  };
  return {
    get lists() {
      return lists;
    },
    async lock(uids) {
      const { service } = there(node).rowlock;
      const sessionId = 'story';
      for (const uid of locked)
        if (!uids.includes(uid)) await service.release(BEN, refOf(uid), { sessionId });
      for (const uid of uids) if (!locked.includes(uid)) await service.claim(BEN, refOf(uid), { sessionId });
      locked = uids;
    },
    async open(grid, query = '') {
      const context = await there(browser).newContext({ viewport: { width: 1_000, height: 700 } });
      context.setDefaultTimeout(15_000);
      // The TypeScript loader names functions with a helper of its own, which functions sent to a page miss.
      await context.addInitScript('globalThis.__name ??= (target) => target');
      context.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/locks/ApprovalRequest') lists += 1;
      });
      const page = await context.newPage();
      const token = await tokenFor({ oid: 'anna', name: 'Anna Berger' });
      await page.goto(`${there(node).url}/${grid}?token=${token}&${query}`);
      return page;
    },
  };
}

function refOf(entityUid: string): EntityRef {
  return { entityType: 'ApprovalRequest', entityUid };
}

function pageOf(grid: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${grid}</title><link rel="icon" href="data:,">
    <main></main><script type="module" src="/${grid}.js"></script></html>`;
}

/** Bundles each page as an application would, with the grid's real package and our sources. */
async function bundle(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: names.map((name) => ({
      in: fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
      out: name,
    })),
    outdir: '/',
    alias: {
      'rowlock/define': fileURLToPath(new URL('../../../components/define.ts', import.meta.url)),
      rowlock: fileURLToPath(new URL('../../../components/index.ts', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*\/|\.js$/g, ''), text]));
}
