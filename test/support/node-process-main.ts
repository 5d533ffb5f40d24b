// A Rowlock node as a process of its own: started by node-process.ts, which tells its options in the environment.
// SIGTERM drains it as docs/behind-a-load-balancer.md recommends.
import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { lockable, type UnstampedChange } from '../../core/index.ts';
import { createRowlock, memoryBackend, redisBackend } from '../../server/index.ts';
import {
  NODE_OPTIONS_VARIABLE,
  type HubVisit,
  type NodeProcessOptions,
  type NodeReport,
} from './node-process-options.ts';
import { silentLog } from './silent-log.ts';
import { TEST_TENANT, testIdentity } from './test-tokens.ts';

const MAX_BODY = '64mb';

const options = JSON.parse(process.env[NODE_OPTIONS_VARIABLE] ?? '') as NodeProcessOptions;
const { port, redisUrl, hub = {}, isBehindProxy = false } = options;
const log = silentLog;
const rowlock = createRowlock({
  types: [lockable('ApprovalRequest'), lockable('Invoice')],
  identify: testIdentity(),
  backend: redisUrl === null ? memoryBackend({ log }) : redisBackend({ url: redisUrl, log }),
  log,
  hub: { ...hub, ...(isBehindProxy ? { clientAddress } : {}) },
});

let visits: HubVisit[] = [];
const webSockets = new Set<Duplex>();
let isDraining = false;
const app = express()
  // Else a connection that is never idle would be cut in the end, with a request on it.
  .use((_request, response, next) => {
    if (isDraining) response.set('Connection', 'close');
    next();
  })
  .use(rowlock.health)
  .use('/api', rowlock.router)
  .get('/test/report', (request, response) => {
    // Twice: what the first collection finalises, the second one frees.
    for (let round = 0; round < 2 && 'gc' in request.query; round += 1) globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    response.json({
      rssBytes: rss,
      heapBytes: heapUsed + external,
      peakRssBytes: process.resourceUsage().maxRSS * 1_024,
      connections: rowlock.hub.connectionCount,
      webSockets: webSockets.size,
      visits,
    } satisfies NodeReport);
    visits = [];
  })
  .post('/test/publish', express.json({ limit: MAX_BODY }), (request, response) => {
    for (const change of request.body as readonly UnstampedChange[]) {
      void rowlock.hub.publish(TEST_TENANT, change);
    }
    response.json({});
  });

const server = createServer(app);
rowlock.attach(server);
// After the hub's own listeners, which take the query string away.
server.on('request', (request) => {
  const isNegotiation = request.url?.endsWith('/negotiate') === true;
  note(request, isNegotiation ? 'negotiate' : (request.method as HubVisit['what']));
});
server.on('upgrade', (request, socket) => {
  note(request, 'upgrade');
  webSockets.add(socket);
  socket.once('close', () => webSockets.delete(socket));
});
await rowlock.start();
await once(server.listen({ port, host: '127.0.0.1', backlog: 4_096 }), 'listening');
process.send?.('ready');

process.once('SIGTERM', () => void drain());

/** First the hub, while requests of the connections that still live are taken; then everything else. */
async function drain(): Promise<void> {
  isDraining = true;
  await rowlock.drain();
  const closed = once(server, 'close');
  server.close();
  setTimeout(() => server.closeAllConnections(), 2_000).unref();
  await closed;
  await rowlock.stop();
  process.disconnect();
}

function note(request: IncomingMessage, what: HubVisit['what']): void {
  const client = request.headers['x-test-client'];
  if (typeof client === 'string') visits.push({ client, what });
}

/** The proxy sets the header itself and listens on this machine; from anybody else it says nothing. */
function clientAddress(request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  return address === '127.0.0.1' && typeof forwarded === 'string' ? forwarded : address;
}
