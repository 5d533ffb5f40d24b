export {
  prometheusMetrics,
  type PrometheusMetrics,
  type PrometheusMetricsOptions,
} from './prometheus-metrics.ts';
export type { MetricsSources, RowlockMetrics } from './rowlock-metrics.ts';
