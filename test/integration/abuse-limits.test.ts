import express, { type Express } from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { LockRegistry, LockService, MAX_BODY_BYTES, MemoryLockStore } from '../../core/index.ts';
import { OriginRule, lockRouter, lockable } from '../../server/index.ts';
import { RawHttp, type RawRequest } from '../support/raw-http.ts';
import { silentLog } from '../support/silent-log.ts';
import { testIdentity, tokenFor } from '../support/test-tokens.ts';

const BODY_WITHIN_MS = 300;
const CLAIM = '/api/locks/ApprovalRequest/42/claim';

/** The lock API alone, with little patience for bodies, behind what `prepare` puts before it. */
async function startApi(prepare: (app: Express) => void = () => {}) {
  const store = new MemoryLockStore();
  const registry = new LockRegistry([lockable('ApprovalRequest')]);
  const service = new LockService({ store, feed: store.feed, registry, log: silentLog });
  const origins = new OriginRule();
  const app = express();
  prepare(app);
  app.use(
    '/api',
    lockRouter({ service, identify: testIdentity(), origins, log: silentLog, bodyWithinMs: BODY_WITHIN_MS }),
  );
  const server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, service };
}

async function stopApi(server: Server) {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

describe('a body of the lock API', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let token: string;
  before(async () => {
    api = await startApi();
    token = await tokenFor({ oid: 'ann' });
  });
  after(() => stopApi(api.server));

  const send = async (request: Partial<RawRequest>, port = api.port) => {
    const http = new RawHttp(port);
    const answer = await http.send({
      method: 'POST',
      path: CLAIM,
      body: null,
      ...request,
      headers: [['Authorization', `Bearer ${token}`], ...(request.headers ?? [])],
    });
    http.close();
    const json = JSON.parse(answer?.text ?? 'null') as Record<string, unknown> | null;
    return [answer?.status, json?.['code'] ?? json?.['outcome']];
  };
  /** A connection on which a POST has begun. */
  const begin = async (headers: string, credentials = `Authorization: Bearer ${token}\r\n`) => {
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`POST ${CLAIM} HTTP/1.1\r\nHost: x\r\n${credentials}${headers}\r\n`);
    return socket;
  };
  const ended = async (socket: Socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (data: string) => (text += data));
    const beganAt = performance.now();
    // Not `once()`: a reset, after the answer, is no failure here.
    await new Promise((resolve) => socket.once('close', resolve));
    return { text, tookMs: performance.now() - beganAt };
  };

  it('is counted in bytes, in chunks without a length as well', async () => {
    const fitting = Buffer.from(`{"sessionId":"a"}${' '.repeat(MAX_BODY_BYTES - 17)}`);
    const larger = Buffer.concat([fitting, Buffer.from(' ')]);
    for (const isChunked of [false, true]) {
      assert.deepEqual(await send({ body: fitting, isChunked }), [200, 'acquired']);
      assert.deepEqual(await send({ body: larger, isChunked }), [413, 'too-large']);
    }
    const letters = Buffer.from(`"${'ä'.repeat(MAX_BODY_BYTES / 2)}"`);
    assert.deepEqual(
      await send({ body: letters, isChunked: true }),
      [413, 'too-large'],
      'two bytes a letter',
    );
  });

  it('is refused by its announced length, before any of it has come', async () => {
    const socket = await begin('Content-Length: 1000000000\r\n');
    const { text, tookMs } = await ended(socket);
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.ok(tookMs < 3_000, `the connection ended after ${tookMs} ms`);
  });

  it('that never ends is read no further: the answer comes, then the connection goes', async () => {
    const socket = await begin('Transfer-Encoding: chunked\r\n');
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const flood = setInterval(() => socket.write(chunk), 5);
    const { text, tookMs } = await ended(socket);
    clearInterval(flood);
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.ok(tookMs < 5_000, `the connection ended after ${tookMs} ms`);
  });

  it('that drips is given up in time, whatever drips', async () => {
    for (const headers of ['Content-Length: 100\r\n', 'Transfer-Encoding: chunked\r\n']) {
      const socket = await begin(headers);
      const drip = setInterval(() => socket.write(headers.startsWith('C') ? ' ' : '1\r\n \r\n'), 40);
      const { text, tookMs } = await ended(socket);
      clearInterval(drip);
      assert.match(text, /^HTTP\/1\.1 408 .*"code":"request-timeout"/s);
      assert.ok(tookMs > BODY_WITHIN_MS / 2 && tookMs < 5_000, `it took ${tookMs} ms`);
    }
  });

  it('of nobody is not waited for', async () => {
    const socket = await begin('Content-Length: 100\r\n', '');
    const { text } = await ended(socket);
    assert.match(text, /^HTTP\/1\.1 401 /);
  });

  it('that is broken off does nothing', async () => {
    const socket = await begin('Content-Length: 100\r\n');
    socket.write('{"sessionId":"broken-off"');
    socket.destroy();
    await delay(0);
    const { service } = api;
    const principal = { tenant: 'tenant-a', oid: 'nobody', name: 'N', kind: 'user' } as const;
    const { locks } = await service.read(principal, { entityType: 'ApprovalRequest', entityUid: 'other' });
    assert.deepEqual(locks, []);
    assert.deepEqual(await send({ body: Buffer.from('{}') }), [200, 'acquired'], 'the server goes on');
  });

  it('is UTF-8 without an encoding: a byte order mark is passed over, nothing is inflated', async () => {
    assert.deepEqual(await send({ body: Buffer.from('\ufeff{"sessionId":"a"}') }), [200, 'acquired']);
    assert.deepEqual(await send({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }), [
      400,
      'bad-request',
    ]);
    const headers = [['Content-Encoding', 'gzip']] as const;
    assert.deepEqual(await send({ body: gzipSync(' '.repeat(10_000_000)), headers }), [400, 'bad-request']);
    assert.deepEqual(await send({ body: gzipSync('{}'), headers }), [400, 'bad-request']);
    const utf16 = [['Content-Type', 'application/json; charset=utf-16']] as const;
    assert.deepEqual(await send({ body: Buffer.from('{}', 'utf16le'), headers: utf16 }), [
      400,
      'bad-request',
    ]);
  });

  it('nests as little as its fields do: thousands of levels are a bad request, quickly', async () => {
    const levels = 7_500;
    for (const text of [
      `${'['.repeat(levels)}${']'.repeat(levels)}`,
      `{"sessionId":${'['.repeat(levels)}${']'.repeat(levels)}}`,
      `${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}`,
      '['.repeat(levels),
    ]) {
      const beganAt = performance.now();
      assert.deepEqual(await send({ body: Buffer.from(text) }), [400, 'bad-request']);
      assert.ok(performance.now() - beganAt < 3_000);
    }
  });

  it('that the application has parsed before is taken as it is, however deep, and never a 500', async () => {
    const parsing = await startApi((app) => app.use(express.json({ limit: '10mb' })));
    const headers = [['Content-Type', 'application/json']] as const;
    const ask = (text: string) => send({ body: Buffer.from(text), headers }, parsing.port);
    assert.deepEqual(await ask('{"sessionId":"a"}'), [200, 'acquired']);
    assert.deepEqual(await ask(`{"sessionId":"${'x'.repeat(MAX_BODY_BYTES)}"}`), [413, 'too-large']);
    const deep = 200_000;
    assert.deepEqual(await ask(`{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`), [400, 'bad-request']);
    assert.deepEqual(await ask('{"__proto__":{"sessionId":"x"}}'), [400, 'bad-request']);
    await stopApi(parsing.server);
  });

  it('that the application has swallowed before is loud', async () => {
    const swallowing = await startApi((app) =>
      app.use((request, _response, next) => {
        request.resume().once('end', next);
      }),
    );
    assert.deepEqual(await send({ body: Buffer.from('{"sessionId":"a"}') }, swallowing.port), [
      500,
      'internal',
    ]);
    await stopApi(swallowing.server);
  });
});
