// The server under test, in a process of its own; tells its parent its port, and its CPU time whenever it is asked.
import { createServer, type IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { Redis } from 'ioredis';
import { createRowlock, lockable, redisBackend, redisSettings } from '../../../server/index.ts';
import { lockKeys } from '../../../server/redis/lock-keys.ts';
import { loadScript } from '../../../server/redis/lua-scripts.ts';
import { writeRecord } from '../../../server/redis/stored-record.ts';
import { silentLog } from '../../support/silent-log.ts';
import { listenLocally } from '../hub/listen-locally.ts';
import { HTTP_TENANT, USER_HEADER, type ServerNews } from './http-routes.ts';
import { BENCH_TYPE, LEASE_MS } from './sample-lock.ts';

const url = process.env['BENCH_REDIS_URL'] ?? '';
const redis = new Redis(url, redisSettings.client);
await redis.connect();
redis.defineCommand('benchClaim', loadScript('claim'));
// defineCommand adds methods that no type can know of.
const scripts = redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown[]>>;

// Who the callers are costs the same on every route: next to nothing.
const userOf = ({ headers }: IncomingMessage) => String(headers[USER_HEADER]);

const rowlock = createRowlock({
  types: [lockable(BENCH_TYPE)],
  identify: async (request) => {
    const oid = userOf(request);
    return { tenant: HTTP_TENANT, oid, name: oid, kind: 'user' };
  },
  backend: redisBackend({ url, log: silentLog }),
  log: silentLog,
});
await rowlock.start();

/** As an application's own route would claim: the same script with the same keys and arguments. */
const claimBarely: RequestHandler<{ uid: string }> = async (request, response) => {
  const holder = { oid: userOf(request), name: userOf(request) };
  const { sessionId } = request.body as { readonly sessionId: string };
  const ref = { entityType: BENCH_TYPE, entityUid: request.params.uid };
  const { lock, index, fence, sessions, channel } = lockKeys({ tenant: HTTP_TENANT, ref });
  const record = writeRecord(ref, holder, Date.now(), LEASE_MS);
  const keys = [lock, index, fence, sessions];
  const reply = await scripts['benchClaim']?.(
    ...keys,
    holder.oid,
    sessionId,
    0,
    'plain',
    channel,
    LEASE_MS,
    record,
  );
  const [outcome, stored, expiresInMs, at, present, before, otherSessions] = reply ?? [];
  const live: object = { ...(JSON.parse(String(stored)) as object), expiresInMs, fence: present, at };
  response.json({ outcome, lock: live, before, otherSessions });
};

/** The application's write: one trip to the same Redis. */
const writeDocument: RequestHandler<{ uid: string }> = async (request, response) => {
  await redis.set(`document:${request.params.uid}`, JSON.stringify(request.body));
  response.json({ outcome: 'written' });
};

const guard = (publishChange: boolean) =>
  rowlock.guardWrites({
    type: BENCH_TYPE,
    uid: ({ params }) => params['uid'],
    publishChange,
  }) as RequestHandler<{ uid: string }>;

const app = express()
  .use('/api', rowlock.router)
  .use(express.json())
  .post('/bare/:uid/claim', claimBarely)
  .put('/bare/:uid', writeDocument)
  .put('/guarded/:uid', guard(true), writeDocument)
  .put('/quiet/:uid', guard(false), writeDocument);

const server = createServer(app);
rowlock.attach(server);
const tell = (news: ServerNews) => process.send?.(news);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  tell({ cpuUs: user + system });
});
process.on('disconnect', () => process.exit(0));
tell({ port: await listenLocally(server) });
