import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Principal } from '../../core/index.ts';
import { HubCaller } from '../support/hub-caller.ts';
import { hubNodes, startHubNode, type HubNode } from '../support/hub-node.ts';
import { RawWebSocket } from '../support/raw-web-socket.ts';
import { until } from '../support/until.ts';

describe('the negotiation of a hub', () => {
  const start = hubNodes();
  let node: HubNode;
  let ann: HubCaller;
  before(async () => {
    node = await startHubNode({ timing: { heartbeatMs: 20 } });
    ann = new HubCaller(node.port);
  });
  after(() => node.stop());
  const negotiate = async (query: string) => {
    const { status, headers, text } = await ann.request('POST', `/hub/negotiate${query}`);
    return { status, headers, text, json: JSON.parse(text) as Record<string, unknown> };
  };

  it('version 1: a public id, a secret token, all transports with their formats; in that order and no more', async () => {
    const { status, headers, text, json } = await negotiate('?negotiateVersion=1');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
    assert.deepEqual(Object.keys(json), [
      'negotiateVersion',
      'connectionId',
      'connectionToken',
      'availableTransports',
    ]);
    assert.equal(json['negotiateVersion'], 1);
    assert.match(String(json['connectionId']), /^[\w-]{22}$/);
    assert.notEqual(json['connectionId'], json['connectionToken']);
    assert.deepEqual(json['availableTransports'], [
      { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
      { transport: 'ServerSentEvents', transferFormats: ['Text'] },
      { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
    ]);
  });

  it('stateful reconnection is never offered, also to who asks for it', async () => {
    const { text } = await negotiate('?negotiateVersion=1&useStatefulReconnect=true');
    assert.doesNotMatch(text, /useStatefulReconnect/);
  });

  it('version 0, without or with the parameter: one id, which opens every transport', async () => {
    for (const query of ['', '?negotiateVersion=0']) {
      const ids = await Promise.all([negotiate(query), negotiate(query)]);
      for (const { json } of ids) {
        assert.deepEqual(Object.keys(json), ['negotiateVersion', 'connectionId', 'availableTransports']);
        assert.equal(json['negotiateVersion'], 0);
      }
      const [first, second] = ids.map(({ json }) => String(json['connectionId']));
      assert.notEqual(first, second);
      const client = await RawWebSocket.open({ port: node.port, path: `/hub?id=${first ?? ''}` });
      client.socket.destroy();
      assert.equal((await ann.poll(second ?? '')).status, 200);
      await ann.request('DELETE', `/hub?id=${second ?? ''}`);
    }
  });

  it('newer versions are answered as 1; what is none is an error with status 200', async () => {
    assert.equal((await negotiate('?negotiateVersion=9')).json['negotiateVersion'], 1);
    for (const [query, error] of [
      ['x', 'The client requested a non-integer protocol version.'],
      ['', 'The client requested a non-integer protocol version.'],
      ['-1', "The client requested version '-1', but the server does not support this version."],
    ] as const) {
      const { status, headers, json } = await negotiate(`?negotiateVersion=${query}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json');
      assert.deepEqual(json, { error });
    }
  });

  it('a body that comes with it is not looked at', async () => {
    const { status } = await ann.request('POST', '/hub/negotiate?negotiateVersion=1', 'x'.repeat(100_000));
    assert.equal(status, 200);
  });

  it('a redirect has an address and a token, and no id; it is the application’s to say for whom', async () => {
    const asked: Principal[] = [];
    const redirecting = await start({
      redirect: (principal) => {
        asked.push(principal);
        if (principal.oid === 'bob') return null;
        return { url: 'https://other.test/hub', accessToken: 'theirs' };
      },
    });
    const { text } = await new HubCaller(redirecting.port).request(
      'POST',
      '/hub/negotiate?negotiateVersion=1',
    );
    assert.deepEqual(JSON.parse(text), { url: 'https://other.test/hub', accessToken: 'theirs' });
    const bobs = await new HubCaller(redirecting.port, 'bob').request(
      'POST',
      '/hub/negotiate?negotiateVersion=1',
    );
    assert.match(bobs.text, /connectionToken/);
    assert.deepEqual(
      asked.map(({ oid }) => oid),
      ['ann', 'bob'],
    );
    assert.equal(
      (await new HubCaller(redirecting.port, 'nobody').request('POST', '/hub/negotiate')).status,
      401,
    );
  });

  it('costs nothing that would have to be forgotten: two hundred leave no connection and no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let batch = 0; batch < 4; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, () => ann.negotiate()));
    }
    assert.equal(node.hub.connectionCount, 0);
    await until('no timer is left', () => timers() <= before + 1); // `until` has one of its own
  });
});
