import { HttpChild } from './http-child.ts';
import { HTTP_ROUTE_NAMES, HTTP_ROUTES, USER_HEADER, type HttpRouteName } from './http-routes.ts';
import { RawHttpConnection } from './raw-http-connection.ts';
import type { RedisUsage } from './redis-usage.ts';
import { runWorkers } from './run-workers.ts';
import { BENCH_SESSION, sampleRef } from './sample-lock.ts';
import { Stalled, type StallWatch } from './stall-watch.ts';

export const HTTP_CONCURRENCIES = [1, 32] as const;

const WARM_UP_MS = 800;
const ROUND_MS = 350;

/** Entities that are written, each by the user of the same number, who holds its lock. */
const WRITTEN = 500;

/** One round of one route. */
export interface HttpRound {
  readonly perS: number;
  /** CPU of the server's process and of Redis, microseconds a request. */
  readonly serverUs: number;
  readonly redisUs: number;
}

/** Concurrency → route → rounds, in the order in which they were run. */
export type HttpFindings = ReadonlyMap<number, ReadonlyMap<HttpRouteName, readonly HttpRound[]>>;

/** All routes are those of one server, in turn. Every claim is another user's, on another record that is free. */
export async function measureHttp(
  redisUrl: string,
  usage: RedisUsage,
  rounds: number,
  stalls: StallWatch,
  onChildCpu: (us: number) => void,
): Promise<HttpFindings> {
  await usage.flush();
  const server = await HttpChild.start(redisUrl);
  const connections: RawHttpConnection[] = [];
  try {
    for (let opened = 0; opened < Math.max(...HTTP_CONCURRENCIES); opened += 1) {
      connections.push(await RawHttpConnection.open(server.port));
    }
    let next = WRITTEN;
    const run = (route: HttpRouteName, concurrency: number, forMs: number) =>
      stalls.round(async (onCall): Promise<HttpRound> => {
        const redisBefore = await usage.cpuUs();
        const serverBefore = await server.cpuUs();
        const startedAt = performance.now();
        let answers = 0;
        const work = async (connection: RawHttpConnection) => {
          while (performance.now() - startedAt < forMs) {
            next += 1;
            const askedAt = performance.now();
            await ask(connection, route, next);
            onCall(performance.now() - askedAt);
            answers += 1;
          }
        };
        await runWorkers(connections.slice(0, concurrency).map(work));
        const wallMs = performance.now() - startedAt;
        const serverUs = ((await server.cpuUs()) - serverBefore) / answers;
        const redisUs = ((await usage.cpuUs()) - redisBefore) / answers;
        return { perS: (answers / wallMs) * 1_000, serverUs, redisUs };
      });

    for (let index = 0; index < WRITTEN; index += 1) {
      const [connection] = connections;
      if (connection !== undefined) await ask(connection, 'claim', index);
    }
    for (const route of HTTP_ROUTE_NAMES) await run(route, Math.max(...HTTP_CONCURRENCIES), WARM_UP_MS);
    const results = new Map(
      HTTP_CONCURRENCIES.map((concurrency) => [
        concurrency,
        new Map(HTTP_ROUTE_NAMES.map((route) => [route, [] as HttpRound[]])),
      ]),
    );
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? HTTP_ROUTE_NAMES : [...HTTP_ROUTE_NAMES].reverse();
      for (const concurrency of HTTP_CONCURRENCIES) {
        for (const route of order) {
          results
            .get(concurrency)
            ?.get(route)
            ?.push(await run(route, concurrency, ROUND_MS));
        }
      }
    }
    onChildCpu(await server.cpuUs());
    return results;
  } finally {
    for (const connection of connections) connection.close();
    await server.stop();
  }
}

async function ask(connection: RawHttpConnection, route: HttpRouteName, number: number): Promise<void> {
  const { outcome } = HTTP_ROUTES[route];
  const answer = await connection.send(requestOf(route, number));
  if (answer.includes('"outcome":"unknown"'))
    throw new Stalled(`${route}: the store did not answer in time.`);
  if (!answer.includes(`"outcome":"${outcome}"`))
    throw new Error(`${route}: expected ${outcome}, got ${answer}`);
}

function requestOf(name: HttpRouteName, number: number): string {
  const { method, path } = HTTP_ROUTES[name];
  const isClaim = method === 'POST';
  const index = isClaim ? number : number % WRITTEN;
  const body = JSON.stringify(
    isClaim ? { sessionId: BENCH_SESSION } : { title: 'New chairs', amount: 1_200 },
  );
  return [
    `${method} ${path(sampleRef(index).entityUid)} HTTP/1.1`,
    'Host: localhost',
    `${USER_HEADER}: user-${index}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
