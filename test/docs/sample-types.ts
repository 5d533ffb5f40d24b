import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { elementManifest } from '../../scripts/element-manifest.mjs';
import { elementTypes } from '../../scripts/element-types.mjs';
import { packageEntries } from '../../scripts/reference-entries.mjs';
import { ROOT } from './markdown-pages.ts';

/** A sample as a module: `kind` is `ts`, `tsx`, or `js`, whose parameters need no types. */
export interface TypedSample {
  readonly page: string;
  /** The line of the page on which the text begins. */
  readonly line: number;
  readonly kind: 'ts' | 'tsx' | 'js';
  readonly text: string;
}

/** As strict as an application may be. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

const ASSUMED = `${ROOT}test/docs/assumed/`;
/** JavaScript's own freedoms: what is asked of the page is taken to be there, and has what is asked of it. */
const IN_JAVASCRIPT = new Set([2345, 2531, 2532, 18047, 18048, 2339, 2551]);

/** What no author of JavaScript has to say: types of parameters, and that a text stays the one that it is. */
function isJavaScript(code: number, text: string): boolean {
  const isImplicitAny = code >= 7005 && code <= 7053;
  return (
    isImplicitAny ||
    IN_JAVASCRIPT.has(code) ||
    (code === 2322 && / Type 'string' is not assignable to type '"/.test(text))
  );
}

/** What TypeScript says against the samples, as "page:line: message"; empty = nothing. */
export function typeErrors(samples: readonly TypedSample[]): readonly string[] {
  const files = new Map<string, TypedSample>();
  for (const [at, sample] of samples.entries()) {
    const text = `${sample.text}\n${assumedFor(sample)}\nexport {};\n`;
    const extension = sample.kind === 'tsx' ? 'tsx' : 'ts';
    files.set(`${ROOT}test/docs/sample-${at}.${extension}`, { ...sample, text });
  }
  const program = programOf(files);
  // Of the samples alone: what they import has been checked with the project.
  const found = [...files.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  const errors = [...program.getOptionsDiagnostics(), ...found].flatMap(
    ({ code, messageText, file, start = 0 }) => {
      const sample = files.get(file?.fileName ?? '');
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      if (sample?.kind === 'js' && isJavaScript(code, text)) return [];
      const line = (sample?.line ?? 0) + (file?.getLineAndCharacterOfPosition(start).line ?? 0);
      return `${sample?.page ?? file?.fileName}:${line}: ${text}`;
    },
  );
  return [...new Set(errors)];
}

function programOf(samples: ReadonlyMap<string, TypedSample>): ts.Program {
  // The types for frameworks are made with the build; here from what the build makes them of.
  const frameworks = Object.entries(elementTypes(elementManifest()));
  const texts = new Map([
    ...frameworks.map(([name, text]): [string, string] => [`${ROOT}frameworks/${name}`, text]),
    ...[...samples].map(([path, { text }]): [string, string] => [path, text]),
  ]);
  const host = ts.createCompilerHost(STRICT);
  const { getSourceFile, fileExists, readFile, directoryExists } = host;
  host.directoryExists = (path) => path === `${ROOT}frameworks` || directoryExists?.call(host, path) === true;
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const entries = new Map(
    packageEntries().map(({ name, source }) => [name, source ?? `frameworks/${name.split('/').at(-1)}.d.ts`]),
  );
  host.resolveModuleNameLiterals = (names, from, _, options, sourceFile) =>
    names.map((name) => {
      const entry = entries.get(name.text);
      if (entry !== undefined) {
        const extension = entry.endsWith('.d.ts') ? ts.Extension.Dts : ts.Extension.Ts;
        return { resolvedModule: { resolvedFileName: ROOT + entry, extension } };
      }
      const mode = ts.getModeForUsageLocation(sourceFile, name, options);
      return ts.resolveModuleName(name.text, from, options, host, undefined, undefined, mode);
    });
  return ts.createProgram([`${ASSUMED}modules.d.ts`, ...samples.keys()], STRICT, host);
}

/** What a page's samples take as given, without what this sample declares or imports itself. */
function assumedFor({ page, text }: TypedSample): string {
  const own = new Set(
    declaredIn(ts.createSourceFile('sample.tsx', text, ts.ScriptTarget.ES2022, true)).keys(),
  );
  const assumed = new Map<string, string>();
  for (const name of ['everywhere', page.replace(/\.md$/, '').replaceAll('/', '-')]) {
    const path = `${ASSUMED}${name}.d.ts`;
    if (!existsSync(path)) continue;
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
    for (const [declared, statement] of declaredIn(file)) assumed.set(declared, statement.getText());
  }
  return [...assumed].flatMap(([name, statement]) => (own.has(name) ? [] : [statement])).join('\n');
}

/** The names that a file declares or imports, with the statement that does. */
function declaredIn(file: ts.SourceFile): ReadonlyMap<string, ts.Statement> {
  const names = new Map<string, ts.Statement>();
  const add = (name: ts.BindingName, statement: ts.Statement) => {
    if (ts.isIdentifier(name)) names.set(name.text, statement);
    else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name, statement);
  };
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) add(name, statement);
    } else if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (name !== undefined) add(name, statement);
      if (namedBindings === undefined) continue;
      if (ts.isNamespaceImport(namedBindings)) add(namedBindings.name, statement);
      else for (const element of namedBindings.elements) add(element.name, statement);
    } else if (
      (ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement)) &&
      statement.name !== undefined
    ) {
      add(statement.name, statement);
    }
  }
  return names;
}
