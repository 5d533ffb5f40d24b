import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Principal } from '../../../../core/index.ts';
import { ConnectionCaps } from '../../../../server/hub/connection-caps.ts';

const ANN: Principal = { tenant: 'a', oid: 'ann', name: 'Ann', kind: 'user' };
const BOB: Principal = { ...ANN, oid: 'bob' };

describe('ConnectionCaps', () => {
  it('counts by user, whatever the address', () => {
    const caps = new ConnectionCaps({ perUser: 2, perAddress: 10 });
    caps.take(ANN, '10.0.0.1');
    assert.equal(caps.hasRoom(ANN, '10.0.0.2'), true);
    caps.take(ANN, '10.0.0.2');
    assert.equal(caps.hasRoom(ANN, '10.0.0.3'), false);
    assert.equal(caps.hasRoom(BOB, '10.0.0.1'), true);
    assert.equal(caps.hasRoom({ ...ANN, tenant: 'b' }, '10.0.0.1'), true);
  });

  it('counts by address, whoever it is', () => {
    const caps = new ConnectionCaps({ perUser: 10, perAddress: 2 });
    caps.take(ANN, '10.0.0.1');
    caps.take(BOB, '10.0.0.1');
    assert.equal(caps.hasRoom({ ...ANN, oid: 'eve' }, '10.0.0.1'), false);
    assert.equal(caps.hasRoom(ANN, '10.0.0.2'), true);
  });

  it('counts each off once, however often that is said', () => {
    const caps = new ConnectionCaps({ perUser: 2, perAddress: 10 });
    const off = caps.take(ANN, 'x');
    caps.take(ANN, 'x');
    off();
    off();
    assert.equal(caps.hasRoom(ANN, 'x'), true);
    caps.take(ANN, 'x');
    assert.equal(caps.hasRoom(ANN, 'x'), false);
  });

  it('an address that a client makes up to look like a user takes no room of that user', () => {
    const caps = new ConnectionCaps({ perUser: 1, perAddress: 10 });
    caps.take(BOB, JSON.stringify([ANN.tenant, ANN.oid]));
    assert.equal(caps.hasRoom(ANN, '10.0.0.1'), true);
  });
});
