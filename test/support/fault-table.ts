import type { FaultRow } from './fault-row.ts';

const COLUMNS: readonly (readonly [heading: string, cell: (row: FaultRow) => string])[] = [
  ['fault', ({ name }) => name],
  ['requests', ({ requests }) => String(requests)],
  ['worst ms', ({ worstMs }) => worstMs.toFixed(0)],
  ['median ms while down', ({ medianDownMs }) => medianDownMs.toFixed(1)],
  ['without store', ({ controlMs }) => controlMs.toFixed(1)],
  ['own delay', ({ ownDelayMs }) => ownDelayMs.toFixed(0)],
  ['lists answered', ({ listsAnswered }) => percent(listsAnswered)],
  ['writes failed', ({ failedWrites }) => String(failedWrites)],
  ['claims "unknown"', ({ unknown }) => String(unknown)],
  ['carried out later', ({ late }) => String(late)],
  ['reply lost', ({ repliesLost }) => String(repliesLost)],
  ['warnings', ({ complaints }) => String(complaints)],
  ['/readyz unavailable', ({ saidUnavailable }) => percent(saidUnavailable)],
  ['store_up', ({ up }) => up],
  ['back after ms', ({ recoveredMs }) => recoveredMs.toFixed(0)],
];

/** The rows as a table in Markdown, a line each. */
export function faultTable(rows: readonly FaultRow[]): readonly string[] {
  const cells = [
    COLUMNS.map(([heading]) => heading),
    ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lines = cells.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
