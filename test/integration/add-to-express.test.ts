import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockPaths, type EntityChange, type LiveLock } from '../../core/index.ts';
import { freePort } from '../support/free-port.ts';
import { OIDC_AUDIENCE, OidcIssuer } from '../support/oidc-issuer.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REF = { entityType: 'ApprovalRequest', entityUid: 'REQ-2041' };
const ANNA = { oid: 'anna', name: 'Anna Berger' };
const BEN = { oid: 'ben', name: 'Ben Okafor' };

/** The TypeScript of docs/add-to-express.md: the steps, and last the whole file. */
const samples = [
  ...readFileSync(`${ROOT}docs/add-to-express.md`, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, sample = '']) => sample);
const whole = samples.at(-1) ?? '';

describe('the file at the end of docs/add-to-express.md', () => {
  let folder = '';
  let redis: RedisServer;
  let issuer: OidcIssuer;
  const nodes: { readonly url: string; readonly child: ChildProcess; output: string }[] = [];

  before(async () => {
    mkdirSync(`${ROOT}.cache`, { recursive: true });
    folder = mkdtempSync(`${ROOT}.cache/add-to-express-`);
    // Of the sources, so that no build is needed.
    writeFileSync(`${folder}/server.ts`, whole.replace("'rowlock/server'", "'../../server/index.ts'"));
    [redis, issuer] = await Promise.all([startRedis(), OidcIssuer.start()]);
    await issuer.rotate('RS256'); // as Entra signs
    for (const port of [await freePort(), await freePort()]) {
      const child = spawn(process.execPath, ['--import', 'tsx', `${folder}/server.ts`], {
        env: {
          ...process.env,
          PORT: String(port),
          ISSUER: issuer.issuer,
          AUDIENCE: OIDC_AUDIENCE,
          REDIS_URL: redis.url,
          HUB_SECRET: 'the same thirty-two letters, twice',
        },
      });
      const node = { url: `http://127.0.0.1:${port}`, child, output: '' };
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (node.output += text));
      }
      nodes.push(node);
    }
    const listening = () => nodes.every(({ output }) => output.includes('Listening on port'));
    await until('both nodes listen', listening, 60_000).catch((error: unknown) => {
      throw new Error([error, ...nodes.map(({ output }) => output)].join('\n'));
    });
    // The issuer's keys are fetched when the first caller comes.
    for (const at of nodes.keys()) {
      const isKnown = async () => (await call(at, 'GET', '/api/locks/mine', BEN)).status === 200;
      await until('a node has the keys of the issuer', isKnown, 30_000);
    }
  });
  after(async () => {
    for (const { child } of nodes) child.kill('SIGKILL');
    await Promise.all([redis.stop(), issuer.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (at: number, method: string, path: string, user: typeof ANNA | null, body?: unknown) => {
    const response = await fetch(`${nodes[at]?.url ?? ''}${path}`, {
      method,
      signal: AbortSignal.timeout(10_000),
      headers: {
        'content-type': 'application/json',
        ...(user && { authorization: `Bearer ${await issuer.token(user)}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  };

  it('two nodes respect and announce the same locks, and end when they are told to', async () => {
    const heard: EntityChange[] = [];
    const client = new HubConnectionBuilder()
      .withUrl(`${nodes[1]?.url ?? ''}/hubs/entity-changes`, { accessTokenFactory: () => issuer.token(BEN) })
      .configureLogging(LogLevel.None)
      .build();
    client.on('EntityChanged', (change: EntityChange) => heard.push(change));
    await client.start();
    await client.invoke('Subscribe', ['ApprovalRequest']);

    const note = { note: 'Booked' };
    assert.equal((await call(0, 'PUT', '/requests/REQ-2041', null, note)).status, 401);
    assert.equal((await call(0, 'PUT', '/requests/REQ-2041', BEN, note)).status, 204, 'free: writable');
    const claim = await call(0, 'POST', `/api${lockPaths.claim(REF)}`, ANNA, { sessionId: 's' });
    assert.deepEqual([claim.status, claim.json['outcome']], [200, 'acquired']);
    await until('the other node tells of it', () => heard.some(({ operation }) => operation === 'Acquired'));

    const refused = await call(1, 'PUT', '/requests/REQ-2041', BEN, note);
    const { code, lock } = refused.json as { code?: string; lock?: LiveLock };
    assert.deepEqual([refused.status, code, lock?.holderName], [409, 'entity-locked', 'Anna Berger']);
    assert.equal((await call(0, 'PUT', '/requests/REQ-2041', ANNA, { note: 'Anna’s' })).status, 204);
    assert.deepEqual((await call(0, 'GET', '/requests/REQ-2041', ANNA)).json, { note: 'Anna’s' });
    await until('the other node tells of the write', () => heard.at(-1)?.operation === 'Updated');

    const ended = nodes.map(({ child }) => once(child, 'exit'));
    await client.stop();
    for (const { child } of nodes) child.kill('SIGTERM');
    const codes = (await Promise.all(ended)).map(([code]) => code as number | null);
    assert.deepEqual(codes, [0, 0], nodes.map(({ output }) => output).join('\n'));
  });
});

describe('the steps of docs/add-to-express.md', () => {
  it('say what the whole file says, line by line', () => {
    const lines = new Set(whole.split('\n').map((line) => line.trim().replace(/^export /, '')));
    // What only a step needs to stand alone.
    const alone = [
      /^import /,
      /^const \{.*\} = process\.env;$/,
      /memoryBackend\(\) \}\);$/,
      /new Map<string, string>/,
      /^express\(\)$/,
      /^server\.listen\(3000/,
    ];
    const strange = samples
      .slice(1, -1)
      .flatMap((sample) => sample.split('\n'))
      .map((line) => line.trim().replace(/^export /, ''))
      .filter((line) => !lines.has(line) && !alone.some((pattern) => pattern.test(line)));
    assert.deepEqual(strange, []);
    assert.equal(samples.length, 6);
  });
});
