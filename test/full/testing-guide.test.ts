import assert from 'node:assert/strict';
import express from 'express';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import ts from 'typescript';
import { guideProject, type CommandResult, type GuideProject } from '../testing-guide/guide-project.ts';
import { launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';

/** What an application's own settings may be at their strictest, but for a browser's path that may be undefined. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node', 'mocha', 'vite/client'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

/** What Storybook's channel says of a story whose `play` is over. */
interface StoryFinished {
  readonly storyId: string;
  readonly status: 'success' | 'error';
}

declare const __STORYBOOK_ADDONS_CHANNEL__: {
  last(event: 'storyFinished'): readonly [StoryFinished] | undefined;
};

/** The stories, and the state in which each leaves its form. */
const STORIES: readonly (readonly [id: string, state: string])[] = [
  ['editing', 'mine'],
  ['held-by-ben', 'held'],
  ['taken-over', 'lost'],
  ['store-away', 'unknown'],
];

describe('the guide to testing with the mock', () => {
  let project: GuideProject;
  before(async () => {
    project = await guideProject();
    const init = await project.run('msw/cli/index.js', ['init', 'public', '--save']);
    assert.equal(init.code, 0, init.output);
  });
  after(() => project.remove());

  /** Every test that a file of the page declares has run and passed. */
  const allPassed = (folder: string, { code, output }: CommandResult, summary: (count: number) => RegExp) => {
    const texts = [...project.files].filter(([path]) => path.startsWith(`test/${folder}/`));
    const count = texts.flatMap(([, text]) => [...text.matchAll(/^(?:it|test)\(/gm)]).length;
    assert.equal(count > 0, true, `${folder} has tests`);
    assert.equal(code, 0, output);
    assert.match(output, summary(count));
  };

  it('has a service worker file where it says', () => {
    assert.equal(existsSync(`${project.folder}/public/mockServiceWorker.js`), true);
  });

  it('is right for strict TypeScript', () => {
    const files = [...project.files.keys()].filter((path) => path.endsWith('.ts'));
    assert.equal(files.length >= 14, true, `${files.length} files`);
    const program = ts.createProgram(
      files.map((path) => `${project.folder}/${path}`),
      STRICT,
    );
    const faults = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      const path = file?.fileName.replace(`${project.folder}/`, '');
      return `${path}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
    assert.deepEqual(faults, []);
  });

  it('passes in Node', async () => {
    const tests = [...project.files.keys()].filter((path) => path.startsWith('test/node/'));
    const options = ['--import', 'tsx', '--test', '--test-reporter=tap'];
    const result = await project.run('', [...options, ...tests]);
    allPassed('node', result, (count) => new RegExp(`^# pass ${count}$`, 'm'));
  });

  it('passes with Vitest in a browser', async () => {
    const result = await project.run('vitest/vitest.mjs', ['run']);
    allPassed('vitest', result, (count) => new RegExp(`Tests +${count} passed \\(${count}\\)`));
  });

  it('passes with @web/test-runner', async () => {
    const result = await project.run('@web/test-runner/dist/bin.js', []);
    allPassed('wtr', result, (count) => new RegExp(`${count} passed, 0 failed`));
  });

  it('passes with Playwright', async () => {
    const env = { PORT: String(await freePort()) };
    const result = await project.run('@playwright/test/cli.js', ['test', '--reporter=list'], env);
    allPassed('playwright', result, (count) => new RegExp(`^ +${count} passed`, 'm'));
  });

  it('passes with Storybook, as it is built', async () => {
    const env = { STORYBOOK_DISABLE_TELEMETRY: '1' };
    const options = ['build', '--quiet', '--disable-telemetry', '--output-dir', 'storybook-static'];
    const built = await project.run('storybook/dist/bin/dispatcher.js', options, env);
    assert.equal(built.code, 0, built.output);
    const server = createServer(express().use(express.static(`${project.folder}/storybook-static`)));
    const browser = await launchChromium();
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const { entries } = (await (await fetch(`http://127.0.0.1:${port}/index.json`)).json()) as {
        entries: object;
      };
      assert.deepEqual(
        Object.keys(entries),
        STORIES.map(([id]) => `order-form--${id}`),
      );
      for (const [id, state] of STORIES) {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${port}/iframe.html?id=order-form--${id}&viewMode=story`);
        const finished = await page.waitForFunction(() =>
          '__STORYBOOK_ADDONS_CHANNEL__' in globalThis
            ? __STORYBOOK_ADDONS_CHANNEL__.last('storyFinished')?.[0]
            : undefined,
        );
        assert.equal((await finished.jsonValue())?.status, 'success', id);
        await page.locator(`lock-guard:state(${state})`).waitFor();
        await page.close();
      }
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
