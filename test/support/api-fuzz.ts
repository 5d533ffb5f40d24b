import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { LOCK_ERROR_STATUS, LOCK_ROUTES, lockApiDocument, lockable } from '../../core/index.ts';
import type { LockBackend } from '../../server/index.ts';
import { operationOf, undocumented } from './documented-answers.ts';
import { arbitraryRequest, type FuzzRequest } from './fuzz-requests.ts';
import { HubClient } from './hub-client.ts';
import { RawHttp } from './raw-http.ts';
import { startNode } from './rowlock-node.ts';
import { silentLog } from './silent-log.ts';
import { tokenFor, type TestUser } from './test-tokens.ts';

/** What only one tenant's people have in their names and ids. Nobody ever sends it. */
export const MARKS = { 'tenant-a': 'MarkOfAlpha', 'tenant-b': 'MarkOfBeta' } as const;

type Tenant = keyof typeof MARKS;

export interface FuzzOptions {
  readonly backend: LockBackend;
  readonly requests: number;
  readonly seed: number;
  /** Connections at a time. */
  readonly lanes?: number;
}

export interface FuzzReport {
  /** Operation → [2xx, all]. */
  readonly byOperation: ReadonlyMap<string, readonly [good: number, all: number]>;
  readonly statuses: ReadonlyMap<number, number>;
  /** How many answers and pushes showed a tenant's own mark: proof that a foreign one would have been seen. */
  readonly ownMarks: number;
}

/**
 * Sends requests that are made from the API's document, good ones and broken ones, by two tenants that use the same
 * record ids, and looks at every answer and push: no 5xx, nothing that the document does not say, nothing of the other
 * tenant. Throws with the request that broke a rule.
 */
export async function fuzzApi({ backend, requests, seed, lanes = 16 }: FuzzOptions): Promise<FuzzReport> {
  const types = ['ApprovalRequest', 'Ärger {x}:y', '__proto__', 'constructor'];
  const failures: unknown[] = [];
  const node = await startNode({
    backend,
    types: types.map((type) => lockable(type)),
    rateLimits: false,
    log: { ...silentLog, error: (message, details) => failures.push([message, details]) },
  });
  const port = (node.server.address() as AddressInfo).port;
  const pages = await Promise.all(
    (Object.keys(MARKS) as Tenant[]).map(async (tenant) => ({
      tenant,
      hub: await new HubClient({ url: node.url, user: personOf(tenant, 0) }).start(),
    })),
  );
  const tokens = await tokensOf();
  const oids = (tenant: Tenant) => [personOf(tenant, 0).oid, personOf(tenant, 1).oid];
  const wanted = fc.sample(arbitraryRequest(lockApiDocument(), types), { numRuns: requests, seed });
  const statuses = new Map<number, number>();
  const byOperation = new Map(LOCK_ROUTES.map(({ operation }) => [operation, [0, 0] as [number, number]]));
  let ownMarks = 0;

  const lane = async (first: number) => {
    const http = new RawHttp(port);
    for (let at = first; at < wanted.length; at += lanes) {
      const request = wanted[at] as FuzzRequest;
      const tenant: Tenant = at % 2 === 0 ? 'tenant-a' : 'tenant-b';
      const sent = request.as(tokens[tenant], oids(tenant));
      const answer = await http.send(sent);
      const shown = () =>
        `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers).slice(0, 300)} ${String(sent.body).slice(0, 300)} ⇒ ${answer?.status} ${answer?.text}`;
      if (answer === null) {
        assert.equal(request.mayBreakOff, true, `no answer: ${shown()}`);
        continue;
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      assert.ok(answer.status < 500, shown());
      assert.deepEqual(foreignMarks(tenant, JSON.stringify(answer)), [], shown());
      if (answer.text.includes(MARKS[tenant])) ownMarks += 1;
      const path = sent.path.replace(/^\/api/, '');
      const isOurs = /^\/locks(?:[/?]|$)/.test(path);
      const type = answer.headers['content-type'];
      // Without a type: Node's own refusal of what is no HTTP, or an answer without content.
      if (!isOurs || type === undefined) continue;
      const name = operationOf(sent.method, path);
      const count = name === null ? undefined : byOperation.get(name);
      if (count !== undefined) {
        count[1] += 1;
        if (answer.status < 300) count[0] += 1;
      }
      if (sent.method === 'HEAD') continue;
      const body: unknown = JSON.parse(answer.text);
      const given = { method: sent.method, path, status: answer.status, contentType: type, body };
      assert.deepEqual(undocumented(given), [], shown());
      if (answer.status >= 400) {
        const { code } = body as { code: keyof typeof LOCK_ERROR_STATUS };
        assert.equal(LOCK_ERROR_STATUS[code], answer.status, shown());
      }
    }
    http.close();
  };
  try {
    await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
    for (const { tenant, hub } of pages) {
      const heard = JSON.stringify(hub.changes);
      assert.deepEqual(foreignMarks(tenant, heard), [], `pushed to ${tenant}`);
      if (heard.includes(MARKS[tenant])) ownMarks += 1;
      else assert.fail(`${tenant} heard nothing of its own`);
    }
    assert.deepEqual(failures, []);
  } finally {
    await Promise.all(pages.map(({ hub }) => hub.stop()));
    await node.stop();
  }
  return { byOperation, statuses, ownMarks };
}

function foreignMarks(tenant: Tenant, text: string): string[] {
  return Object.entries(MARKS).flatMap(([owner, mark]) =>
    owner !== tenant && text.includes(mark) ? [mark] : [],
  );
}

function personOf(tenant: Tenant, index: number): TestUser {
  return { tenant, oid: `person-${index}-${MARKS[tenant]}`, name: `Person ${index} ${MARKS[tenant]}` };
}

async function tokensOf(): Promise<Readonly<Record<Tenant, readonly string[]>>> {
  const of = (tenant: Tenant) =>
    Promise.all([
      ...[0, 1].map((index) => tokenFor({ ...personOf(tenant, index), expiresInS: 3_600 })),
      tokenFor({ ...personOf(tenant, 2), claims: { idtyp: 'app' }, expiresInS: 3_600 }),
    ]);
  return { 'tenant-a': await of('tenant-a'), 'tenant-b': await of('tenant-b') };
}
