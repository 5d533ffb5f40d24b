// What a page names in `code` exists: codes, events, elements and their attributes, custom properties, states, metrics,
// variables of the environment, npm scripts, import paths, files. Only what can be told by its form is looked at.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LOCK_ERROR_STATUS } from '../../core/index.ts';
import { elementManifest, eventMap } from '../../scripts/element-manifest.mjs';
import { packageEntries } from '../../scripts/reference-entries.mjs';
import { prometheusMetrics } from '../../server/metrics/index.ts';
import { attributesIn } from './attributes-in.ts';
import { PAGES, ROOT, blocksOf, proseOf, textOf } from './markdown-pages.ts';

/** What is named somewhere: the text in code, with its line and the cells of its row. */
interface Named {
  readonly at: string;
  readonly text: string;
}

const elements = elementManifest().modules.flatMap(({ declarations }) => declarations);
const tags = new Map(elements.map((element) => [element.tagName, element]));
const events = new Set(eventMap().map(({ name }) => name));
const codes = new Set(Object.keys(LOCK_ERROR_STATUS));
const paths = new Set(packageEntries().map(({ name }) => name));
const styles = readFileSync(`${ROOT}components/before-upgrade.css`, 'utf8');
const properties = new Set([
  ...elements.flatMap(({ cssProperties }) => cssProperties.map(({ name }) => name)),
  ...(styles.match(/--lock-[a-z-]+/g) ?? []),
]);
const states = new Set(elements.flatMap(({ cssStates }) => cssStates.map(({ name }) => name)));
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly scripts: object };

/** Every word of the sources, for names that have no list: variables of the environment, constants. */
const words = new Set(
  ['core', 'server', 'components', 'conformance', 'mocks', 'demo', 'scripts', 'test', 'lua']
    .flatMap((folder) =>
      readdirSync(ROOT + folder, { recursive: true }).map((file) => `${folder}/${String(file)}`),
    )
    .filter((file) => /\.(?:ts|mjs|lua|cs)$/.test(file) && !file.startsWith('test/docs/'))
    .flatMap((file) => readFileSync(ROOT + file, 'utf8').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []),
);

