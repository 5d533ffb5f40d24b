import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { elementManifest, eventMap, type ElementDeclaration } from '../../../scripts/element-manifest.mjs';

const COMPONENTS = fileURLToPath(new URL('../../../components/', import.meta.url));
const SOURCES: ReadonlyMap<string, ts.SourceFile> = new Map(
  readdirSync(COMPONENTS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(COMPONENTS + file, 'utf8');
      return [file, ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)];
    }),
);
const LIFE_CYCLE = /Callback$/;

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();
const namesOf = (list: readonly { readonly name: string }[]): readonly string[] =>
  sorted(list.map(({ name }) => name));

function classNamed(name: string): ts.ClassDeclaration | undefined {
  return [...SOURCES.values()]
    .flatMap(({ statements }) => [...statements])
    .filter(ts.isClassDeclaration)
    .find((declaration) => declaration.name?.text === name);
}

/** The text of the module of a class. */
function sourceOf({ name }: ElementDeclaration): string {
  return classNamed(name)?.getSourceFile().text ?? '';
}

/** What a class and those it extends, of our own, let an application use, without having a word for it or with one. */
function publicMembers(name: string): readonly string[] {
  const declaration = classNamed(name);
  if (declaration === undefined) return [];
  const own = declaration.members.flatMap((member) => {
    const text = member.name?.getText() ?? '#';
    const flags = ts.getCombinedModifierFlags(member);
    const isHidden =
      (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static)) !== 0 ||
      ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
    return isHidden || text.startsWith('#') || LIFE_CYCLE.test(text) ? [] : [text];
  });
  const heritage = declaration.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
  return sorted([...own, ...publicMembers(heritage)]);
}

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

describe('custom-elements.json', () => {
  const { modules } = elementManifest();
  const elements = modules.flatMap(({ declarations }) => declarations);

  /** What each element really has, beside what the manifest says of it. */
  function compare(
    said: (element: ElementDeclaration) => readonly string[],
    real: (element: ElementDeclaration) => readonly string[],
  ): void {
    for (const element of elements) {
      assert.deepEqual(said(element), real(element), `<${element.tagName}>`);
    }
  }

  it('has every element, and says where each is registered', () => {
    const defining = [...SOURCES].filter(([file]) => file.startsWith('define'));
    const registered = defining.flatMap(([file, { text }]) =>
      matches(text, /(?:\[|define\()'([a-z]+-[a-z-]+)', \w+[\])]/g).map((tag) => `${tag} ${file}`),
    );
    assert.ok(registered.length >= 4, 'elements were found');
    const said = modules.flatMap(({ path, exports }) =>
      exports
        .filter((one) => 'kind' in one && one.kind === 'custom-element-definition')
        .map((one) => `${'name' in one ? String(one.name) : ''} ${basename(path, '.js')}.ts`),
    );
    assert.deepEqual(sorted(said), sorted(registered));
    assert.deepEqual(
      sorted(elements.map(({ tagName }) => tagName)),
      sorted(registered.map((line) => line.split(' ')[0] ?? '')),
    );
  });

  it('has the attributes that each class observes', async () => {
    const observed = new Map<string, readonly string[]>();
    for (const { path, declarations } of modules) {
      for (const { name } of declarations) {
        const file = `${COMPONENTS}${basename(path, '.js')}.ts`;
        const module = (await import(pathToFileURL(file).href)) as Record<
          string,
          { readonly observedAttributes: Iterable<string> }
        >;
        observed.set(name, sorted(module[name]?.observedAttributes ?? []));
      }
    }
    compare(
      ({ attributes }) => namesOf(attributes),
      ({ name }) => observed.get(name) ?? [],
    );
  });

  it('has every public property and method, and no other', () => {
    compare(
      ({ members }) => namesOf(members),
      ({ name }) => publicMembers(name),
    );
  });

  it('has the events of the event map, with their types', () => {
    const declared = eventMap();
    const shared = declared.filter(({ file }) => file === 'lock-events.ts');
    assert.ok(shared.length >= 9, 'events are declared');
    const said = elements.flatMap(({ events }) =>
      events.map(({ name, type }) => `${name}: ${type?.text ?? ''}`),
    );
    const known = declared.map(({ name, type }) => `${name}: ${type}`);
    assert.deepEqual(
      said.filter((line) => !known.includes(line)),
      [],
    );
    for (const { name, type } of shared)
      assert.ok(said.includes(`${name}: ${type}`), `${name} is documented`);
    const dispatched = [...SOURCES.values()].flatMap(({ text }) =>
      matches(text, /Event\(\s*'(lock-[\w-]+)'/g),
    );
    for (const name of dispatched) {
      assert.ok(
        declared.some((event) => event.name === name),
        `${name} is declared`,
      );
    }
  });

  it('has the slots of each template', () => {
    compare(
      ({ slots }) => namesOf(slots),
      (element) => sorted(matches(sourceOf(element), /<slot(?: name="(\w+)")?\s*>/g)),
    );
  });

  it('has the parts of each template, those passed on included', () => {
    compare(
      ({ cssParts }) => namesOf(cssParts),
      (element) => {
        const text = sourceOf(element);
        const passedOn = matches(text, /exportparts="([^"]+)"/g).flatMap((list) => list.split(/,\s*/));
        return sorted([
          ...matches(text, /\spart="([\w-]+)"/g),
          ...matches(text, /\.part\.add\('([\w-]+)'\)/g),
          // The banner's buttons take theirs as a parameter.
          ...matches(text, /\bbutton\('([\w-]+)'/g),
          ...passedOn,
        ]);
      },
    );
  });

  it('has the custom states that each class sets', () => {
    const leaseStates = readFileSync(`${COMPONENTS}client/lease-state.ts`, 'utf8');
    const union = /export type LeaseState =([^;]+);/.exec(leaseStates)?.[1] ?? '';
    compare(
      ({ cssStates }) => namesOf(cssStates),
      (element) => {
        const lines = sourceOf(element)
          .split('\n')
          .filter((line) => line.includes('#states'))
          .join('\n');
        return sorted([
          ...matches(lines, /'([\w-]+)'/g).filter((word) => !/^(add|delete|toggle)$/.test(word)),
          ...(/\[state\b/.test(lines) ? matches(union, /'(\w+)'/g) : []),
        ]);
      },
    );
  });

  it('has every custom property that a style asks for, with what it is by default', () => {
    const asked = [...SOURCES.values()].flatMap(({ text }) => matches(text, /var\(\s*(--lock-[\w-]+)/g));
    assert.ok(asked.length >= 7, 'custom properties were found');
    const documented = elements.flatMap(({ cssProperties }) => cssProperties);
    assert.deepEqual(namesOf(documented), sorted(asked));
    for (const { name, default: fallback } of documented) assert.notEqual(fallback, '', name);
  });

  it('describes all of it, and nothing private', () => {
    for (const element of elements) {
      const { members, attributes, events, slots, cssParts, cssProperties, cssStates } = element;
      const all = [element, ...members, ...attributes, ...events, ...slots, ...cssParts];
      for (const { name, description = '' } of [...all, ...cssProperties, ...cssStates]) {
        assert.notEqual(description.trim(), '', `<${element.tagName}>: ${name} has no description`);
      }
      const text = JSON.stringify(element);
      assert.doesNotMatch(text, /"name":"#|@internal|"privacy":"pr|lease-element/, element.tagName);
    }
  });
});
