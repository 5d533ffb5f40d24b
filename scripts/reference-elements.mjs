import { elementManifest } from './element-manifest.mjs';
import { elementDefaults } from './reference-defaults.mjs';
import { cell, code, prose, table, unitOf } from './reference-markdown.mjs';

/** @typedef {import('./element-manifest.mjs').ElementDeclaration} ElementDeclaration */
/** @typedef {import('./reference-names.mjs').PublicNames} PublicNames */
/** @typedef {import('./reference-types.mjs').TypeTexts} TypeTexts */

/**
 * A section for each element, headed by its tag: what custom-elements.json says of it.
 *
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 */
export function elementSections({ names, checker }, types) {
  return elementManifest()
    .modules.flatMap(({ declarations }) => declarations)
    .map((element) => {
      const name = names.get(element.name);
      if (name === undefined) throw new Error(`${element.name} is not exported.`);
      return elementSection(element, types, elementDefaults(name.symbol, checker));
    });
}

/**
 * @param {ElementDeclaration} element
 * @param {TypeTexts} types
 * @param {ReadonlyMap<string, string>} defaults
 */
function elementSection(element, types, defaults) {
  const { tagName, name, description, events, slots, cssParts, cssProperties, cssStates } = element;
  const linked = (/** @type {string} */ text) => types.linked(text, 'elements');
  const named = (
    /** @type {{ name: string, description?: string }} */ { name: one, description: about = '' },
  ) => [one === '' ? '(default)' : code(one), cell(about)];
  const parts = [
    ['Attributes and properties', settingsTable(element, linked, defaults)],
    ['Methods', methodTable(element, linked)],
    [
      'Events',
      table(
        ['event', 'type', 'meaning'],
        events.map((event) => [
          code(event.name),
          linked(event.type?.text ?? ''),
          cell(event.description ?? ''),
        ]),
      ),
    ],
    ['Slots', table(['slot', 'meaning'], slots.map(named))],
    ['Parts', table(['part', 'meaning'], cssParts.map(named))],
    [
      'Custom properties',
      table(
        ['property', 'default', 'meaning'],
        cssProperties.map((property) => [
          code(property.name),
          code(property.default ?? ''),
          cell(property.description ?? ''),
        ]),
      ),
    ],
    [
      'States',
      table(
        ['state', 'meaning'],
        cssStates.map((state) => [code(`:state(${state.name})`), cell(state.description ?? '')]),
      ),
    ],
  ];
  const shown = parts.filter(
    ([, text]) => text?.includes('\n| --- ') === true && text.split('\n').length > 2,
  );
  return [
    `## ${tagName}`,
    `Class ${code(name)}. ${prose(description)}`,
    ...shown.map(([heading, text]) => `**${heading ?? ''}**\n\n${text ?? ''}`),
  ].join('\n\n');
}

/**
 * @param {ElementDeclaration} element
 * @param {(text: string) => string} linked
 * @param {ReadonlyMap<string, string>} defaults
 */
function settingsTable({ members, attributes }, linked, defaults) {
  const fields = members.filter(({ kind }) => kind === 'field');
  return table(
    ['attribute', 'property', 'type', 'default', 'unit', 'meaning'],
    fields.map((field) => {
      const attribute = attributes.find(({ fieldName }) => fieldName === field.name);
      const about = attribute?.description ?? field.description ?? '';
      return [
        code(attribute?.name ?? ''),
        code(field.name),
        linked(attribute?.parsedType?.text ?? field.type?.text ?? '') +
          (field.readonly === true ? ' (read only)' : ''),
        field.readonly === true ? '' : code(defaults.get(field.name) ?? field.default ?? ''),
        unitOf(field.name, about),
        cell(about),
      ];
    }),
  );
}

/**
 * @param {ElementDeclaration} element
 * @param {(text: string) => string} linked
 */
function methodTable({ members }, linked) {
  const methods = members.filter(({ kind }) => kind === 'method');
  return table(
    ['method', 'meaning'],
    methods.map((method) => {
      const parameters = (method.parameters ?? []).map(
        (parameter) =>
          `${parameter.name}${'optional' in parameter ? '?' : ''}: ${parameter.type?.text ?? 'unknown'}`,
      );
      const text = `${method.name}(${parameters.join(', ')}): ${method.return?.type?.text ?? 'void'}`;
      return [linked(text), cell(method.description ?? '')];
    }),
  );
}
