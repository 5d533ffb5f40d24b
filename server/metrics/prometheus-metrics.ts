import { Router } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { HubCounts, WriteCheck } from '../../core/index.ts';
import { ObservedLockStore, type StoreListener } from './observed-lock-store.ts';
import type { MetricsSources, RowlockMetrics } from './rowlock-metrics.ts';

/** Where metrics go. */
export interface PrometheusMetricsOptions {
  /** Where the metrics are registered. Default: a registry of their own. */
  readonly register?: Registry;
}

/** What `createRowlock` takes, and what a scraper asks. */
export interface PrometheusMetrics extends RowlockMetrics {
  /** Where the metrics are. */
  readonly register: Registry;
  /** `GET /metrics`, in Prometheus' text format. It asks nobody who they are: mount it where only your scraper comes. */
  readonly router: Router;
}

/** A call to Redis takes 0.2 to 2 ms, and is given up after 500 ms. In seconds. */
const CALL_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

const HUB_COUNTERS: Readonly<Record<keyof HubCounts, string>> = {
  opened: 'Hub connections that were opened.',
  closed: 'Hub connections that ended.',
  delivered: 'Messages handed to hub connections: a broadcast to 100 counts 100.',
  slow: 'Hub connections ended because the client left too much unread or took nothing for too long.',
  broken: 'Hub connections ended because the client broke the protocol or a limit.',
  silent: 'Hub connections ended because the client said nothing.',
};

/**
 * Rowlock's metrics for Prometheus, with `prom-client`. Labels are entity types and outcomes, which the application knows
 * beforehand; never tenants, people or records. Hand it to `createRowlock({ metrics })` and mount its router.
 */
export function prometheusMetrics({
  register = new Registry(),
}: PrometheusMetricsOptions = {}): PrometheusMetrics {
  const registers = [register];
  const calls = new Counter({
    name: 'rowlock_store_calls_total',
    help: 'Calls to the lock store, by what they came to. "unavailable": the caller was told that the store cannot say.',
    labelNames: ['verb', 'outcome', 'entity_type'],
    registers,
  });
  const latency = new Histogram({
    name: 'rowlock_store_call_seconds',
    help: 'How long calls to the lock store took.',
    labelNames: ['verb'],
    buckets: CALL_BUCKETS_S,
    registers,
  });
  const writes = new Counter({
    name: 'rowlock_guarded_writes_total',
    help: 'Guarded writes, by what became of them. "entity-locked" and "stale-fence" were blocked.',
    labelNames: ['outcome', 'entity_type'],
    registers,
  });
  const told: StoreListener = (verb, outcome, durationS, entityType) => {
    calls.inc({ verb, outcome, entity_type: entityType });
    latency.observe({ verb }, durationS);
  };
  return {
    register,
    router: metricsRouter(register),
    observeStore: (store) => new ObservedLockStore(store, told),
    writeChecked: (check: WriteCheck, entityType) => writes.inc({ outcome: check, entity_type: entityType }),
    watch: (sources) => watch(sources, registers),
  };
}

function watch({ storeState, connectionCount, hubCounts }: MetricsSources, registers: Registry[]): void {
  gauge('rowlock_store_up', '1 while the last call to the lock store was answered, else 0.', registers, () =>
    storeState() === 'ok' ? 1 : 0,
  );
  gauge('rowlock_hub_connections', 'Hub connections of this node.', registers, connectionCount);
  for (const [name, help] of Object.entries(HUB_COUNTERS) as [keyof HubCounts, string][]) {
    const counter: Counter = new Counter({
      name: `rowlock_hub_${name}_total`,
      help,
      registers,
      collect() {
        counter.reset();
        counter.inc(hubCounts()[name]);
      },
    });
  }
}

function gauge(name: string, help: string, registers: Registry[], read: () => number): void {
  const metric: Gauge = new Gauge({
    name,
    help,
    registers,
    collect() {
      metric.set(read());
    },
  });
}

function metricsRouter(register: Registry): Router {
  const router = Router();
  router.get('/metrics', (_request, response, next) => {
    register.metrics().then((text) => {
      response.set({ 'Content-Type': register.contentType, 'Cache-Control': 'no-store' }).send(text);
    }, next);
  });
  return router;
}
