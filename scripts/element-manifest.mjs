// Not its command line, which writes into package.json.
// @ts-expect-error -- it has no types
import { create } from '@custom-elements-manifest/analyzer/src/create.js';
// @ts-expect-error -- nor here
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The analyzer's own TypeScript, by whose numbers it tells nodes apart. */
const analyzerTs = /** @type {typeof ts} */ (
  createRequire(import.meta.resolve('@custom-elements-manifest/analyzer/src/create.js'))('typescript')
);
/** Called by the browser, never by an application. */
const CALLBACK = /^(?:connected|disconnected|adopted|attributeChanged|connectedMove)Callback$/;

/**
 * @typedef {{ readonly text: string }} TypeText
 * @typedef {{ name: string, description?: string, type?: TypeText, parsedType?: TypeText, fieldName?: string, default?: string }} Described
 * @typedef {Described & { kind: string, privacy?: string, static?: boolean, readonly?: boolean, attribute?: string, parameters?: Described[], return?: { type?: TypeText }, inheritedFrom?: object }} Member
 * @typedef {{
 *   kind: string, name: string, description: string, tagName: string, customElement: true,
 *   superclass?: { name: string, package?: string, module?: string },
 *   members: Member[], attributes: Described[], events: Described[], slots: Described[],
 *   cssParts: Described[], cssProperties: Described[], cssStates: Described[],
 * }} ElementDeclaration
 * @typedef {Pick<ElementDeclaration, 'kind' | 'name' | 'description'> & Partial<ElementDeclaration>} Analyzed
 * @typedef {{ kind: string, path: string, declarations: ElementDeclaration[], exports: object[] }} ElementModule
 * @typedef {{ schemaVersion: string, readme: string, modules: ElementModule[] }} ElementManifest
 */

/**
 * What the elements offer, in the format of custom-elements.json: what an application may use, and nothing of how it
 * works inside. Types of events come from the event map, and unions are spelled out, as editors need both.
 *
 * @returns {ElementManifest}
 */
export function elementManifest() {
  const files = readdirSync(`${ROOT}components`).filter((file) => file.endsWith('.ts'));
  const sources = files.map((file) => {
    const text = readFileSync(`${ROOT}components/${file}`, 'utf8');
    return analyzerTs.createSourceFile(`components/${file}`, text, analyzerTs.ScriptTarget.ES2015, true);
  });
  const analyzed = /** @type {{ modules: { path: string, declarations: Analyzed[] }[] }} */ (
    create({ modules: sources, plugins: litPlugin(), context: { dev: false } })
  );
  const eventTypes = new Map(eventMap().map(({ name, type }) => [name, type]));
  const modules = analyzed.modules.flatMap(({ path, declarations }) => {
    const element = declarations.find(({ customElement, tagName }) => customElement && tagName);
    return element === undefined ? [] : [moduleOf(path, element, eventTypes)];
  });
  const elements = modules.flatMap(({ declarations }) => declarations);
  for (const { cssParts } of elements) {
    for (const part of cssParts) {
      const same = elements.flatMap((other) => other.cssParts).filter(({ name }) => name === part.name);
      part.description ??= same.find(({ description }) => description !== undefined)?.description ?? '';
    }
  }
  const defining = files
    .filter((file) => file.startsWith('define'))
    .map((file) => definingModule(file, modules));
  return { schemaVersion: '2.1.0', readme: 'README.md', modules: [...modules, ...defining] };
}

/**
 * A module that registers elements, by the tags that it names.
 *
 * @param {string} file
 * @param {readonly ElementModule[]} modules
 * @returns {ElementModule}
 */
function definingModule(file, modules) {
  const text = readFileSync(`${ROOT}components/${file}`, 'utf8');
  const exports = modules.flatMap(({ path, declarations }) =>
    declarations
      .filter(({ tagName }) => text.includes(`'${tagName}', `))
      .map(({ name, tagName }) => ({
        kind: 'custom-element-definition',
        name: tagName,
        declaration: { name, module: path },
      })),
  );
  const path = `dist/components/${file.replace(/\.ts$/, '.js')}`;
  return { kind: 'javascript-module', path, declarations: [], exports };
}

/**
 * The events that our modules add to the page's, from their additions to the global event map.
 *
 * @returns {readonly { readonly name: string, readonly type: string, readonly file: string }[]}
 */
