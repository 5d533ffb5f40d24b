// The types of the elements for frameworks, written from the manifest: attributes, properties and events as each
// framework's templates name them. Only `elements.d.ts` knows which elements there are.

/** @typedef {import('./element-manifest.mjs').ElementManifest} ElementManifest */
/** @typedef {import('./element-manifest.mjs').ElementDeclaration} ElementDeclaration */

const HEAD = '// Generated with the build.\n';
const EVENTS = 'readonly [E in ElementEvents[Tag] as';
const HANDLER = ']?: ((event: GlobalEventHandlersEventMap[E]) => unknown) | undefined;';

/**
 * Declaration files by name. Beside each of them belongs an empty module, so that it can be imported.
 *
 * @param {ElementManifest} manifest
 * @returns {Readonly<Record<string, string>>}
 */
export function elementTypes(manifest) {
  const elements = manifest.modules.flatMap(({ declarations }) => declarations);
  const tags = elements.map(({ tagName }) => tagName);
  /** @param {string} type */
  const byTag = (type) => tags.map((tag) => `'${tag}': ${type.replace('TAG', `'${tag}'`)};`).join('\n    ');
  return {
    'elements.d.ts': `${HEAD}${imports(manifest)}

/** What can be set on each element, by the name of the attribute and by that of the property. */
export interface ElementSettings {
${elements.map(settings).join('\n')}
}

/** The events of each element. */
export interface ElementEvents {
${elements.map(({ tagName, events }) => `  '${tagName}': ${events.map(({ name }) => `'${name}'`).join(' | ') || 'never'};`).join('\n')}
}
`,
    'react.d.ts': `${HEAD}import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ElementEvents, ElementSettings } from './elements.js';

/** React leaves out an attribute that is \`false\`, which is then not said: write \`"false"\`, or set the property. */
type Attributes<Settings> = {
  [Key in keyof Settings]: Key extends \`\${string}-\${string}\` ? Exclude<Settings[Key], false> : Settings[Key];
};

type ElementProps<Tag extends keyof ElementSettings> = DetailedHTMLProps<
  HTMLAttributes<HTMLElementTagNameMap[Tag]>,
  HTMLElementTagNameMap[Tag]
> &
  Attributes<ElementSettings[Tag]> & { ${EVENTS} \`on\${E}\`${HANDLER} };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
    ${byTag('ElementProps<TAG>')}
    }
  }
}
`,
    'vue.d.ts': `${HEAD}import type { HTMLAttributes, ReservedProps } from 'vue';
import type { ElementEvents, ElementSettings } from './elements.js';

type Pascal<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\`
  ? \`\${Capitalize<First>}\${Pascal<Rest>}\`
  : Capitalize<Name>;

type ElementProps<Tag extends keyof ElementSettings> = ReservedProps &
  HTMLAttributes &
  ElementSettings[Tag] & { ${EVENTS} \`on\${Pascal<E>}\`${HANDLER} };

type VueElement<Tag extends keyof ElementSettings> = new () => HTMLElementTagNameMap[Tag] & {
  /** @deprecated For templates alone; there is no such property. */
  readonly $props: ElementProps<Tag>;
};

declare module 'vue' {
  interface GlobalComponents {
    ${byTag('VueElement<TAG>')}
  }
}
`,
    'svelte.d.ts': `${HEAD}import type { HTMLAttributes } from 'svelte/elements';
import type { ElementEvents, ElementSettings } from './elements.js';

type ElementProps<Tag extends keyof ElementSettings> = HTMLAttributes<HTMLElementTagNameMap[Tag]> &
  ElementSettings[Tag] & { ${EVENTS} \`on\${E}\`${HANDLER} };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    ${byTag('ElementProps<TAG>')}
  }
}
`,
  };
}

/**
 * From the elements' own modules: not all of them come with the main entry.
 *
 * @param {ElementManifest} manifest
 */
function imports({ modules }) {
  return modules
    .flatMap(({ path, declarations }) =>
      declarations.map(({ name }) => `import type { ${name} } from '${path.replace('dist/', '../')}';`),
    )
    .join('\n');
}

/** @param {ElementDeclaration} element */
function settings({ name, tagName, description, members, attributes }) {
  const fields = members.filter(({ kind, readonly }) => kind === 'field' && readonly !== true);
  const lines = fields.flatMap((field) => {
    const type = `${name}['${field.name}']`;
    const attribute = attributes.find(({ fieldName }) => fieldName === field.name);
    const property = attribute?.name === field.name ? [] : [line(field.name, type, field.description)];
    if (attribute === undefined) return property;
    // In HTML all attributes are texts.
    const text = field.type?.text === 'number' ? `${type} | \`\${number}\`` : type;
    return [line(attribute.name, text, attribute.description), ...property];
  });
  return `  ${comment(description)}\n  '${tagName}': {\n${lines.join('\n')}\n  };`;
}

/**
 * @param {string} name
 * @param {string} type
 * @param {string} [description]
 */
function line(name, type, description) {
  return `    ${comment(description)}\n    '${name}'?: ${type} | undefined;`;
}

/** @param {string} [text] */
function comment(text = '') {
  return `/** ${text.replace(/\s+/g, ' ')} */`;
}
