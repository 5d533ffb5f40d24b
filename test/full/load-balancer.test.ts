import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { DEFAULT_HUB_PATH } from '../../core/index.ts';
import { freePort } from '../support/free-port.ts';
import { TRANSPORTS, startLoadBalanced, type LoadBalanced } from '../support/load-balanced.ts';
import { startNginx } from '../support/nginx.ts';
import { tokenFor } from '../support/test-tokens.ts';

const CLIENTS = 50;

describe('two nodes behind nginx', () => {
  let stage: LoadBalanced;
  let changes = 0;
  before(async () => {
    stage = await startLoadBalanced();
  });
  afterEach(async () => {
    await stage.closeClients();
  });
  after(() => stage.stop());

  const newChange = () => {
    changes += 1;
    return { entityType: 'ApprovalRequest', entityUid: `uid-${changes}`, operation: 'Updated' };
  };
  /** What reached which node, by client: `first:negotiate`, `second:upgrade`. */
  const visits = async () => {
    const byClient = new Map<string, string[]>();
    for (const [at, node] of stage.nodes.entries()) {
      for (const { client, what } of (await node.report()).visits) {
        const where = at === 0 ? 'first' : 'second';
        byClient.set(client, [...(byClient.get(client) ?? []), `${where}:${what}`]);
      }
    }
    return byClient;
  };
  const nodesOf = (visited: readonly string[], isWanted: (what: string) => boolean) =>
    new Set(
      visited
        .map((visit) => visit.split(':'))
        .filter(([, what = '']) => isWanted(what))
        .map(([at]) => at),
    );

  it('nginx takes the sample without a warning', () => {
    assert.match(stage.nginx.verdict, /test is successful/);
    assert.doesNotMatch(stage.nginx.verdict, /\[(warn|emerg|alert|crit)\]/);
  });

  it('WebSockets without negotiation need no node of their own: they spread, and all hear a change', async (t) => {
    const clients = await stage.connect(CLIENTS, { skipNegotiation: true });
    const [first, second] = await Promise.all(stage.nodes.map((node) => node.report()));
    const open = [first?.connections ?? 0, second?.connections ?? 0] as const;
    t.diagnostic(`connections by node: ${open.join(' and ')}`);
    assert.equal(open[0] + open[1], CLIENTS);
    assert.ok(Math.min(...open) >= CLIENTS / 5, `one node has hardly any: ${open.join(' and ')}`);
    const change = newChange();
    await stage.nodes[0].publish(change);
    await Promise.all(clients.map((client) => client.heard(change.operation, change.entityUid)));
  });

  for (const [name, transport] of Object.entries(TRANSPORTS)) {
    it(`${name}: negotiated on one node and open on another, and everything after that on that one`, async (t) => {
      const clients = await stage.connect(CLIENTS, { transport });
      const seen = await visits();
      let moved = 0;
      for (const { oid } of clients) {
        const visited = seen.get(oid) ?? [];
        const negotiated = nodesOf(visited, (what) => what === 'negotiate');
        const open = nodesOf(visited, (what) => what !== 'negotiate');
        assert.equal(negotiated.size, 1, `${oid} negotiated once`);
        assert.equal(open.size, 1, `${oid} stays on one node: ${visited.join(', ')}`);
        if ([...negotiated][0] !== [...open][0]) moved += 1;
      }
      t.diagnostic(`${moved} of ${CLIENTS} negotiated on one node and connected on the other`);
      assert.ok(moved >= CLIENTS / 5, `only ${moved} connected elsewhere than they negotiated`);
      for (const node of stage.nodes) {
        const change = newChange();
        await node.publish(change);
        await Promise.all(clients.map((client) => client.heard(change.operation, change.entityUid)));
      }
    });
  }

  it('an event leaves nginx at once', async (t) => {
    const [client] = await stage.connect(1, { transport: HttpTransportType.ServerSentEvents });
    const change = newChange();
    const publishedAt = performance.now();
    await stage.nodes[0].publish(change);
    await client?.heard(change.operation, change.entityUid);
    const tookMs = performance.now() - publishedAt;
    t.diagnostic(`heard after ${tookMs.toFixed(0)} ms`);
    assert.ok(tookMs < 1_000, `an event took ${tookMs.toFixed(0)} ms`);
  });

  it('no log of nginx has a token or an id, whether nodes answer or not', async () => {
    const token = await tokenFor({ oid: 'secretive' });
    await stage.connect(1, { transport: HttpTransportType.ServerSentEvents }); // its token is in the address
    const secretive = `${DEFAULT_HUB_PATH}?id=not-a-connection&access_token=${token}`;
    assert.equal((await fetch(stage.nginx.url + secretive)).status, 404);
    // Where no node listens, nginx has something to say in its error log.
    const lonely = await startNginx({ nodePorts: [await freePort(), await freePort()] });
    try {
      assert.equal((await fetch(lonely.url + secretive)).status, 502);
      assert.equal((await fetch(`${lonely.url}/api/locks/mine`)).status, 502);
      for (const nginx of [stage.nginx, lonely]) {
        const logs = nginx.accessLog() + nginx.errorLog();
        assert.ok(logs.includes(`"GET ${DEFAULT_HUB_PATH}"`), 'requests are logged');
        assert.doesNotMatch(logs, /access_token|eyJ|not-a-connection|[?&]id=/);
      }
      assert.match(lonely.accessLog(), /entity-changes" 502 .* 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ 502, 502/);
      assert.match(lonely.errorLog(), /connect\(\) failed/);
    } finally {
      await lonely.stop();
    }
  });
});
