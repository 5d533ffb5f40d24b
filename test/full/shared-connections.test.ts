import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HubCaller } from '../support/hub-caller.ts';
import { hubNodes, type HubNodeOptions } from '../support/hub-node.ts';
import { hubRequest } from '../support/hub-request.ts';
import { JSON_HANDSHAKE } from '../support/raw-web-socket.ts';

const connectionSecret = 'the same secret text on both nodes';

/** What a proxy does when a connection's own node is gone or new nodes join: requests reach a node that knows nothing. */
describe('nodes that share a connection secret', () => {
  const start = hubNodes();
  const startTwo = async (options: HubNodeOptions = { connectionSecret }) => {
    const nodes = await Promise.all([start(options), start(options)]);
    const [first, second] = nodes.map(({ port }) => new HubCaller(port)) as [HubCaller, HubCaller];
    return { nodes, first, second };
  };

  it('each opens what the other negotiated; with secrets of their own it is a 404', async () => {
    const shared = await startTwo();
    const id = await shared.first.negotiate();
    assert.equal((await shared.second.poll(id)).status, 200);
    const apart = await startTwo({});
    const answer = await apart.second.poll(await apart.first.negotiate());
    assert.deepEqual([answer.status, answer.text], [404, 'No Connection with that ID']);
  });

  it('what is posted to a node that does not have the connection is refused, never swallowed', async () => {
    const { first, second } = await startTwo();
    const id = await first.openPolling();
    assert.equal((await second.postMessage(id, { type: 6 })).status, 404);
    assert.equal((await second.request('DELETE', `/hub?id=${id}`)).status, 404);
    assert.equal((await first.postMessage(id, { type: 6 })).status, 200);
  });

  it('a client that polls on where its connection is not is told so within seconds', async () => {
    const { nodes, first, second } = await startTwo();
    const id = await first.openPolling();
    assert.equal((await second.poll(id)).status, 200);
    const startedAt = performance.now();
    assert.equal((await second.poll(id)).status, 204);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < 6_000, `told after ${tookMs.toFixed(0)} ms`);
    assert.equal(nodes[1].hub.connectionCount, 0);
  });

  it('a client that is only slow with its handshake is not', async () => {
    const { first, second } = await startTwo();
    const id = await first.negotiate();
    await second.poll(id);
    const poll = second.poll(id);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // so slow
    await second.post(id, JSON_HANDSHAKE);
    assert.deepEqual([(await poll).status, (await poll).text], [200, '{}\u001e']);
  });

  it('a node that stops answers 503 to all that is not its own, so that a proxy asks the next one', async () => {
    const { nodes, first, second } = await startTwo();
    const [ids, own] = [
      await Promise.all([1, 2, 3].map(() => second.negotiate())),
      await first.openPolling(),
    ];
    const poll = first.poll(own);
    const stopped = nodes[0].endpoint.stop();
    assert.equal((await first.request('POST', '/hub/negotiate?negotiateVersion=1')).status, 503);
    assert.equal((await first.poll(ids[0] ?? '')).status, 503);
    assert.equal((await first.postMessage(ids[1] ?? '', { type: 6 })).status, 503);
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    assert.equal((await fetchUpgrade(first, ids[2] ?? '', upgrade)).status, 503);
    assert.match((await poll).text, /"type":7,"allowReconnect":true/);
    await first.poll(own);
    await stopped;
  });

  it('a node that stops tells polling clients the end, and is not held up by them', async () => {
    const { nodes, first } = await startTwo();
    const id = await first.openPolling();
    const poll = first.poll(id);
    const startedAt = performance.now();
    const stopped = nodes[0].endpoint.stop();
    assert.match((await poll).text, /"type":7,"allowReconnect":true/);
    assert.equal((await first.poll(id)).status, 204);
    await stopped;
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < 500, `stopped after ${tookMs.toFixed(0)} ms`);
  });
});

function fetchUpgrade({ port, token }: HubCaller, id: string, headers: Readonly<Record<string, string>>) {
  return hubRequest({
    port,
    token,
    method: 'GET',
    path: `/hub?id=${id}`,
    headers: { ...headers, 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
  });
}
