// Every fenced block of every page is checked by its language; a new page is checked without being named here.
//
//   ts, tsx, js, vue (its script)   types, as strict as an application may be (js: without types of its own)
//   html, css, json, vue, svelte    parsed or compiled; scripts in html are checked as js
//   sh                              npm scripts, files and options of our commands exist
//   http, nginx                     their form
//
// A sample may leave out what the application has anyway, as `app` or `identify`. What every page may take as given is in
// assumed/everywhere.d.ts, what one page does in a file named after it: docs/grids.md has assumed/docs-grids.d.ts, with
// lines such as `declare const orders: readonly Order[];`. What a sample declares or imports itself goes before. Packages
// that are not installed here are declared in assumed/modules.d.ts, as far as samples use them.
//
// A block that cannot be checked needs a line in UNCHECKED, with the reason; a line that no block needs fails.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse as parseVue } from 'vue/compiler-sfc';
import { PAGES, ROOT, blocksOf, type Block } from './markdown-pages.ts';
import { FORM_CHECKS } from './sample-forms.ts';
import { typeErrors, type TypedSample } from './sample-types.ts';

interface Unchecked {
  readonly page: string;
  readonly language: string;
  readonly reason: string;
}

const UNCHECKED: readonly Unchecked[] = [
  { page: 'CONTRIBUTING.md', language: '', reason: 'the map of the folders' },
  {
    page: 'docs/decisions/022-least-rights-and-a-check-at-start.md',
    language: '',
    reason: 'rights of a Redis user',
  },
  { page: 'docs/conformance.md', language: 'text', reason: 'what the command prints' },
  {
    page: 'docs/reference/conformance.md',
    language: 'text',
    reason: 'the usage of the command, from its source',
  },
  { page: 'docs/existing-backends.md', language: 'text', reason: 'the head of a script' },
  ...['ts', 'js'].map((language) => ({
    page: 'docs/testing-your-app.md',
    language,
    reason: 'a project of its own, which test/full/testing-guide.test.ts checks and runs',
  })),
  { page: 'docs/existing-backends.md', language: 'cs', reason: 'part of test/interop/dotnet, which runs' },
];

const TYPED: readonly string[] = ['ts', 'tsx', 'js'];
const blocks = PAGES.flatMap((page) => blocksOf(page));
const isListed = ({ page, language }: Block) =>
  UNCHECKED.some((entry) => entry.page === page && entry.language === language);

/** The parts of a block that have types. */
function typedParts(block: Block): readonly TypedSample[] {
  const { page, line, language, text } = block;
  if (language === 'ts' || language === 'tsx' || language === 'js')
    return [{ page, line, kind: language, text }];
  if (language === 'html') {
    // Scripts of one page see each other; what is round them becomes empty lines.
    const script = /(<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>)(.*?)<\/script>/gs;
    const blank = (part: string) => part.replaceAll(/[^\n]/g, '');
    let end = 0;
    let joined = '';
    for (const { index, 0: whole, 1: tag = '', 2: content = '' } of text.matchAll(script)) {
      joined += blank(text.slice(end, index) + tag) + content;
      end = index + whole.length;
    }
    return end === 0 ? [] : [{ page, line, kind: 'js', text: joined }];
  }
  if (language === 'vue') {
    const { scriptSetup, script } = parseVue(text).descriptor;
    const found = scriptSetup ?? script;
    const kind = found?.lang === 'ts' ? 'ts' : 'js';
    // Without it TypeScript does not know the compiler's macros.
    const source = `${found?.content ?? ''}\nimport type {} from 'vue';`;
    return [{ page, line: line + (found?.loc.start.line ?? 1) - 1, kind, text: source }];
  }
  return [];
}

describe('the samples of the documentation', () => {
  it('are right for strict TypeScript', () => {
    const samples = blocks.filter((block) => !isListed(block)).flatMap(typedParts);
    assert.equal(samples.length >= 30, true, `only ${samples.length} samples were found`);
    // One with a fault, so that a check which sees nothing does not pass.
    const text = "import { Hub } from 'rowlock/server';\nnew Hub({ methode: {} });\n";
    const faulty: TypedSample = { page: 'faulty.md', line: 1, kind: 'ts', text };
    const [seen = 'nothing', ...others] = typeErrors([faulty, ...samples]);
    assert.match(seen, /^faulty\.md:2: .*methode/);
    assert.deepEqual(others, []);
  });

  it('have the form of their language', async () => {
    const faults: string[] = [];
    for (const block of blocks) {
      if (isListed(block)) continue;
      const check = FORM_CHECKS[block.language];
      if (check === undefined && !TYPED.includes(block.language)) {
        faults.push(
          `${block.page}:${block.line}: "${block.language}" has no check: give it one, or a line in UNCHECKED`,
        );
      }
      const found = (await check?.(block)) ?? [];
      faults.push(...found.map((fault) => `${block.page}:${block.line}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });

  it('are left unchecked only where the list says why', () => {
    const dead = UNCHECKED.filter(
      ({ page, language }) => !blocks.some((block) => block.page === page && block.language === language),
    );
    assert.deepEqual(dead, []);
  });

  it('assume nothing for a page that is gone', () => {
    const names = new Set(PAGES.map((page) => `${page.replace(/\.md$/, '').replaceAll('/', '-')}.d.ts`));
    const files = readdirSync(`${ROOT}test/docs/assumed`).filter(
      (file) => !['everywhere.d.ts', 'modules.d.ts'].includes(file) && !names.has(file),
    );
    assert.deepEqual(files, []);
    assert.equal(existsSync(`${ROOT}test/docs/assumed/everywhere.d.ts`), true, 'everywhere.d.ts');
  });
});
