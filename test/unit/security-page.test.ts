import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const page = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | *\|?$/g, '').trim()));

describe('SECURITY.md', () => {
  it('has a table of threats, each with a defence and a test', () => {
    assert.ok(rows.length >= 25, `${rows.length} rows`);
    for (const row of rows) {
      assert.equal(row.length, 3, row.join(' | '));
      assert.match(row[2] ?? '', /^test\/[\w/-]+\.test\.ts: “.+”$/, row[0]);
    }
  });

  for (const [threat = '', , named = ''] of rows) {
    it(`names a test that exists: ${threat}`, () => {
      const [file = '', name = ''] = named.replace(/”$/, '').split(': “');
      const url = new URL(file, ROOT);
      assert.ok(existsSync(url), file);
      const source = readFileSync(url, 'utf8');
      // As the whole name of a test or of a group of tests, or as the end of one that begins with a name from a list.
      const quoted = new RegExp(
        `(?:it|describe)\\(\\s*['"\`](?:.*\\$\\{.*\\}.* )?${escaped(name)}['"\`]|name: '${escaped(name)}'`,
      );
      assert.equal(quoted.test(source), true, `${file} has no test “${name}”`);
    });
  }
});

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
