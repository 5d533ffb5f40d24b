// `npm start`: the demo's composition root. Reads PORT, HOST, ALLOWED_ORIGINS and REDIS_URL, REDIS_CLUSTER or
// REDIS_SENTINEL; starts by being imported.
import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lockable } from '../core/index.ts';
import {
  createRowlock,
  jsonLog,
  jwtIdentity,
  memoryBackend,
  redisBackend,
  redisFromEnvironment,
} from '../server/index.ts';
import { ApprovalDesk } from './approval-desk.ts';
import { approvalRoutes } from './approval-routes.ts';
import { crossOrigin } from './cross-origin.ts';
import { demoOrigins } from './demo-origins.ts';
import { demoPageRoutes } from './demo-page-routes.ts';
import { demoTokenRoutes } from './demo-token-routes.ts';
import { DEMO_ALGORITHM, DEMO_AUDIENCE, DEMO_ISSUER, DemoTokens } from './demo-tokens.ts';
import { scriptTagRoutes } from './script-tag-routes.ts';

const {
  PORT = '8080',
  HOST = '127.0.0.1',
  ALLOWED_ORIGINS,
  REDIS_URL,
  REDIS_CLUSTER,
  REDIS_SENTINEL,
} = process.env;

/**
 * How long a client may take for its headers and for its whole request, in milliseconds. Answers may take as long as
 * they like (polls and streams of the hub). Idle connections are kept longer than a proxy before it keeps them (60 s).
 */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };

/** How long requests under way may take when the server stops, in milliseconds. */
const LAST_REQUESTS_MS = 2_000;

start().catch((error: unknown) => {
  console.error(`The Rowlock demo cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});

async function start(): Promise<void> {
  const wantedPort = Number(PORT);
  if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65_535) {
    throw new Error(`PORT: expected a whole number from 0 (any free port) to 65535, got "${PORT}".`);
  }
  const allowedOrigins = demoOrigins(ALLOWED_ORIGINS, HOST);
  const redis = redisFromEnvironment({ REDIS_URL, REDIS_CLUSTER, REDIS_SENTINEL });
  // stdout is for the one line below.
  const log = jsonLog({ write: (line) => process.stderr.write(`${line}\n`) });
  const tokens = await DemoTokens.create();
  const identify = jwtIdentity({
    key: tokens.publicKey,
    issuer: DEMO_ISSUER,
    audience: DEMO_AUDIENCE,
    algorithms: [DEMO_ALGORITHM],
  });
  const rowlock = createRowlock({
    types: [lockable('ApprovalRequest')],
    identify,
    backend: redis === null ? memoryBackend({ log }) : redisBackend({ ...redis.target, log }),
    log,
    allowedOrigins,
  });
  const requests = approvalRoutes({ desk: new ApprovalDesk(), identify, guardWrites: rowlock.guardWrites });
  const pagesElsewhere = crossOrigin(allowedOrigins, log);
  let isDraining = false;
  const app = express()
    .disable('x-powered-by')
    // Else a connection that is never idle would be cut in the end, with a request on it.
    .use((_request, response, next) => {
      if (isDraining) response.set('Connection', 'close');
      next();
    })
    .use(rowlock.health)
    .use('/api', rowlock.router)
    .use('/api/requests', pagesElsewhere, requests)
    .use('/demo', pagesElsewhere, demoTokenRoutes(tokens))
    .use(scriptTagRoutes(fileURLToPath(new URL('../cdn', import.meta.url))))
    .use(demoPageRoutes(fileURLToPath(new URL('../site', import.meta.url))));

  const server = createServer(LIMITS, app);
  rowlock.attach(server);
  await rowlock.start();
  server.listen(wantedPort, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  console.log(
    `Rowlock demo on http://${host}:${port} (locks: ${redis?.description ?? 'embedded store, this process only'})`,
  );

  /** Asks the pages to come back to another node, lets what is under way finish, and ends. */
  const drain = async () => {
    isDraining = true;
    await rowlock.drain();
    const closed = once(server, 'close');
    server.close();
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    await Promise.race([closed, delay(LAST_REQUESTS_MS, undefined, { ref: false })]);
    clearInterval(idle);
    await rowlock.stop();
    server.closeAllConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void drain());
}
