import assert from 'node:assert/strict';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { packPackage, type PackedPackage } from '../support/packed-package.ts';

const SAMPLES = fileURLToPath(new URL('../frameworks/', import.meta.url));

/** As strict as an application may be. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};
const BUNDLER: ts.CompilerOptions = {
  ...STRICT,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  skipLibCheck: true,
};
const NODE_NEXT: ts.CompilerOptions = {
  ...STRICT,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  skipLibCheck: true,
};

/** What TypeScript says against an application: nothing, where all is right and every `@ts-expect-error` was needed. */
function typeErrors(files: readonly string[], options: ts.CompilerOptions): readonly string[] {
  const program = ts.createProgram(files, options);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start = 0, messageText }) =>
      [
        file?.fileName.split('/').slice(-3).join('/'),
        (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
        ts.flattenDiagnosticMessageText(messageText, ' '),
      ].join(':'),
    );
}

describe('the types of the package', () => {
  let packed: PackedPackage;
  let samples: readonly string[] = [];
  before(async () => {
    packed = await packPackage('types');
    await cp(`${SAMPLES}types`, `${packed.folder}/types`, { recursive: true });
    await cp(`${SAMPLES}apps`, `${packed.folder}/apps`, { recursive: true });
    // The documentation's samples in JSX, which need the types that the build writes.
    const page = await readFile(`${SAMPLES}../../docs/frameworks.md`, 'utf8');
    for (const [index, [, sample = '']] of [...page.matchAll(/^```tsx\n(.*?)^```$/gms)].entries()) {
      await writeFile(`${packed.folder}/types/sample-${index}.tsx`, sample);
    }
    samples = (await readdir(`${packed.folder}/types`)).map((file) => `${packed.folder}/types/${file}`);
  });
  after(() => packed.remove());

  it('are found and right for a bundler: React, an application with it, the documentation', () => {
    assert.equal(samples.length, 6);
    const react = samples.filter((file) => file.endsWith('.tsx'));
    assert.deepEqual(typeErrors([...react, `${packed.folder}/apps/react/main.tsx`], BUNDLER), []);
  });

  it('are found and right for a bundler: elements, events, Vue, Svelte', () => {
    const others = samples.filter((file) => !file.endsWith('.tsx'));
    assert.deepEqual(typeErrors(others, BUNDLER), []);
  });

  it('are found and right with nodenext', () => {
    const plain = samples.filter((file) => /(dom|server)\.ts$/.test(file));
    assert.equal(plain.length, 2);
    assert.deepEqual(typeErrors(plain, NODE_NEXT), []);
  });
});
