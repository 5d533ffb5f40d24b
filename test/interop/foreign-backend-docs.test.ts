import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const QUOTE = /<!-- quoted from (\S+) -->\n\n```\w+\n(.*?)\n```/gs;

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

describe('docs/existing-backends.md', () => {
  const quotes = [...read('docs/existing-backends.md').matchAll(QUOTE)].map(([, path = '', text = '']) => {
    return { path, text };
  });

  it('quotes the sample that the browser runs, whole', () => {
    const sample = 'test/interop/pages/existing-backend.ts';
    const quote = quotes.find(({ path }) => path === sample);
    assert.equal(quote?.text, read(sample).trimEnd());
  });

  it('quotes everything else as it stands in its source', () => {
    const others = [
      'test/interop/pages/page.ts',
      'test/interop/dotnet/backend/Program.cs',
      'test/interop/dotnet/backend/Program.cs',
      'test/interop/dotnet/backend/TokenSettings.cs',
      'test/interop/dotnet/backend/EntityHub.cs',
      'lua/claim.lua',
      'test/interop/dotnet/backend/SharedLocks.cs',
    ];
    assert.deepEqual(quotes.map(({ path }) => path).slice(1), others);
    for (const { path, text } of quotes) assert.ok(read(path).includes(text), `${path} has what is quoted`);
  });
});
