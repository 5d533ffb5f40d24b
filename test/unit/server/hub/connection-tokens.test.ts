import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Principal } from '../../../../core/index.ts';
import {
  ConnectionTokens,
  OWN_LIFETIME_MS,
  SHARED_LIFETIME_MS,
} from '../../../../server/hub/connection-tokens.ts';

const ANN: Principal = { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };
const SECRET = 'a secret that all the nodes share';

describe('ConnectionTokens', () => {
  it('ids are 22 characters of base64url, tokens 51, and none comes twice', () => {
    const tokens = new ConnectionTokens();
    const issued = Array.from({ length: 1_000 }, () => tokens.issue(ANN));
    assert.equal(new Set(issued.map(({ connectionId }) => connectionId)).size, issued.length);
    assert.equal(new Set(issued.map(({ connectionToken }) => connectionToken)).size, issued.length);
    for (const { connectionId, connectionToken } of issued) {
      assert.match(connectionId, /^[\w-]{22}$/);
      assert.match(connectionToken, /^[\w-]{51}$/);
    }
  });

  it('a token leads to its id, and shows nothing of it', () => {
    const tokens = new ConnectionTokens();
    const { connectionId, connectionToken } = tokens.issue(ANN);
    assert.equal(tokens.read(connectionToken, ANN)?.connectionId, connectionId);
    const [id, token] = [connectionId, connectionToken].map((text) => Buffer.from(text, 'base64url'));
    for (let at = 0; at + 4 <= (id?.length ?? 0); at += 1) {
      assert.equal(
        token?.includes(id?.subarray(at, at + 4) ?? ''),
        false,
        'no four bytes of one are in the other',
      );
    }
  });

  it('a token is its caller’s alone: by tenant and by person', () => {
    const tokens = new ConnectionTokens();
    const { connectionToken } = tokens.issue(ANN);
    assert.equal(tokens.read(connectionToken, { ...ANN, oid: 'bob' }), null);
    assert.equal(tokens.read(connectionToken, { ...ANN, tenant: 'b' }), null);
    // Neither does a tenant's own text make another's pair.
    const odd = tokens.issue({ ...ANN, tenant: 'a","ann', oid: 'x' });
    assert.equal(tokens.read(odd.connectionToken, { ...ANN, tenant: 'a', oid: 'ann","x' }), null);
  });

  it('one changed in any bit opens nothing', () => {
    const tokens = new ConnectionTokens();
    const { connectionToken } = tokens.issue(ANN);
    const bytes = Buffer.from(connectionToken, 'base64url');
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.equal(tokens.read(changed.toString('base64url'), ANN), null, `bit ${bit}`);
    }
  });

  it('what has another form opens nothing', () => {
    const tokens = new ConnectionTokens();
    const { connectionToken } = tokens.issue(ANN);
    for (const wrong of [
      '',
      'x',
      `${connectionToken}A`,
      connectionToken.slice(1),
      '💥'.repeat(51),
      '*'.repeat(51),
    ]) {
      assert.equal(tokens.read(wrong, ANN), null);
    }
  });

  it('is good for 15 s on its own node, for 10 min where a secret is shared, whoever’s clock is ahead', () => {
    for (const [secret, lifetimeMs] of [
      [undefined, OWN_LIFETIME_MS],
      [SECRET, SHARED_LIFETIME_MS],
    ] as const) {
      let nowMs = 1_800_000_000_000;
      const tokens = new ConnectionTokens({ ...(secret === undefined ? {} : { secret }), now: () => nowMs });
      const { connectionToken } = tokens.issue(ANN);
      const issuedAtMs = nowMs;
      assert.equal(tokens.read(connectionToken, ANN)?.expiresAtMs, issuedAtMs + lifetimeMs);
      for (const [offMs, isGood] of [
        [lifetimeMs, true],
        [lifetimeMs + 1, false],
        [-lifetimeMs, true],
        [-lifetimeMs - 1, false],
      ] as const) {
        nowMs = issuedAtMs + offMs;
        assert.equal(tokens.read(connectionToken, ANN) !== null, isGood, `${offMs} ms`);
      }
    }
    assert.deepEqual([OWN_LIFETIME_MS, SHARED_LIFETIME_MS], [15_000, 600_000]);
  });

  it('nodes with the same secret open each other’s tokens; others do not', () => {
    const [first, second] = [
      new ConnectionTokens({ secret: SECRET }),
      new ConnectionTokens({ secret: SECRET }),
    ];
    const { connectionId, connectionToken } = first.issue(ANN);
    assert.equal(second.read(connectionToken, ANN)?.connectionId, connectionId);
    assert.equal(new ConnectionTokens({ secret: `${SECRET}!` }).read(connectionToken, ANN), null);
    assert.equal(new ConnectionTokens().read(connectionToken, ANN), null);
    assert.equal(new ConnectionTokens().read(new ConnectionTokens().issue(ANN).connectionToken, ANN), null);
  });

  it('a secret of fewer than 32 characters is refused, with the option’s name and never with its text', () => {
    const short = 'x'.repeat(31);
    assert.throws(() => new ConnectionTokens({ secret: short }), {
      name: 'RangeError',
      message: 'connectionSecret: expected 32 characters at least, got 31.',
    });
    assert.throws(() => new ConnectionTokens({ secret: '' }), /connectionSecret/);
    assert.doesNotThrow(() => new ConnectionTokens({ secret: 'x'.repeat(32) }));
  });
});
