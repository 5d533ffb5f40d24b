import { median } from '../hub/median.ts';
import { CROWDS, type ListCost, type ListFindings } from './list-costs.ts';
import { markdownTable, ratioText, thousands } from './markdown-table.ts';
import { ratioOfRounds } from './ratio-of-rounds.ts';
import type { ReportPart } from './report-part.ts';

const TITLES: Readonly<Record<keyof ListFindings, string>> = {
  otherTypes: 'all 3 locks of a type, among so many of the tenant’s other types',
  sameType: 'the first 3 locks of a type that has so many more',
};
const KINDS = ['otherTypes', 'sameType'] as const;

export function listReport(findings: ListFindings): ReportPart {
  const [fewest] = CROWDS;
  const ratios = KINDS.flatMap((kind) =>
    (['ms', 'redisUs'] as const).map((what) => {
      const base = findings[kind].get(fewest)?.[what] ?? [];
      const times = CROWDS.slice(1).map((crowd) =>
        ratioText(ratioOfRounds(findings[kind].get(crowd)?.[what] ?? [], base, (one, other) => one / other)),
      );
      return [TITLES[kind], what === 'ms' ? 'time to the caller' : 'inside Redis', ...times];
    }),
  );
  const raw = KINDS.flatMap((kind) =>
    CROWDS.map((crowd) => {
      const cost: ListCost | undefined = findings[kind].get(crowd);
      const ms = `${median(cost?.ms ?? []).toFixed(2)} ms`;
      return [TITLES[kind], thousands(crowd), ms, `${median(cost?.redisUs ?? []).toFixed(1)} µs`];
    }),
  );
  return {
    ratios: [
      '### A list of three locks in a crowd',
      `Against the same list with ${fewest} others: **1 is flat.**`,
      markdownTable(['', '', ...CROWDS.slice(1).map((crowd) => `${thousands(crowd)} others`)], ratios),
    ].join('\n\n'),
    comparisons: [],
    raw: ['Lists.', markdownTable(['', 'others', 'time to the caller', 'inside Redis'], raw)].join('\n\n'),
  };
}
