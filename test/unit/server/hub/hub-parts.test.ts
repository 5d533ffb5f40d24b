import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HubConnection, Principal } from '../../../../core/index.ts';
import { newLink } from '../../../../server/hub/hub-links.ts';
import { prolong } from '../../../../server/hub/hub-parts.ts';

const ANNA: Principal = { tenant: 'acme', oid: 'anna', name: 'Anna', kind: 'user' };

describe('the expiry of a connection', () => {
  it('follows the longest proof, whichever comes last', () => {
    const told: number[] = [];
    const link = newLink('id', ANNA);
    link.connection = { expireAt: (ms: number) => void told.push(ms) } as unknown as HubConnection;
    for (const expiresAtMs of [1_000, 3_000, 2_000]) prolong(link, { ...ANNA, expiresAtMs });
    prolong(link, ANNA);
    assert.deepEqual(told, [1_000, 3_000, 3_000, Infinity]);
  });
});
