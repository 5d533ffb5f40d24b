import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { tokenFor } from '../support/test-tokens.ts';
import { startInteropNode, type InteropNode } from './interop-node.ts';

const HANDSHAKE = '{"protocol":"json","version":1}\u001e';
const ACCEPTED = '{}\u001e';

/** Clients before ASP.NET Core 3.0 ask for no version, and know one id alone. No such client is at hand: plain HTTP. */
describe('a client that negotiates without a version', () => {
  let node: InteropNode;
  let authorization: string;
  before(async () => {
    node = await startInteropNode();
    authorization = `Bearer ${await tokenFor({ oid: 'anna' })}`;
  });
  after(() => node.stop());

  const call = (method: string, query: string, body?: string) =>
    fetch(node.url + query, { method, headers: { authorization }, ...(body === undefined ? {} : { body }) });
  const negotiate = async (query = '') => {
    const response = await call('POST', `/negotiate${query}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const idOf = ({ connectionId }: Readonly<Record<string, unknown>>) => `?id=${String(connectionId)}`;

  it('is given one id, which opens a polling connection', async () => {
    const answer = await negotiate();
    assert.equal(answer['negotiateVersion'], 0);
    assert.equal('connectionToken' in answer, false);
    const id = idOf(answer);
    const first = await call('GET', id);
    assert.deepEqual([first.status, await first.text()], [200, '']);
    assert.equal((await call('POST', id, HANDSHAKE)).status, 200);
    assert.ok((await (await call('GET', id)).text()).startsWith(ACCEPTED), 'the handshake is answered first');
    const invocation = '{"type":1,"invocationId":"7","target":"Echo","arguments":["old"]}\u001e';
    assert.equal((await call('POST', id, invocation)).status, 200);
    assert.equal(await (await call('GET', id)).text(), '{"type":3,"invocationId":"7","result":"old"}\u001e');
    assert.equal((await call('DELETE', id)).status, 202);
  });

  it('is given one id, which opens a WebSocket', async () => {
    const id = idOf(await negotiate());
    const socket = new WebSocket(node.url.replace('http', 'ws') + id, { headers: { authorization } });
    await once(socket, 'open');
    const answered = once(socket, 'message');
    socket.send(HANDSHAKE);
    const [reply] = (await answered) as [Buffer];
    assert.ok(String(reply).startsWith(ACCEPTED), 'the handshake is answered first');
    const closed = once(socket, 'close');
    socket.close();
    assert.equal((await closed)[0], 1_000);
  });

  it('may ask for more than there is: it gets the newest version', async () => {
    const answer = await negotiate('?negotiateVersion=7');
    assert.equal(answer['negotiateVersion'], 1);
    assert.notEqual(answer['connectionToken'], answer['connectionId']);
  });

  it('is refused in JSON, not by a status', async () => {
    assert.deepEqual(await negotiate('?negotiateVersion=-1'), {
      error: "The client requested version '-1', but the server does not support this version.",
    });
    assert.deepEqual(await negotiate('?NegotiateVersion=one'), {
      error: 'The client requested a non-integer protocol version.',
    });
  });
});
