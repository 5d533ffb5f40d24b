import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { readHubRequest } from '../../../../server/hub/hub-request.ts';

const HUB = '/hubs/entity-changes';

describe('the address of a hub request', () => {
  const requestOf = (url: string, authorization?: string) =>
    ({ url, headers: { authorization } }) as unknown as IncomingMessage;

  it('is read in any case', () => {
    assert.deepEqual(
      readHubRequest(requestOf('/Hubs/Entity-Changes/NEGOTIATE?NegotiateVersion=1&ID=x'), HUB),
      {
        route: '/negotiate',
        id: 'x',
        negotiateVersion: '1',
      },
    );
  });

  it('is the hub’s own or nothing', () => {
    assert.equal(readHubRequest(requestOf('/api/locks'), HUB), null);
    assert.equal(readHubRequest(requestOf(`${HUB}-2`), HUB), null);
    assert.equal(readHubRequest(requestOf(`/x${HUB}`), HUB), null);
    assert.equal(readHubRequest(requestOf(`${HUB}/`), HUB)?.route, '');
  });

  it('keeps no secret: the token moves to the header, ids are read and gone', () => {
    const request = requestOf(`${HUB}?id=secret-id&access_token=secret-token`);
    assert.equal(readHubRequest(request, HUB)?.id, 'secret-id');
    assert.equal(request.headers.authorization, 'Bearer secret-token');
    assert.equal(request.url, HUB);
  });

  it('the header wins over the query', () => {
    const request = requestOf(`${HUB}?access_token=other`, 'Bearer mine');
    readHubRequest(request, HUB);
    assert.equal(request.headers.authorization, 'Bearer mine');
  });
});
