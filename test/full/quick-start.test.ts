import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import express, { type Request } from 'express';
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { build, type PluginOption } from 'vite';
import { lockable, LockError, type Principal } from '../../core/index.ts';
import { bearerToken, memoryBackend, type Identify } from '../../server/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { packPackage, type PackedPackage } from '../support/packed-package.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const UID = 'REQ-2041';
const NAMES: Readonly<Record<string, string>> = { anna: 'Anna Berger', ben: 'Ben Okafor' };

/** Where a section's sample stands, and what an application has round it. */
interface Sample {
  readonly heading: string;
  readonly language: string;
  readonly file: string;
  /** null = a page that nobody builds. */
  readonly main: string | null;
  readonly plugins?: () => PluginOption;
}

const isCustomElement = (tag: string): boolean => tag.startsWith('lock-') || tag === 'locked-by-cell';
const SAMPLES: readonly Sample[] = [
  { heading: 'Plain HTML', language: 'html', file: 'index.html', main: null },
  {
    heading: 'React',
    language: 'tsx',
    file: 'form.tsx',
    main: `import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { ApprovalForm } from './form';
      createRoot(document.querySelector('#app')).render(createElement(ApprovalForm, { uid: '${UID}' }));`,
    plugins: () => react(),
  },
  {
    heading: 'Vue',
    language: 'vue',
    file: 'form.vue',
    main: `import { createApp } from 'vue';
      import Form from './form.vue';
      createApp(Form, { uid: '${UID}' }).mount('#app');`,
    plugins: () => vue({ template: { compilerOptions: { isCustomElement } } }),
  },
  {
    heading: 'Svelte',
    language: 'svelte',
    file: 'form.svelte',
    main: `import { mount } from 'svelte';
      import Form from './form.svelte';
      mount(Form, { target: document.querySelector('#app'), props: { uid: '${UID}' } });`,
    plugins: () => svelte({ configFile: false }),
  },
  { heading: 'htmx', language: 'html', file: 'index.html', main: null },
];

/** Who calls: the token, and without one the cookie. */
const identify: Identify = (request) => {
  const { authorization, cookie } = request.headers;
  const oid = authorization === undefined ? userOf(cookie) : bearerToken(request);
  const name = NAMES[oid ?? ''];
  if (oid === undefined || name === undefined) throw new LockError('unauthenticated', 'Nobody is signed in.');
  return Promise.resolve<Principal>({ tenant: 'acme', oid, name, kind: 'user' });
};
const userOf = (cookie = ''): string | undefined => /\buser=(\w+)/.exec(cookie)?.[1];

describe('the samples of docs/quick-start.md', () => {
  let packed: PackedPackage;
  let node: RowlockNode;
  let page = '';
  let browser: Browser;
  let note = '';
  /** Of each save that got through: who, and whether it named a fence. */
  const saves: (readonly [user: string, hasFence: boolean])[] = [];
  const contexts: BrowserContext[] = [];

  before(async () => {
    packed = await packPackage('quick-start');
    page = await readFile(`${ROOT}docs/quick-start.md`, 'utf8');
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await node.stop();
  });
  after(async () => {
    await browser.close();
    await packed.remove();
  });

  /** A server of the sample's own: nobody's lock of the one before is in its way. */
  const serve = async (folder: string) => {
    note = 'first';
    saves.length = 0;
    node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      types: [lockable('ApprovalRequest')],
      identify,
      routes: (app, rowlock) => {
        const guard = rowlock.guardWrites({
          type: 'ApprovalRequest',
          uid: (request: Request) => String(request.params['uid']),
        });
        app
          .get('/rowlock.js', (_, response) => response.sendFile(`${ROOT}dist/cdn/rowlock.js`))
          .get('/htmx.min.js', (_, response) =>
            response.sendFile(`${ROOT}node_modules/htmx.org/dist/htmx.min.js`),
          )
          .get(
            '/token',
            (request, response) => void response.type('text').send(userOf(request.headers.cookie)),
          )
          .get('/requests/:uid', (_, response) => void response.json({ note }))
          .get('/requests/:uid/fields', (_, response) => {
            response.type('html').send(`<label>Note <textarea name="note">${note}</textarea></label>`);
          })
          .put('/requests/:uid', guard, express.json(), express.urlencoded(), async (request, response) => {
            saves.push([(await identify(request)).oid, request.get('lock-fence') !== undefined]);
            ({ note } = request.body as { note: string });
            response.status(204).end();
          })
          .use(express.static(folder));
      },
    });
  };
  const open = async (user: string, errors: string[]): Promise<Page> => {
    const context = await browser.newContext();
    context.setDefaultTimeout(15_000);
    contexts.push(context);
    await context.addCookies([{ name: 'user', value: user, url: node.url }]);
    const opened = await context.newPage();
    opened.on('pageerror', (error) => errors.push(String(error)));
    await opened.goto(node.url);
    return opened;
  };
  const isOpen = (of: Page) =>
    of.locator('lock-guard:state(mine):not(:state(blocked))').waitFor({ state: 'attached' });
  const save = async (of: Page) => {
    const answered = of.waitForResponse((response) => response.request().method() === 'PUT');
    await of.getByRole('button', { name: 'Save' }).click();
    return (await answered).status();
  };

  for (const sample of SAMPLES) {
    it(`${sample.heading}: loads when the lock is there, saves with its fence, waits for others, says what was refused`, async () => {
      await serve(await buildSample(packed.folder, page, sample));
      const errors: string[] = [];
      const anna = await open('anna', errors);
      await isOpen(anna);
      assert.equal(await anna.getByLabel('Note').inputValue(), note, 'opened on loaded data');

      const ben = await open('ben', errors);
      await ben.locator('lock-guard:state(held)').waitFor({ state: 'attached' });
      await anna.getByLabel('Note').fill('Anna’s');
      assert.equal(await save(anna), 204);
      assert.deepEqual([note, saves], ['Anna’s', [['anna', true]]]);

      await anna.close({ runBeforeUnload: true });
      await isOpen(ben);
      assert.equal(await ben.getByLabel('Note').inputValue(), note, 'Ben’s form opened on what Anna saved');

      await ben.route('**/requests/*', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        const headers = { ...route.request().headers(), 'lock-fence': '1' }; // as of a page that slept for long
        return route.continue({ headers });
      });
      const told = ben.waitForEvent('dialog').then(async (dialog) => {
        const words = dialog.message();
        await dialog.dismiss();
        return words;
      });
      assert.equal(await save(ben), 409);
      assert.match(await told, /^Not saved: \w/);
      assert.deepEqual(saves, [['anna', true]]);
      assert.deepEqual(errors, []);
    });
  }
});

/** Writes a section's sample into a folder, and builds it where it is to be built. Answers what to serve. */
async function buildSample(folder: string, text: string, sample: Sample): Promise<string> {
  const { heading, language, file, main, plugins } = sample;
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1];
  assert.equal(typeof code, 'string', `${heading} has a sample`);
  const root = `${folder}/${heading.replaceAll(' ', '-')}`;
  await mkdir(root, { recursive: true });
  await writeFile(`${root}/${file}`, code ?? '');
  if (main === null) return root;
  await writeFile(`${root}/main.js`, main);
  await writeFile(
    `${root}/index.html`,
    '<!doctype html><html lang="en"><title>Form</title><div id="app"></div><script type="module" src="./main.js"></script></html>',
  );
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [plugins?.()],
    build: { target: 'es2022', minify: false, reportCompressedSize: false, chunkSizeWarningLimit: 2_000 },
  });
  return `${root}/dist`;
}
