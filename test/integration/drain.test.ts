import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { memoryBackend } from '../../server/index.ts';
import { HubClient } from '../support/hub-client.ts';
import { startNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';

const ANNA = { oid: 'anna', name: 'Anna' };
const REQUEST = { entityType: 'ApprovalRequest', entityUid: 'REQ-1' };

describe('a node that drains', () => {
  it('says goodbye to every page, takes no new ones, and goes on answering for locks until it stops', async () => {
    const node = await startNode({ backend: memoryBackend({ log: silentLog }) });
    const page = await new HubClient({ url: node.url, user: ANNA }).start('ApprovalRequest');
    const left = new Promise<void>((resolve) => page.connection.onclose(() => resolve()));
    await node.rowlock.drain();
    await left;
    assert.equal(node.rowlock.hub.connectionCount, 0);
    await assert.rejects(new HubClient({ url: node.url, user: ANNA }).start(), /503/);
    assert.equal((await node.claim(ANNA, REQUEST)).outcome, 'acquired');
    await node.rowlock.drain(); // harmless
    await node.stop();
  });

  it('ends a request that was under way before the store goes', async () => {
    let answer = (): void => {};
    const node = await startNode({
      backend: memoryBackend({ log: silentLog }),
      routes: (app) => {
        app.get('/slow', (_request, response) => {
          answer = () => response.end('done');
        });
      },
    });
    const slow = node.call('GET', '/slow', { as: null });
    await once(node.server, 'request');
    await node.rowlock.drain();
    const closed = once(node.server, 'close');
    node.server.close();
    answer();
    assert.equal((await slow).text, 'done');
    node.server.closeIdleConnections();
    await closed;
    await node.rowlock.stop();
  });
});
