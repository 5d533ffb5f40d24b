// Draws docs/one-lock.svg from docs/one-lock.txt, a sequence of messages, light and dark:
//   node scripts/sequence-picture.mjs
//
// The notation, one line each; words are parted by spaces, the text is the rest of the line:
//   # a remark
//   title <text>  ·  about <text>        what screen readers say
//   actor <id> <name>                    a column, from left to right
//   part <text>                          a heading across
//   <id> ->  <id> <text>                 a call
//   <id> --> <id> <text>                 an answer; one that begins with 4 is a refusal
//   <id> ~>  <id> <text>                 news that nobody asked for
//   <id> open <text>  ·  <id> shut <text>   what the page does now
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainModule } from './is-main-module.mjs';

/** In pixels. `letter` is the width of an average letter at the font's size, on the safe side. */
export const SIZES = { gap: 190, side: 90, head: 52, row: 26, part: 42, box: 24, font: 13, letter: 6.9 };

/** The colours, for light and dark surroundings: texts have a contrast of 4.5 or more, lines of 3. */
export const COLORS = {
  light: {
    surface: '#ffffff',
    text: '#1f2328',
    quiet: '#59636e',
    line: '#868f99',
    news: '#0550ae',
    refusal: '#b3141f',
    open: '#116329',
    'open-surface': '#dafbe1',
    shut: '#6c4400',
    'shut-surface': '#fff1cf',
    head: '#eef1f4',
  },
  dark: {
    surface: '#0d1117',
    text: '#f0f6fc',
    quiet: '#9aa4af',
    line: '#6a737d',
    news: '#79b8ff',
    refusal: '#ff938a',
    open: '#6fdd8b',
    'open-surface': '#12331f',
    shut: '#f2c96d',
    'shut-surface': '#3a2b06',
    head: '#21262d',
  },
};

const ARROWS = new Map([
  ['->', 'call'],
  ['-->', 'answer'],
  ['~>', 'news'],
]);

/**
 * @typedef {{ kind: 'part', text: string }
 *   | { kind: 'call' | 'answer' | 'news', from: number, to: number, text: string }
 *   | { kind: 'open' | 'shut', at: number, text: string }} Step
 * @typedef {{ title: string, about: string, actors: string[], steps: Step[] }} Sequence
 */

/**
 * Reads the notation. Throws with the line's number for anything else.
 *
 * @param {string} source
 * @returns {Sequence}
 */
export function readSequence(source) {
  /** @type {Sequence} */
  const sequence = { title: '', about: '', actors: [], steps: [] };
  /** @type {Map<string, number>} */
  const columns = new Map();
  for (const [index, line] of source.split('\n').entries()) {
    const fail = (/** @type {string} */ why) => new Error(`line ${index + 1}: ${why}: ${line}`);
    const column = (/** @type {string | undefined} */ id) => {
      const at = columns.get(id ?? '');
      if (at === undefined) throw fail(`no actor "${id ?? ''}"`);
      return at;
    };
    const words = line.trim().split(/\s+/);
    const [first = '', second = '', third = ''] = words;
    const rest = (/** @type {number} */ from) => {
      const text = words.slice(from).join(' ');
      if (text === '') throw fail('no text');
      return text;
    };
    const arrow = ARROWS.get(second);
    if (first === '' || first.startsWith('#')) continue;
    else if (first === 'title' || first === 'about') sequence[first] = rest(1);
    else if (first === 'actor') {
      columns.set(second, sequence.actors.length);
      sequence.actors.push(rest(2));
    } else if (first === 'part') sequence.steps.push({ kind: 'part', text: rest(1) });
    else if (second === 'open' || second === 'shut')
      sequence.steps.push({ kind: second, at: column(first), text: rest(2) });
    else if (arrow === 'call' || arrow === 'answer' || arrow === 'news') {
      const [from, to] = [column(first), column(third)];
      if (from === to) throw fail('a message to oneself');
      sequence.steps.push({ kind: arrow, from, to, text: rest(3) });
    } else throw fail('neither an arrow nor "open" or "shut"');
  }
  if (sequence.title === '' || sequence.about === '') throw new Error('"title" and "about" are missing');
  return sequence;
}

