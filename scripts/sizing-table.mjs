import { sizing } from './sizing-model.mjs';

/** @typedef {import('./sizing-model.mjs').Office} Office */
/** @typedef {ReturnType<typeof sizing>} Sizing */

/**
 * The offices of docs/sizing.md: everything else is as DEFAULT_OFFICE has it.
 *
 * @type {readonly Partial<Office>[]}
 */
export const OFFICES = [
  { editors: 50, watchers: 200, tenants: 1, nodes: 1 },
  { editors: 500, watchers: 2_000, tenants: 1, nodes: 2 },
  { editors: 5_000, watchers: 20_000, tenants: 10, nodes: 4 },
  { editors: 20_000, watchers: 80_000, tenants: 50, nodes: 8 },
  { editors: 50_000, watchers: 200_000, tenants: 200, nodes: 16 },
];

/** @type {readonly (readonly [string, (of: Sizing) => string])[]} */
const ROWS = [
  ['editors', ({ office }) => number(office.editors)],
  ['watchers', ({ office }) => number(office.watchers)],
  ['tenants × types', ({ office }) => `${number(office.tenants)} × ${number(office.types)}`],
  ['nodes', ({ office }) => number(office.nodes)],
  ['**Redis**', () => ''],
  ['commands /s', ({ perSecond }) => number(perSecond.redisCommands)],
  ['of them scripts /s', ({ perSecond }) => number(perSecond.scripts)],
  ['changes published /s', ({ perSecond }) => number(perSecond.published)],
  ['changes to nodes, /s', ({ perSecond }) => bytes(perSecond.redisBytesToNodes)],
  ['connections', ({ redis }) => number(redis.connections)],
  ['memory', ({ redis }) => bytes(redis.bytes)],
  ['cores', ({ redis }) => cores(redis.cores)],
  ['**Hub**', () => ''],
  ['connections that hear a change', ({ listeners }) => number(listeners)],
  ['messages /s', ({ perSecond }) => number(perSecond.hubMessages)],
  ['bytes /s', ({ perSecond }) => bytes(perSecond.hubBytes)],
  ['**Lock API**', () => ''],
  ['calls /s', ({ perSecond }) => number(perSecond.httpCalls)],
  ['lists, bytes /s', ({ perSecond }) => bytes(perSecond.listBytes)],
  ['**Each node**', () => ''],
  ['hub connections', ({ node }) => number(node.connections)],
  ['hub messages /s', ({ node }) => number(node.hubMessages)],
  ['memory', ({ node }) => bytes(node.bytes)],
  ['cores', ({ node }) => cores(node.cores)],
  ['**After a gap, at once**', () => ''],
  ['lists and renewals', ({ afterGap }) => number(afterGap.lists + afterGap.renewals)],
];

/**
 * A table in Markdown, one column for each office.
 *
 * @param {readonly Partial<Office>[]} offices
 */
export function sizingTable(offices) {
  const sizes = offices.map((office) => sizing(office));
  const [head = [], ...rows] = ROWS.map(([title, cell]) => [title, ...sizes.map(cell)]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? 0)));
  const lines = [head, ...rows].map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  lines.splice(1, 0, rule);
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * To three digits: the model is no better.
 *
 * @param {number} value
 */
function number(value) {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 1 });
}

/** @param {number} value */
function cores(value) {
  return value < 0.01 ? '< 0.01' : value.toFixed(2);
}

/** @param {number} value */
function bytes(value) {
  if (value < 1_024) return `${number(value)} B`;
  const units = ['KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log(value) / Math.log(1_024)), units.length);
  return `${number(value / 1_024 ** power)} ${units[power - 1] ?? ''}`;
}
