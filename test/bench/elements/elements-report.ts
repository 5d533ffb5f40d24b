import { cpus } from 'node:os';
import { median } from '../hub/median.ts';
import { markdownTable, ratioText, thousands } from '../store/markdown-table.ts';
import { ratioOfRounds } from '../store/ratio-of-rounds.ts';
import { CELLS_ASIDE, type ElementsFindings } from './elements-findings.ts';

/** Milliseconds to mount 2,000 cells (R15): the one absolute goal; it is the machine's as much as ours. */
const MOUNT_GOAL_MS = 100;

/** The report in Markdown: ratios first, then what is counted, then raw numbers as small print. */
export function elementsReport({ rounds, cells, changes, requests, bundle }: ElementsFindings): string {
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown CPU'}, headless Chromium`;
  const ours = cells.filter(({ tag }) => tag === 'locked-by-cell');
  const beside = CELLS_ASIDE.map(([tag, title]) => [
    title,
    ...ours.flatMap(({ count, times }) => {
      const theirs = cells.find((other) => other.tag === tag && other.count === count)?.times ?? [];
      return [
        ratioText(ratioOfRounds(times, theirs, (our, their) => our.mountMs / their.mountMs)),
        ratioText(ratioOfRounds(times, theirs, (our, their) => our.updateMs / their.updateMs)),
      ];
    }),
  ]);
  const [few, ...many] = changes;
  const growth = many.map(({ count, ms }) => [
    `among ${thousands(count)} cells`,
    ratioText(ratioOfRounds(ms, few?.ms ?? [], (our, their) => our / their)),
  ]);
  const small = ours.find(({ count }) => count === 2_000);
  const mountMs = median(small?.times.map((time) => time.mountMs) ?? []);
  const total = bundle.reduce((sum, { gzip }) => sum + gzip, 0);
  return [
    'Cells that name who is editing, in a table, beside an element of Lit’s that draws the same and hears of nothing, and beside one written by hand. Layout is left aside: it is the same for all.',
    `Ratios are the medians of ${rounds} rounds that were run in turn; **below 1 ours is cheaper.** Measured on ${new Date().toISOString().slice(0, 10)}, ${machine}.`,
    '### Mounting and changing the record of every cell',
    markdownTable(
      [
        'ours against',
        ...ours.flatMap(({ count }) => [`mount ${thousands(count)}`, `change ${thousands(count)}`]),
      ],
      beside,
    ),
    `2,000 cells are mounted in ${mountMs.toFixed(0)} ms here; the goal is ${MOUNT_GOAL_MS} ms.`,
    '### One change of a lock',
    `Against the same change among ${few?.count ?? 0} cells: **1 is flat.**`,
    markdownTable(['', 'ratio'], growth),
    '### Requests',
    `A grid of ${requests.rows} rows: ${requests.lists} list of locks, ${requests.connections} connection.`,
    '### The script tag by package',
    'What `rowlock.js` would lose, gzipped, without each; Lit and SignalR are the floor.',
    markdownTable(
      ['package', 'gzip', 'share'],
      bundle.map(({ name, gzip }) => [
        `\`${name}\``,
        thousands(gzip),
        `${((gzip / total) * 100).toFixed(0)} %`,
      ]),
    ),
    '### Raw numbers of elements (small print: another machine has others)',
    markdownTable(
      ['', 'cells', 'mount', 'change all'],
      cells.map(({ tag, count, times }) => [
        `\`${tag}\``,
        thousands(count),
        `${median(times.map((time) => time.mountMs)).toFixed(1)} ms`,
        `${median(times.map((time) => time.updateMs)).toFixed(1)} ms`,
      ]),
    ),
    markdownTable(
      ['one change', 'time'],
      changes.map(({ count, ms }) => [`among ${thousands(count)}`, `${(median(ms) * 1_000).toFixed(1)} µs`]),
    ),
  ].join('\n\n');
}
