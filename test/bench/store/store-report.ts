import { measuredOn, packageVersions } from '../measured-on.ts';
import { whereSlower } from '../where-slower.ts';
import type { HttpFindings } from './http-rounds.ts';
import { httpReport } from './http-report.ts';
import type { ListFindings } from './list-costs.ts';
import { listReport } from './list-report.ts';
import type { PairFindings } from './pair-rounds.ts';
import { pairReport } from './pair-report.ts';
import type { ScriptFindings } from './script-costs.ts';
import { scriptReport } from './script-report.ts';

export interface StoreFindings {
  /** What could not be measured, and why. */
  readonly missing: readonly string[];
  readonly rounds: number;
  readonly redisVersion: string;
  /** Cores that other programs used. */
  readonly others: number;
  /** Rounds that were run again, since the machine stood still. */
  readonly stalls: number;
  /** null = not asked for. */
  readonly pairs: PairFindings | null;
  readonly scripts: ScriptFindings | null;
  readonly lists: ListFindings | null;
  readonly http: HttpFindings | null;
}

/** Cores that other programs may use before the report says that speeds cannot be trusted. */
const QUIET = 0.25;

/** The report in Markdown: ratios first, raw numbers as small print. */
export function storeReport({
  missing,
  rounds,
  redisVersion,
  others,
  stalls,
  pairs,
  scripts,
  lists,
  http,
}: StoreFindings): string {
  const machine = measuredOn({ Redis: redisVersion, ...packageVersions('ioredis', 'express') });
  const busy = `**The machine was busy:** other programs used ${others.toFixed(1)} of its cores. CPU times still compare; speeds hardly do.`;
  const parts = [
    pairs === null ? null : pairReport(pairs),
    scripts === null ? null : scriptReport(scripts),
    lists === null ? null : listReport(lists),
    http === null ? null : httpReport(http),
  ].filter((part) => part !== null);
  return [
    'The lock store beside other lock libraries and the least that is possible, on one Redis of the bench’s own over the loopback address.',
    `Ratios are the medians of ${rounds} rounds that were run in turn. Measured on ${machine}.`,
    whereSlower(parts.flatMap(({ comparisons }) => comparisons)),
    ...(others < QUIET ? [] : [busy]),
    ...(stalls === 0
      ? []
      : [`Rounds that were run again, since the machine stood still for a quarter of a second: ${stalls}.`]),
    ...missing.map((reason) => `Not measured: ${reason}.`),
    ...parts.map(({ ratios }) => ratios),
    '### Raw numbers of locks in Redis (small print: another machine has others)',
    ...parts.map(({ raw }) => raw),
  ].join('\n\n');
}
