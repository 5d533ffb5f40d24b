import type { Duplex } from 'node:stream';
import { redisBackend } from '../../server/index.ts';
import { prometheusMetrics } from '../../server/metrics/index.ts';
import { lockable } from '../../core/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

/** A node that saves requests behind the guard, and counts what its hub sends. */
export interface OfficeNode {
  readonly node: RowlockNode;
  /** Messages handed to hub connections so far, pings included. */
  delivered(): Promise<number>;
  /** Writes that passed since the store could not say. */
  unchecked(): Promise<number>;
  /** Bytes written so far to WebSockets that are open. */
  webSocketBytes(): number;
}

export async function startOfficeNode(
  redisUrl: string,
  timing: { readonly leaseMs: number; readonly renewEveryMs: number },
): Promise<OfficeNode> {
  const metrics = prometheusMetrics();
  const { leaseMs, renewEveryMs } = timing;
  const node = await startNode({
    backend: redisBackend({ url: redisUrl, log: silentLog }),
    types: [lockable('ApprovalRequest', { leaseMs, renewEveryMs })],
    metrics,
    hub: { maxConnectionsPerUser: 10_000 },
    routes: (app, { guardWrites }) => {
      const guard = guardWrites({ type: 'ApprovalRequest', uid: (request) => request.params['id'] });
      app.put('/requests/:id', guard, (_request, response) => response.json({}));
    },
  });
  // Longer than an editor's pause: else a kept connection may end just when it is used again.
  node.server.keepAliveTimeout = 60_000;
  const sockets = new Set<Duplex & { readonly bytesWritten?: number }>();
  node.server.on('upgrade', (_request, socket) => sockets.add(socket));
  return {
    node,
    async delivered() {
      const metric = await metrics.register.getSingleMetric('rowlock_hub_delivered_total')?.get();
      return metric?.values[0]?.value ?? 0;
    },
    async unchecked() {
      const metric = await metrics.register.getSingleMetric('rowlock_guarded_writes_total')?.get();
      return metric?.values.find(({ labels }) => labels['outcome'] === 'unchecked')?.value ?? 0;
    },
    webSocketBytes: () => [...sockets].reduce((sum, { bytesWritten = 0 }) => sum + bytesWritten, 0),
  };
}
