import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** As strict as an application may be; entries are where the package's exports come from. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  paths: { rowlock: [`${ROOT}components/index.ts`], 'rowlock/*': [`${ROOT}components/*.ts`] },
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What TypeScript says against the samples of these pages, and one that is given; empty = nothing. */
async function typeErrors(pages: readonly string[], given: string): Promise<readonly string[]> {
  const texts = new Map([[`${ROOT}test/sample.ts`, given]]);
  for (const page of pages) {
    const text = await readFile(ROOT + page, 'utf8');
    for (const [, sample = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
      texts.set(`${ROOT}test/sample-${texts.size}.ts`, `${sample}\nexport {};\n`);
    }
  }
  assert.equal(texts.size > pages.length, true, `${texts.size} samples were found`);
  const host = ts.createCompilerHost(STRICT);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...texts.keys()], STRICT, host);
  const files = [...texts.keys()].map((path) => program.getSourceFile(path));
  const found = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return [...program.getOptionsDiagnostics(), ...found].map(
    ({ messageText, file }) =>
      `${file?.fileName.replace(ROOT, '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

describe('the samples of docs/drafts.md and docs/blocking.md', () => {
  it('are right for strict TypeScript', async () => {
    // One with a fault, so that a check which sees nothing does not pass.
    const faulty = "import { keepDrafts } from 'rowlock/draft-keeper';\nkeepDrafts(document.body, {});\n";
    const [seen = 'nothing', ...others] = await typeErrors(['docs/drafts.md', 'docs/blocking.md'], faulty);
    assert.match(seen, /^test\/sample\.ts: .*HTMLElement/);
    assert.deepEqual(others, []);
  });
});
