import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { packageEntries } from './reference-entries.mjs';
import { anchor } from './reference-markdown.mjs';

/** @typedef {import('./reference-entries.mjs').PackageEntry} PackageEntry */
/**
 * A name that some path of the package exports: where it is declared, its tag where it is an element, and the page that
 * explains it.
 *
 * @typedef {{ name: string, symbol: ts.Symbol, declaration: ts.Declaration, file: string, tag: string | null, page: string, anchor: string }} PublicName
 * @typedef {{ checker: ts.TypeChecker, program: ts.Program, names: ReadonlyMap<string, PublicName>, entries: readonly (PackageEntry & { exported: readonly string[] })[] }} PublicNames
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {ts.CompilerOptions} */
const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/**
 * Every name that the package exports, from the sources themselves. Throws where two entries export different things
 * under one name: the reference could not link to them.
 *
 * @returns {PublicNames}
 */
export function publicNames() {
  const entries = packageEntries();
  const sources = entries.flatMap(({ source }) => (source === null ? [] : [ROOT + source]));
  const program = ts.createProgram(sources, OPTIONS);
  const checker = program.getTypeChecker();
  const exporting = entries.map((entry) => {
    const file = entry.source === null ? undefined : program.getSourceFile(ROOT + entry.source);
    const module = file && checker.getSymbolAtLocation(file);
    return { entry, symbols: module === undefined ? [] : checker.getExportsOfModule(module) };
  });
  /** @type {Map<string, PublicName>} */
  const names = new Map();
  // The server says the words of core again that an application needs there: they are explained on its page.
  const servers = exporting.filter(({ entry }) => entry.page === 'server');
  for (const { entry, symbols } of [...servers, ...exporting]) {
    for (const symbol of symbols) addName(names, symbol, entry, checker);
  }
  const taken = new Set();
  for (const name of [...names.values()].sort((one, other) => byName(one.name, other.name))) {
    if (name.tag !== null) continue;
    // `bulkGuard` and `BulkGuard` have one anchor on a page; the second one gets a number.
    name.anchor = anchor(name.name) + (taken.has(`${name.page}#${anchor(name.name)}`) ? '-1' : '');
    taken.add(`${name.page}#${name.anchor}`);
  }
  return {
    checker,
    program,
    names,
    entries: exporting.map(({ entry, symbols }) => ({
      ...entry,
      exported: symbols.map(({ name }) => name).sort(byName),
    })),
  };
}

/**
 * @param {Map<string, PublicName>} names
 * @param {ts.Symbol} exported
 * @param {PackageEntry} entry
 * @param {ts.TypeChecker} checker
 */
function addName(names, exported, entry, checker) {
  const { name } = exported;
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) throw new Error(`${entry.name}: ${name} is declared nowhere.`);
  const known = names.get(name);
  if (known !== undefined) {
    if (known.symbol === symbol) return;
    throw new Error(`${name} is one thing in ${known.file} and another in ${entry.name}.`);
  }
  const file = declaration.getSourceFile().fileName.replace(ROOT, '');
  const tag = tagOf(symbol);
  names.set(name, {
    name,
    symbol,
    declaration,
    file,
    tag,
    page: pageOf(file, tag, entry),
    anchor: tag ?? '',
  });
}

/**
 * A page is about one subject, whichever paths export its names.
 *
 * @param {string} file
 * @param {string | null} tag
 * @param {PackageEntry} entry
 */
function pageOf(file, tag, entry) {
  if (/^(?:core|server)\/hub\//.test(file) || file === 'core/entity-change.ts') return 'hub';
  if (tag !== null || file === 'components/lock-events.ts') return 'elements';
  return entry.page ?? 'core';
}

/**
 * The tag of an element's class.
 *
 * @param {ts.Symbol} symbol
 */
function tagOf(symbol) {
  const tag = symbol.getJsDocTags().find(({ name }) => name === 'tagname');
  return tag === undefined ? null : ts.displayPartsToString(tag.text);
}

/**
 * @param {string} one
 * @param {string} other
 */
export function byName(one, other) {
  return one.localeCompare(other, 'en');
}