/**
 * The picture as the text of an SVG file.
 *
 * @param {string} source
 */
export function drawSequence(source) {
  const { title, about, actors, steps } = readSequence(source);
  const { gap, side, head, row, part, box, font } = SIZES;
  const width = 2 * side + gap * (actors.length - 1);
  const x = (/** @type {number} */ column) => side + gap * column;
  let y = head;
  const drawn = steps.map((step) => {
    y += step.kind === 'part' ? part : row;
    if (step.kind === 'part') {
      return [
        `<path class="rule" d="M12 ${y - 19}H${width - 12}"/>`,
        `<text class="part" x="12" y="${y}">${escape(step.text)}</text>`,
      ].join('\n');
    }
    if ('at' in step) {
      const boxWidth = Math.min(2 * side - 8, gap - 8);
      const left = x(step.at) - boxWidth / 2;
      return [
        `<rect class="${step.kind}-box" x="${left}" y="${y - box + 7}" width="${boxWidth}" height="${box}" rx="6"/>`,
        `<text class="${step.kind} middle" x="${x(step.at)}" y="${y}">${escape(step.text)}</text>`,
      ].join('\n');
    }
    const [from, to] = [x(step.from), x(step.to)];
    const end = to + (to > from ? -1 : 1);
    const tip = to > from ? -7 : 7;
    const look = /^4/.test(step.text) ? 'refusal' : step.kind;
    return [
      `<path class="${step.kind} ${look}-line" d="M${from} ${y + 5}H${end}"/>`,
      `<path class="${look}-tip" d="M${end} ${y + 5}l${tip} -4v8z"/>`,
      `<text class="${look}" x="${Math.min(from, to) + 10}" y="${y}">${escape(step.text)}</text>`,
    ].join('\n');
  });
  const height = y + 22;
  const columns = actors.map((name, column) =>
    [
      `<path class="life" d="M${x(column)} ${head - 8}V${height - 12}"/>`,
      `<rect class="head" x="${x(column) - 62}" y="12" width="124" height="32" rx="6"/>`,
      `<text class="name middle" x="${x(column)}" y="33">${escape(name)}</text>`,
    ].join('\n'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title about">
<title id="title">${escape(title)}</title>
<desc id="about">${escape(about)}</desc>
<style>
:root { ${variables(COLORS.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(COLORS.dark)} } }
text { font: ${font}px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; fill: var(--text); paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round; }
.middle { text-anchor: middle; stroke: none; }
.name { font-weight: 600; }
.part { font-weight: 600; fill: var(--quiet); }
.answer { fill: var(--text); }
.news { fill: var(--news); }
.refusal { fill: var(--refusal); font-weight: 600; }
.open { fill: var(--open); font-weight: 600; }
.shut { fill: var(--shut); font-weight: 600; }
path { fill: none; stroke: var(--line); stroke-width: 1.5; }
.life, .rule { stroke-width: 1; }
.rule { stroke-dasharray: 1 4; }
path.answer { stroke-dasharray: 5 4; }
path.news { stroke-dasharray: 2 3; }
.news-line { stroke: var(--news); }
.refusal-line { stroke: var(--refusal); }
.call-tip, .answer-tip { fill: var(--line); stroke: none; }
.news-tip { fill: var(--news); stroke: none; }
.refusal-tip { fill: var(--refusal); stroke: none; }
.surface { fill: var(--surface); }
.head { fill: var(--head); stroke: var(--line); }
.open-box { fill: var(--open-surface); stroke: var(--open); }
.shut-box { fill: var(--shut-surface); stroke: var(--shut); }
</style>
<rect class="surface" width="${width}" height="${height}" rx="8"/>
${[...columns, ...drawn].join('\n')}
</svg>
`;
}

/** @param {Readonly<Record<string, string>>} colors */
function variables(colors) {
  return Object.entries(colors)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');
}

/** @param {string} text */
function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

if (isMainModule(import.meta.url)) {
  const file = (/** @type {string} */ name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  writeFileSync(file('one-lock.svg'), drawSequence(readFileSync(file('one-lock.txt'), 'utf8')));
}
