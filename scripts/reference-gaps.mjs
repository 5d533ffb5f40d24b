import { elementManifest } from './element-manifest.mjs';

/** @typedef {import('./reference-names.mjs').PublicNames} PublicNames */
/** @typedef {import('./reference-types.mjs').TypeTexts} TypeTexts */

/**
 * The public names that no comment explains: `server/rowlock-server.ts: RowlockOptions.identify`.
 *
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 * @returns {readonly string[]}
 */
export function undocumented({ names }, types) {
  const own = [...names.values()].flatMap((name) => {
    const itself = types.about(name.symbol) === '' ? [name.name] : [];
    const members = types.members(name).filter(({ about }) => about === '');
    return [...itself, ...members.map((member) => `${name.name}.${member.name}`)].map(
      (what) => `${name.file}: ${what}`,
    );
  });
  const elements = elementManifest().modules.flatMap(({ declarations }) => declarations);
  const parts = elements.flatMap((element) =>
    [
      ...element.members,
      ...element.attributes,
      ...element.events,
      ...element.slots,
      ...element.cssParts,
      ...element.cssProperties,
      ...element.cssStates,
    ]
      .filter(({ description = '' }) => description === '')
      .map(({ name }) => `${element.tagName}: ${name}`),
  );
  return [...new Set([...own, ...parts])];
}

/**
 * The options whose comment states another default than the code has: "Default 500", "Default: `plain`".
 *
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 * @returns {{ readonly compared: number, readonly wrong: readonly string[] }}
 */
export function statedDefaults({ names }, types) {
  const stated = [...names.values()].flatMap((name) =>
    types.members(name).flatMap((member) => {
      const value = statedIn(member.about);
      if (value === undefined || !isLiteral(member.default)) return [];
      return [{ what: `${name.file}: ${name.name}.${member.name}`, value, code: member.default }];
    }),
  );
  return {
    compared: stated.length,
    wrong: stated
      .filter(({ value, code }) => plain(value) !== plain(code))
      .map(({ what, value, code }) => `${what} states ${value}; the code has ${code}`),
  };
}

/**
 * "Default 500", "Default 24 hours" (in milliseconds then), "Default: `plain`", "Default false".
 *
 * @param {string} about
 */
function statedIn(about) {
  const [, quoted, number, word = '', truth] =
    /\bDefault:? (?:`([^`]+)`|(\d[\d,_]*)(?: (s|seconds?|min|minutes?|h|hours?|days?)\b)?|(true|false)\b)/.exec(
      about,
    ) ?? [];
  if (number === undefined) return quoted ?? truth;
  return String(Number(number.replace(/[,_]/g, '')) * (MS_BY_LETTER[word.charAt(0)] ?? 1));
}

/** @type {Readonly<Record<string, number>>} */
const MS_BY_LETTER = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param {string} value */
function isLiteral(value) {
  return /^(?:'.*'|[\d,._]+|true|false)$/.test(value);
}

/** @param {string} value */
function plain(value) {
  return value.replace(/['",_]/g, '').replace(/\.$/, '');
}