/** Pieces of inline code; with a head: only those of table columns that have it, and not what is in parentheses there. */
function namedIn(page: string, head?: RegExp): readonly Named[] {
  const named: Named[] = [];
  let columns: readonly number[] = [];
  for (const [index, line] of proseOf(textOf(page)).split('\n').entries()) {
    const cells = line.startsWith('|') ? line.replaceAll('\\|', BAR).split('|').slice(1, -1) : [];
    const heads = cells.flatMap((cell, column) => (head?.test(cell.trim()) === true ? [column] : []));
    if (cells.length === 0 || heads.length > 0) columns = heads;
    const inColumns = columns.map((column) => (cells[column] ?? '').replaceAll(/\([^)]*\)/g, ''));
    for (const [, , text = ''] of (head === undefined ? line : inColumns.join(' ')).matchAll(
      /(`+)(.+?)\1/g,
    )) {
      named.push({ at: `${page}:${index + 1}`, text: text.replaceAll(BAR, '|').trim() });
    }
  }
  return named;
}

/** In the place of a bar that ends no cell. */
const BAR = '\u0001';
const pages = PAGES.filter((page) => !page.startsWith('docs/reference/'));
const named = pages.flatMap((page) => namedIn(page));
const unknown = (all: readonly Named[], pattern: RegExp, isKnown: (text: string) => boolean) => {
  const looked = all.flatMap(({ at, text }) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? [] : [{ at, found }];
  });
  return {
    count: looked.length,
    faults: looked.filter(({ found }) => !isKnown(found)).map(({ at, found }) => `${at}: ${found}`),
  };
};

/** Nothing unknown, in at least so many: a pattern that finds nothing would find nothing wrong. */
function holds({ count, faults }: ReturnType<typeof unknown>, atLeast: number): void {
  assert.deepEqual(faults, []);
  assert.equal(count >= atLeast, true, `only ${count} were found`);
}

describe('what the documentation names', () => {
  it('error codes: in tables of codes, and after a status', () => {
    const inTables = pages.flatMap((page) => namedIn(page, /^code$/));
    const afterStatus = pages.flatMap((page) =>
      [...proseOf(textOf(page)).matchAll(/\b[45]\d\d `([a-z]+(?:-[a-z]+)+)`/g)].map(([, text = '']) => ({
        at: page,
        text,
      })),
    );
    holds(
      unknown([...inTables, ...afterStatus], /^([a-z]+(?:-[a-z]+)*)$/, (code) => codes.has(code)),
      20,
    );
  });

  it('events, elements and entries that begin with “lock-”', () => {
    const isKnown = (name: string) => events.has(name) || tags.has(name) || paths.has(`rowlock/${name}`);
    holds(unknown(named, /^(lock-[a-z]+(?:-[a-z]+)*)$/, isKnown), 20);
  });

  it('elements and their attributes, in the text and in samples of markup', () => {
    const markup = pages.flatMap((page) => [
      ...namedIn(page).filter(({ text }) => /^<[a-z]/.test(text)),
      ...blocksOf(page)
        .filter(({ language }) => ['html', 'vue', 'svelte', 'tsx'].includes(language))
        .map(({ line, text }) => ({ at: `${page}:${line}`, text })),
    ]);
    const used = markup.flatMap(({ at, text }) => attributesIn(text).map((one) => ({ at, ...one })));
    const faults = used.flatMap(({ at, tag, attribute }) => {
      const element = tags.get(tag);
      if (element === undefined) return [`${at}: <${tag}>`];
      const known = [...element.attributes, ...element.members.filter(({ kind }) => kind === 'field')];
      const isKnown =
        attribute === '' || events.has(attribute) || known.some(({ name }) => name === attribute);
      return isKnown ? [] : [`${at}: <${tag} ${attribute}>`];
    });
    assert.deepEqual(faults, []);
    assert.equal(used.length >= 40, true, `only ${used.length} were found`);
  });

  it('attributes: in tables of attributes', () => {
    const all = new Set(elements.flatMap(({ attributes }) => attributes.map(({ name }) => name)));
    const inTables = pages.flatMap((page) => namedIn(page, /^attribute/));
    holds(
      unknown(
        inTables,
        /^([a-z]+(?:-[a-z]+)*)(?:=|$)/,
        (name) => all.has(name) || name.startsWith('data-lock-'),
      ),
      0,
    );
  });

  it('custom properties and states', () => {
    const text = pages.map(textOf).join('\n');
    const used = [...text.matchAll(/(--lock-[a-z]+(?:-[a-z]+)*)(?![\w*…-])/g)].map(([, name = '']) => name);
    assert.deepEqual(
      [...new Set(used)].filter((name) => !properties.has(name)),
      [],
    );
    assert.equal(used.length >= 20, true, `only ${used.length} were found`);
    const shown = [...text.matchAll(/(?:lock-[a-z-]+|locked-by-cell):state\(([a-z]+)\)/g)].map(
      ([, name = '']) => name,
    );
    assert.deepEqual(
      [...new Set(shown)].filter((name) => !states.has(name)),
      [],
    );
  });

  it('metrics', () => {
    const metrics = prometheusMetrics();
    const counts = { opened: 0, closed: 0, delivered: 0, slow: 0, broken: 0, silent: 0 };
    metrics.watch({ storeState: () => 'ok', connectionCount: () => 0, hubCounts: () => counts });
    const known = new Set(metrics.register.getMetricsAsArray().map(({ name }) => name));
    const isKnown = (name: string) =>
      known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/, ''));
    holds(unknown(named, /^(rowlock_[a-z_]+)(?:\{|$)/, isKnown), 0);
    assert.equal(known.size >= 10, true, `only ${known.size} metrics`);
  });

  it('variables of the environment and constants', () => {
    holds(
      unknown(named, /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/, (name) => words.has(name)),
      10,
    );
  });

  it('npm scripts', () => {
    holds(
      unknown(named, /^npm run ([\w:-]+)/, (name) => name in scripts),
      5,
    );
  });

  it('import paths', () => {
    holds(
      unknown(named, /^(rowlock\/[a-z/-]+)$/, (path) => paths.has(path)),
      10,
    );
  });

  it('files', () => {
    const file =
      /^((?:test|scripts|docs|core|server|components|mocks|conformance|lua|demo)\/[\w./-]+\.(?:ts|mjs|lua|md|css|html|yml|conf|txt|svg))$/;
    // Decisions speak of their own day.
    const today = named.filter(({ at }) => !/^(?:docs\/decisions|CHANGELOG)/.test(at));
    holds(
      unknown(today, file, (path) => existsSync(ROOT + path)),
      10,
    );
  });
});
