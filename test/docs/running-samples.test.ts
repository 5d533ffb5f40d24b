import express, { type RequestHandler } from 'express';
import * as nodeAssert from 'node:assert';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as nodeHttp from 'node:http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { compileFunction } from 'node:vm';
import { HubConnectionBuilder, LogLevel, Subject, type HubConnection } from '@microsoft/signalr';
import ts from 'typescript';
import * as rowlockServer from '../../server/index.ts';
import { TEST_TENANT, testIdentity, tokenFor } from '../support/test-tokens.ts';
import { until } from '../support/until.ts';
import { blocksOf } from './markdown-pages.ts';

/** What a sample that runs may import. */
const MODULES: Readonly<Record<string, unknown>> = {
  'rowlock/server': rowlockServer,
  express,
  'node:http': nodeHttp,
  'node:assert': nodeAssert,
};

/** The TypeScript samples of a page of documentation, in their order. */
function samplesOf(page: string): readonly string[] {
  return blocksOf(page).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));
}

/** Runs a sample with what it takes as given; answers its own constants of these names. */
function runSample(
  sample: string,
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const { outputText } = ts.transpileModule(`${sample}\nexport { ${names.join(', ')} };`, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported: Record<string, unknown> = {};
  const require = (name: string): unknown => {
    const known = MODULES[name];
    assert.notEqual(known, undefined, name);
    return known;
  };
  const code = compileFunction(outputText, ['exports', 'require', ...Object.keys(given)]) as (
    ...args: readonly unknown[]
  ) => void;
  code(exported, require, ...Object.values(given));
  return exported;
}

describe('the hub of docs/hub.md', () => {
  let server: Server;
  let endpoint: rowlockServer.HubEndpoint;
  const clients: HubConnection[] = [];

  before(async () => {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const [sample = ''] = samplesOf('docs/hub.md');
    const given = { identify: testIdentity(), httpServer: server };
    ({ endpoint } = runSample(sample, given, ['endpoint']) as { endpoint: rowlockServer.HubEndpoint });
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.stop()));
    await endpoint.stop();
    server.closeAllConnections();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });

  const connect = async (oid: string, tenant: string) => {
    const { port } = server.address() as AddressInfo;
    const client = new HubConnectionBuilder()
      .withUrl(`http://127.0.0.1:${port}/hubs/board`, { accessTokenFactory: () => tokenFor({ oid, tenant }) })
      .configureLogging(LogLevel.None)
      .build();
    clients.push(client);
    const said: unknown[][] = [];
    client.on('Said', (...args: unknown[]) => said.push(args));
    await client.start();
    return { client, said };
  };

  it('does what the page says, with the vendor’s client', async () => {
    const [anna, ben, eve] = [
      await connect('Anna', 'acme'),
      await connect('Ben', 'acme'),
      await connect('Eve', 'other'),
    ];
    await anna.client.invoke('Say', 'hello');
    await until('Ben hears it', () => ben.said.length > 0);
    assert.deepEqual([anna.said, ben.said, eve.said], [[['Anna', 'hello']], [['Anna', 'hello']], []]);
    await assert.rejects(
      anna.client.invoke('Say', 5),
      /Failed to invoke 'Say' due to an error on the server\.$/,
    );

    const counted: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      anna.client.stream('Countdown', 3).subscribe({
        next: (left) => counted.push(left),
        complete: resolve,
        error: reject,
      });
    });
    assert.deepEqual(counted, [3, 2, 1]);

    const numbers = new Subject<number>();
    const total = anna.client.invoke('Total', numbers);
    for (const number of [1, 2, 3]) numbers.next(number);
    numbers.complete();
    assert.equal(await total, 6);

    let answer = true;
    anna.client.on('AskPerson', (question: string) => question === 'Really?' && answer);
    await anna.client.invoke('Confirm', 'Really?');
    answer = false;
    await assert.rejects(anna.client.invoke('Confirm', 'Really?'), /HubException: The person said no\.$/);
  });
});

