/** One measurement's share of the report, both in Markdown. */
export interface ReportPart {
  readonly ratios: string;
  readonly raw: string;
}
