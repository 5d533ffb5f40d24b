// docs/reference is written by `npm run reference`; a change of a public name or of its comment changes it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { statedDefaults, undocumented } from '../../scripts/reference-gaps.mjs';
import { openReference, referencePages } from '../../scripts/reference-pages.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the reference', () => {
  let reference: ReturnType<typeof openReference>;
  let pages: ReturnType<typeof referencePages>;

  before(async () => {
    // The reader of this output hears that something has begun before the compiler has the process to itself.
    await setImmediate();
    reference = openReference();
    pages = referencePages(reference);
  });

  it('says what the sources say (npm run reference)', () => {
    for (const [path, text] of pages) {
      assert.equal(existsSync(ROOT + path), true, `${path} is missing: npm run reference`);
      const lines = text.split('\n');
      const written = readFileSync(ROOT + path, 'utf8').split('\n');
      const at = lines.findIndex((line, index) => line !== written[index]);
      const difference = `${path}:${at + 1} has\n  ${written[at]}\nand the sources say\n  ${lines[at]}`;
      assert.equal(at, -1, `${difference}\nnpm run reference writes it.`);
      assert.equal(written.length, lines.length, `${path} goes on after the end: npm run reference`);
    }
    const files = readdirSync(`${ROOT}docs/reference`).map((file) => `docs/reference/${file}`);
    assert.deepEqual(files.sort(), [...pages.keys()].sort());
  });

  it('explains every name that a path of the package exports', () => {
    const { entries, names } = reference.sources;
    assert.equal(entries.filter(({ exported }) => exported.length > 0).length >= 12, true, 'too few entries');
    for (const { name: path, exported } of entries) {
      for (const name of exported) {
        const known = names.get(name);
        const heading = typeof known?.tag !== 'string' ? `\n### ${name}\n` : `\n## ${known.tag}\n`;
        const page = pages.get(`docs/reference/${known?.page}.md`) ?? '';
        assert.equal(page.includes(heading), true, `${path} exports ${name}, which no page explains`);
      }
    }
  });

  it('finds a comment for every public name and for all that it has', () => {
    assert.deepEqual(undocumented(reference.sources, reference.types), []);
  });

  it('finds the defaults that comments state in the code', () => {
    const { compared, wrong } = statedDefaults(reference.sources, reference.types);
    assert.deepEqual(wrong, []);
    assert.equal(compared >= 30, true, `only ${compared} defaults could be compared`);
  });
});
