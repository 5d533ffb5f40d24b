import type { Comparison } from '../where-slower.ts';

/** One measurement's share of the report, both in Markdown. */
export interface ReportPart {
  readonly ratios: string;
  readonly raw: string;
  /** The ratios that say who is better; none where there is nobody to compare with. */
  readonly comparisons: readonly Comparison[];
}
