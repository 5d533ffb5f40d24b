import { median } from '../hub/median.ts';
import { markdownTable, ratioText, thousands } from '../store/markdown-table.ts';
import { ratioOfRounds } from '../store/ratio-of-rounds.ts';
import { measuredOn } from '../measured-on.ts';
import { whereSlower, type Comparison } from '../where-slower.ts';
import { CELLS_ASIDE, type ElementsFindings } from './elements-findings.ts';

/** Milliseconds to mount 2,000 cells (R15): the one absolute goal; it is the machine's as much as ours. */
const MOUNT_GOAL_MS = 100;

/** The report in Markdown: ratios first, then what is counted, then raw numbers as small print. */
export function elementsReport(findings: ElementsFindings): string {
  const { rounds, versions, cells, changes, requests, bundle } = findings;
  const ours = cells.filter(({ tag }) => tag === 'locked-by-cell');
  const compared = comparisons(findings);
  const beside = CELLS_ASIDE.map(([, title]) => [
    title,
    ...compared.filter(({ against }) => against === title).map(({ ratio }) => ratioText(ratio)),
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
    `Ratios are the medians of ${rounds} rounds that were run in turn; **below 1 ours is cheaper.** Measured on ${measuredOn(versions)}.`,
    whereSlower(compared),
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

/** In the order of the table: for each peer and number of cells, mounting and changing. */
function comparisons({ cells }: ElementsFindings): readonly Comparison[] {
  const ours = cells.filter(({ tag }) => tag === 'locked-by-cell');
  return CELLS_ASIDE.flatMap(([tag, against]) =>
    ours.flatMap(({ count, times }): Comparison[] => {
      const theirs = cells.find((other) => other.tag === tag && other.count === count)?.times ?? [];
      const mount = ratioOfRounds(times, theirs, (our, their) => our.mountMs / their.mountMs);
      const change = ratioOfRounds(times, theirs, (our, their) => our.updateMs / their.updateMs);
      return [
        { against, measure: `mount ${thousands(count)}`, ratio: mount, better: 'below' },
        { against, measure: `change ${thousands(count)}`, ratio: change, better: 'below' },
      ];
    }),
  );
}
