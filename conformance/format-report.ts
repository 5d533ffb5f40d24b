import type { CheckResult, ConformanceReport } from './conformance-options.ts';

const SIGNS = { passed: '✔', failed: '✖', skipped: '–' } as const;

/** One line of a report. */
export function formatResult({ id, outcome, reason }: CheckResult): string {
  const line = `${SIGNS[outcome]} ${id}`;
  return reason === undefined ? line : `${line}\n    ${reason}`;
}

/** What a report comes to: what the backend lacks, and the numbers, in its last line. */
export function formatSummary({ results, lacks }: ConformanceReport): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const named = Object.entries(lacks).map(([capability, reason]) => `  ${capability}: ${reason}`);
  const numbers = `${count('passed')} passed, ${count('failed')} failed`;
  const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
  return [named.length === 0 ? 'Lacks nothing.' : 'Lacks:', ...named, numbers + skipped].join('\n');
}