export function eventMap() {
  /** @type {{ name: string, type: string, file: string }[]} */
  const events = [];
  for (const file of readdirSync(`${ROOT}components`).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(`${ROOT}components/${file}`, 'utf8');
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isInterfaceDeclaration(node) && node.name.text.endsWith('EventMap')) {
        for (const member of node.members) {
          if (!ts.isPropertySignature(member) || !ts.isStringLiteral(member.name)) continue;
          events.push({ name: member.name.text, type: member.type?.getText() ?? 'Event', file });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  }
  return events;
}

/**
 * @param {string} path
 * @param {Analyzed} element
 * @param {ReadonlyMap<string, string>} eventTypes
 * @returns {ElementModule}
 */
function moduleOf(path, element, eventTypes) {
  const source = readFileSync(ROOT + path, 'utf8');
  const built = `dist/${path.replace(/\.ts$/, '.js')}`;
  const members = (element.members ?? []).filter(isPublic).map(({ inheritedFrom: _, ...member }) => ({
    ...member,
    privacy: 'public',
  }));
  const attributes = (element.attributes ?? []).map((attribute) => {
    const fieldName = attribute.fieldName ?? camelCase(attribute.name);
    const field = members.find(({ name }) => name === fieldName);
    const { inheritedFrom: _, ...rest } = /** @type {Member} */ (attribute);
    const type = field?.type ?? attribute.type ?? { text: 'string' };
    if (field !== undefined) field.attribute = attribute.name;
    return { ...rest, fieldName, type, parsedType: { text: spelledOut(type.text, source) } };
  });
  const { superclass: _, ...declaration } = element;
  return {
    kind: 'javascript-module',
    path: built,
    declarations: [
      {
        ...declaration,
        tagName: element.tagName ?? '',
        customElement: true,
        members,
        attributes,
        events: (element.events ?? []).map((event) => {
          const { inheritedFrom: _inherited, ...rest } = /** @type {Member} */ (event);
          return { ...rest, type: { text: eventTypes.get(event.name) ?? 'undeclared' } };
        }),
        slots: element.slots ?? [],
        cssParts: [...(element.cssParts ?? []), ...exportedParts(element, source)],
        cssProperties: (element.cssProperties ?? []).map((property) => ({
          ...property,
          default: fallback(property.name),
        })),
        cssStates: element.cssStates ?? [],
      },
    ],
    exports: [{ kind: 'js', name: element.name, declaration: { name: element.name, module: built } }],
  };
}

/**
 * Parts of an element inside that are passed on, and have been described there.
 *
 * @param {Analyzed} element
 * @param {string} source
 * @returns {Described[]}
 */
function exportedParts({ cssParts = [] }, source) {
  const exported = /exportparts="([^"]+)"/.exec(source)?.[1]?.split(/,\s*/) ?? [];
  return exported.filter((part) => !cssParts.some(({ name }) => name === part)).map((name) => ({ name }));
}

/** @param {Member} member */
function isPublic({ name, privacy = 'public', static: isStatic }) {
  return privacy === 'public' && isStatic !== true && !name.startsWith('#') && !CALLBACK.test(name);
}

/**
 * A union that has a name of its own, spelled out.
 *
 * @param {string} type
 * @param {string} source
 */
function spelledOut(type, source) {
  if (!/^\w+$/.test(type)) return type;
  return new RegExp(`^export type ${type} = ([^;]+);`, 'm').exec(source)?.[1] ?? type;
}

/**
 * What a custom property is where the page says nothing.
 *
 * @param {string} property
 */
function fallback(property) {
  const files = readdirSync(`${ROOT}components`).filter((file) => file.endsWith('.ts'));
  const styles = files.map((file) => readFileSync(`${ROOT}components/${file}`, 'utf8')).join('\n');
  const asked = new RegExp(`var\\(\\s*${property},\\s*((?:[^()]|\\([^()]*\\))*)\\)`).exec(styles);
  // What is there to be read has the value that it is given first.
  const [, value = ''] = asked ?? new RegExp(`\\s${property}: ([^;]+);`).exec(styles) ?? [];
  return value.replace(/\s+/g, ' ').trim();
}

/** @param {string} kebab */
function camelCase(kebab) {
  return kebab.replace(/-(\w)/g, (_, letter) => String(letter).toUpperCase());
}
