// What all pages of the reference are written with.

/**
 * A compact table. Columns in which no row says anything are left out.
 *
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function table(heads, rows) {
  const kept = heads.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ''));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${kept.map((column) => cells[column] ?? '').join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Code inside a line; a bar in it would end a cell.
 *
 * @param {string} text
 */
export function code(text) {
  const flat = text.replace(/\s+/g, ' ').trim();
  const fence = flat.includes('`') ? '``' : '`';
  const gap = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return flat === '' ? '' : `${fence}${gap}${flat}${gap}${fence}`.replaceAll('|', '\\|');
}

/**
 * A comment's text in a cell.
 *
 * @param {string} text
 */
export function cell(text) {
  return prose(text).replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

/**
 * A comment's text: its lines joined, unless they are a list or a table. What looks like a tag stays text.
 *
 * @param {string} text
 */
export function prose(text) {
  return outsideCode(text.replace(/\{@link (\S+?)\}/g, '`$1`'), (part) =>
    part.replace(/<(?=[a-z/])/gi, '&lt;'),
  )
    .split(/\n{2,}/)
    .map((block) => (/^(?:[-*|]|\d\.) ?/m.test(block) ? block : block.replaceAll('\n', ' ')))
    .join('\n\n')
    .trim();
}

/**
 * @param {string} text
 * @param {(part: string) => string} change
 */
function outsideCode(text, change) {
  return text.replace(/(`[^`]*`)|([^`]+)/g, (_, kept, part) => kept ?? change(String(part)));
}

/**
 * What GitHub makes of a heading: the name behind `#`.
 *
 * @param {string} heading
 */
export function anchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * The unit of a number, from its name or from what is said of it.
 *
 * @param {string} name
 * @param {string} about
 */
export function unitOf(name, about) {
  const byEnd = Object.entries(UNITS).find(([end]) => name.endsWith(end));
  if (byEnd !== undefined) return byEnd[1];
  if (/milliseconds/i.test(about)) return 'ms';
  return '';
}

/** @type {Readonly<Record<string, string>>} */
const UNITS = { PerMinute: 'calls/min', PerSecond: 'messages/s', Bytes: 'bytes', Micros: 'µs', Ms: 'ms' };
