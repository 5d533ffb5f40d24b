import express, { type Express } from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lockable, lockPaths, type EntityRef, type LeaseAnswer } from '../../core/index.ts';
import { createRowlock, type LockBackend, type Rowlock, type RowlockOptions } from '../../server/index.ts';
import { silentLog } from './silent-log.ts';
import { testIdentity, tokenFor, type TestUser } from './test-tokens.ts';

export interface RowlockNodeOptions extends Partial<RowlockOptions> {
  readonly backend: LockBackend;
  /** Default: a free one. */
  readonly port?: number;
  /** Adds the application's own routes. */
  readonly routes?: (app: Express, rowlock: Rowlock) => void;
}

export interface CallOptions {
  /** null = without a token. */
  readonly as: TestUser | string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallResult {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** One server node: Express, the lock API at `/api`, the hub, on a port of its own. */
export interface RowlockNode {
  readonly url: string;
  readonly rowlock: Rowlock;
  readonly server: Server;
  call(method: string, path: string, options: CallOptions): Promise<CallResult>;
  claim(user: TestUser, ref: EntityRef, sessionId?: string): Promise<LeaseAnswer>;
  stop(): Promise<void>;
}

export async function startNode({ routes, port = 0, ...options }: RowlockNodeOptions): Promise<RowlockNode> {
  const rowlock = createRowlock({
    types: [lockable('ApprovalRequest'), lockable('Invoice')],
    identify: testIdentity(),
    log: silentLog,
    warnOfUnguardedTypes: false, // tests write through no routes of an application, but for those that look at them
    ...options,
  });
  const app = express().use(rowlock.health).use('/api', rowlock.router);
  routes?.(app, rowlock);
  const server = createServer(app);
  rowlock.attach(server);
  await rowlock.start();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async (method: string, path: string, { as, body, headers = {} }: CallOptions) => {
    const token = as === null ? null : typeof as === 'string' ? as : await tokenFor(as);
    const response = await fetch(url + path, {
      method,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
  return {
    url,
    rowlock,
    server,
    call,
    async claim(user, ref, sessionId = 's1') {
      const { json } = await call('POST', `/api${lockPaths.claim(ref)}`, { as: user, body: { sessionId } });
      return json as unknown as LeaseAnswer;
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

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