describe('the samples of docs/enforcing.md', () => {
  const ANN = { oid: 'ann', name: 'Ann Lee' };
  const BOB = { oid: 'bob', name: 'Bob Kay' };
  const servers: Server[] = [];

  /** A sample, and its server on a port of its own. */
  const run = async (at: number, names: readonly string[], given: Readonly<Record<string, unknown>> = {}) => {
    const sample = samplesOf('docs/enforcing.md')[at] ?? '';
    const found = runSample(sample, { identify: testIdentity(), ...given }, ['rowlock', ...names]);
    return found as Readonly<Record<string, unknown>> & { rowlock: rowlockServer.Rowlock };
  };
  const listen = async (server: Server) => {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return async (user: { oid: string; name: string }, method: string, path: string, body?: unknown) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${await tokenFor(user)}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    };
  };
  const claim = ({ service }: rowlockServer.Rowlock, { oid, name }: typeof ANN, entityUid: string) =>
    service.claim(
      { tenant: TEST_TENANT, oid, name, kind: 'user' },
      { entityType: 'ApprovalRequest', entityUid },
      {
        sessionId: 's',
      },
    );

  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('Express: each route as the page says', async () => {
    const app = express();
    const save: RequestHandler = (_request, response) => void response.json({ ok: true });
    const { rowlock } = await run(0, [], { app, save });
    const call = await listen(createServer(app));
    await claim(rowlock, BOB, '1');
    for (const [method, path, status] of [
      ['PUT', '/requests/1', 409],
      ['PATCH', '/requests/1', 409],
      ['DELETE', '/requests/1', 409],
      ['POST', '/requests/1/approve', 409],
      ['POST', '/requests/1/comments', 200],
      ['PUT', '/entities/ApprovalRequest/1', 409],
      ['PUT', '/entities/Nothing/1', 400],
      ['PUT', '/requests/2', 200],
    ] as const) {
      assert.equal((await call(ANN, method, path)).status, status, `${method} ${path}`);
    }
    const ids = ['1', '2', 'impossible'];
    const { status, json } = await call(ANN, 'PUT', '/requests', { ids });
    const rows = json['results'] as readonly { entityUid: string; status: string }[];
    assert.deepEqual(
      [status, ...rows.map((row) => `${row.entityUid} ${row.status}`)],
      [200, '1 locked', '2 written', 'impossible failed'],
    );
    assert.equal((await call(ANN, 'PUT', '/requests', {})).status, 400);
    assert.deepEqual(rowlock.unguardedRoutes(app), []);
  });

  it('node:http and a queue worker have the same answers as the middleware', async () => {
    const { rowlock, server, work, saved } = await run(1, ['server', 'work', 'saved']);
    const call = await listen(server as Server);
    await claim(rowlock, BOB, '1');
    const refused = await call(ANN, 'PUT', '/requests/1');
    assert.deepEqual([refused.status, refused.json['code']], [409, 'entity-locked']);
    assert.equal((await call(BOB, 'PUT', '/requests/1')).status, 204);
    assert.equal((await call(ANN, 'PUT', '/requests/2')).status, 204);
    assert.equal((await call(ANN, 'PUT', '/requests/')).status, 400);
    const ask = work as (job: object) => Promise<boolean>;
    assert.equal(await ask({ uid: '1', ...ANN }), false);
    assert.equal(await ask({ uid: '3', ...ANN }), true);
    assert.deepEqual([...(saved as Set<string>)], ['1', '2', '3']);
    assert.equal(
      (
        await rowlock.service.list({ tenant: TEST_TENANT, ...ANN, kind: 'user' }, 'ApprovalRequest', {
          limit: 9,
        })
      ).locks.length,
      1,
    );
  });

  it('the test of what is not guarded passes', async () => {
    const app = express();
    const sample = samplesOf('docs/enforcing.md')[3] ?? '';
    const { seen } = runSample(
      sample.replace('export const seeUnguarded', 'const seen'),
      { identify: testIdentity(), app, save: () => {} },
      ['seen'],
    );
    (seen as () => void)();
  });
});
