import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Principal } from '../../../../core/index.ts';
import { ConnectionTokens } from '../../../../server/hub/connection-tokens.ts';
import { HubLinks, newLink } from '../../../../server/hub/hub-links.ts';
import { newConnectionId } from '../../../../server/hub/new-connection-id.ts';

const ANN: Principal = { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };
const BOB: Principal = { ...ANN, oid: 'bob' };

describe('HubLinks', () => {
  let nowMs = 0;
  const now = () => nowMs;
  const linksAt = (atMs = 1_800_000_000_000) => {
    nowMs = atMs;
    return new HubLinks({ tokens: new ConnectionTokens({ now }), now });
  };

  it('a token that is not used keeps nothing: each look finds a connection that is yet to start', () => {
    const links = linksAt();
    const { connectionId, connectionToken } = links.issue(ANN);
    const link = links.find(connectionToken, ANN);
    assert.equal(link?.id, connectionId);
    assert.equal(link.transport, null);
    assert.notEqual(links.find(connectionToken, ANN), link);
    nowMs += 15_001;
    assert.equal(links.find(connectionToken, ANN), null);
  });

  it('from its start on a token finds its connection, long after it would have run out, for its caller alone', () => {
    const links = linksAt();
    const { connectionToken } = links.issue(ANN);
    const link = links.find(connectionToken, ANN) ?? newLink('none', ANN);
    links.start(connectionToken, link);
    nowMs += 3_600_000;
    assert.equal(links.find(connectionToken, ANN), link);
    assert.equal(links.find(connectionToken, { ...ANN, name: 'Ann Married', expiresAtMs: nowMs + 1 }), link);
    assert.equal(links.find(connectionToken, BOB), null);
    assert.equal(links.find(connectionToken, { ...ANN, tenant: 'b' }), null);
  });

  it('a connection that is over opens nothing again, neither at once nor after it was forgotten', () => {
    const links = linksAt();
    const { connectionToken } = links.issue(ANN);
    const link = links.find(connectionToken, ANN) ?? newLink('none', ANN);
    links.start(connectionToken, link);
    link.isOver = true;
    assert.equal(links.find(connectionToken, ANN), null);
    for (let at = 0; at < 4; at += 1) {
      nowMs += 5_000;
      const next = links.issue(BOB).connectionToken;
      links.start(next, links.find(next, BOB) ?? newLink('none', BOB));
      assert.equal(links.find(connectionToken, ANN), null);
    }
  });

  it('ids of connections without negotiation have 22 characters, and none comes twice', () => {
    const ids = Array.from({ length: 1_000 }, newConnectionId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  });
});
