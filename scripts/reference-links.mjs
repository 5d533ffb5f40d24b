import { code } from './reference-markdown.mjs';

/** @typedef {import('./reference-names.mjs').PublicName} PublicName */

/**
 * Code in which the names of the reference are links, for a page of it.
 *
 * @param {string} text
 * @param {string} page
 * @param {ReadonlyMap<string, PublicName>} names
 */
export function linkedCode(text, page, names) {
  const flat = text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replace(/([=(<]) \| /g, '$1 ')
    .trim();
  return flat
    .split(/((?<![\w$'"-])[A-Z]\w+(?![\w'"]))/)
    .map((part, at) => {
      const known = at % 2 === 1 ? names.get(part) : undefined;
      if (known === undefined) return { text: part };
      return { text: part, link: `${known.page === page ? '' : `${known.page}.md`}#${known.anchor}` };
    })
    .reduce(joinPlain, /** @type {{ text: string, link?: string }[]} */ ([]))
    .map(({ text: part, link }) => (link === undefined ? spaced(part) : `[${code(part)}](${link})`))
    .join('');
}

/**
 * Neighbours without a link become one piece of code.
 *
 * @param {{ text: string, link?: string }[]} parts
 * @param {{ text: string, link?: string }} part
 */
function joinPlain(parts, part) {
  const last = parts.at(-1);
  if (last !== undefined && last.link === undefined && part.link === undefined) last.text += part.text;
  else if (part.text !== '') parts.push({ ...part });
  return parts;
}

/**
 * Code between two links keeps the spaces at its ends.
 *
 * @param {string} text
 */
function spaced(text) {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return `${before}${code(inner)}${after}`;
}
