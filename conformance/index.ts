export { CONFORMANCE_CHECKS, runConformance } from './run-conformance.ts';
export { formatResult, formatSummary } from './format-report.ts';
export type { ConformanceCheck } from './conformance-check.ts';
export type {
  Capability,
  CheckNeed,
  CheckResult,
  ConformanceOptions,
  ConformanceReport,
  ConformanceTokens,
  GuardedWrite,
} from './conformance-options.ts';
