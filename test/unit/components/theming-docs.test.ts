import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../../../', import.meta.url);
const FOLDER = new URL('components/', ROOT);
const page = readFileSync(new URL('docs/theming.md', ROOT), 'utf8');
/** The elements that the page speaks of. */
const sources = readdirSync(FOLDER)
  .filter((file) =>
    /^(?:lock-banner|lock-banner\.styles|lock-guard|locked-by-cell|row-marking)\.ts$/.test(file),
  )
  .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
  .join('\n');

const named = (pattern: RegExp): readonly string[] =>
  [...new Set([...sources.matchAll(pattern)].map(([, name = '']) => name))].sort();
const isDocumented = (name: string): boolean => page.includes(`\`${name}\``);

describe('docs/theming.md', () => {
  for (const [what, pattern] of [
    ['part', /@csspart ([\w-]+)/g],
    ['custom property', /@cssprop (--[\w-]+)/g],
    ['custom state', /@cssState ([\w-]+)/g],
  ] as const) {
    it(`names every ${what} of the elements`, () => {
      const names = named(pattern);
      assert.equal(names.length > 3, true, `${names.length} were found`);
      assert.deepEqual(
        names.filter((name) => !isDocumented(name)),
        [],
      );
    });
  }

  it('names no custom property that no element reads', () => {
    const documented = [...page.matchAll(/^\| `(--lock-[\w-]+)`/gm)].map(([, name = '']) => name).sort();
    assert.deepEqual(documented, named(/var\((--lock-[\w-]+)/g));
    assert.deepEqual(documented, named(/@cssprop (--lock-[\w-]+)/g));
  });

  it('tells the defaults that are in force', () => {
    for (const [, name, value] of page.matchAll(/^\| `(--lock-[\w-]+)`\s+\| `([^`]+)`/gm)) {
      assert.equal(
        sources.includes(`var(${name ?? ''}, ${value ?? ''})`),
        true,
        `${name ?? ''}: ${value ?? ''}`,
      );
    }
  });

  it('exports all parts of the banner from the guard', () => {
    const banner = readFileSync(new URL('lock-banner.ts', FOLDER), 'utf8');
    const parts = [...banner.matchAll(/@csspart ([\w-]+)/g)].map(([, name]) => name).sort();
    const guard = readFileSync(new URL('lock-guard.ts', FOLDER), 'utf8');
    const exported = /exportparts="([^"]+)"/.exec(guard)?.[1]?.split(', ').sort();
    assert.deepEqual(exported, parts);
  });
});
