import express, { type Request, type RequestHandler, type Response } from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_HUB_PATH, lockable, type LockStore } from '../../core/index.ts';
import { createRowlock, memoryBackend, type LockBackend, type Rowlock } from '../../server/index.ts';
import type { ConformanceOptions } from '../../conformance/index.ts';
import { silentLog } from './silent-log.ts';
import { testIdentity, tokenFor } from './test-tokens.ts';

/** An answer on its way out, which a fault may change. */
export interface OutgoingAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** One fault of a backend. What is not named works as it should. */
export interface BackendFault {
  /** Replaces steps of the store. */
  readonly store?: (store: LockStore) => Partial<LockStore>;
  /** Replaces parts of what changes go through. */
  readonly feed?: (backend: LockBackend) => Partial<LockBackend['feed']>;
  /** Changes what the API answers. */
  readonly answer?: (answer: OutgoingAnswer, request: Request) => void;
  /** Answers a request of the API instead of it. */
  readonly instead?: RequestHandler;
  /** The guarded route. Default: guarded as it should be. */
  readonly write?: (rowlock: Rowlock) => RequestHandler[];
}

export interface TamperedNode {
  /** What the checks are to be run with: all of them can be. */
  readonly options: ConformanceOptions;
  stop(): Promise<void>;
}

/** A server with the lock API, the hub and a guarded route `PUT /requests/:uid`, all on a port of its own. */
export async function startTamperedNode(fault: BackendFault = {}): Promise<TamperedNode> {
  const rowlock = createRowlock({
    types: [lockable('ApprovalRequest'), lockable('Invoice')],
    identify: testIdentity(),
    log: silentLog,
    backend: broken(memoryBackend({ log: silentLog }), fault),
    rateLimits: false,
  });
  const guarded = fault.write?.(rowlock) ?? [
    rowlock.guardWrites({ type: 'ApprovalRequest', uid: ({ params }) => params['uid'] }),
  ];
  const app = express();
  app.use('/api', (request, response, next) => {
    if (fault.answer !== undefined) tamper(request, response, fault.answer);
    next();
  });
  if (fault.instead !== undefined) app.use('/api', fault.instead);
  app.use('/api', rowlock.router);
  app.put('/requests/:uid', ...guarded, (_, response) => void response.json({}));
  const server = createServer(app);
  rowlock.attach(server);
  await rowlock.start();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [user, other, otherTenant, automation] = await Promise.all([
    tokenFor({ oid: 'anna', name: 'Anna' }),
    tokenFor({ oid: 'ben', name: 'Ben' }),
    tokenFor({ oid: 'carla', tenant: 'tenant-b' }),
    tokenFor({ oid: 'robot', claims: { idtyp: 'app' } }),
  ]);
  return {
    options: {
      api: `${url}/api`,
      hub: url + DEFAULT_HUB_PATH,
      entityType: 'ApprovalRequest',
      otherType: 'Invoice',
      tokens: { user, other, otherTenant, automation },
      write: { url: `${url}/requests/{uid}` },
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      await rowlock.stop();
      server.closeAllConnections();
      await closed;
    },
  };
}

function broken(backend: LockBackend, { store, feed }: BackendFault): LockBackend {
  return {
    start: () => backend.start(),
    stop: () => backend.stop(),
    store: overlaid(backend.store, store?.(backend.store) ?? {}),
    feed: overlaid(backend.feed, feed?.(backend) ?? {}),
  };
}

/** The same object with some of its members replaced. */
function overlaid<Base extends object>(base: Base, replaced: Partial<Base>): Base {
  return new Proxy(base, {
    get(target, name) {
      const own = Reflect.get(replaced, name) as unknown;
      if (own !== undefined) return own;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function tamper(request: Request, response: Response, change: NonNullable<BackendFault['answer']>): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  let head: { status: number; headers: Record<string, string> } | null = null;
  response.writeHead = ((status: number, headers: Record<string, string>) => {
    head = { status, headers };
    return response;
  }) as typeof response.writeHead;
  response.end = ((bytes: Buffer) => {
    const { status, headers } = head ?? { status: response.statusCode, headers: {} };
    const answer = { status, headers, body: JSON.parse(bytes.toString()) as Record<string, unknown> };
    change(answer, request);
    const text = Buffer.from(JSON.stringify(answer.body));
    writeHead(answer.status, { ...answer.headers, 'Content-Length': String(text.length) });
    return end(text);
  }) as typeof response.end;
}
