import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MockUsers } from '../../../mocks/mock-users.ts';
import { ANNA, BEN, requestOf } from './mock-server.ts';

const asking = (authorization: string) =>
  new Request('http://app.example.test/', { headers: { authorization } });

describe('MockUsers', () => {
  it('knows a user by the bearer token, whatever the case of the scheme', () => {
    const users = new MockUsers([ANNA, BEN]);
    assert.equal(users.byRequest(requestOf(ANNA, '/'))?.oid, 'anna');
    assert.equal(users.byRequest(asking('bearer ben-1'))?.oid, 'ben');
    assert.equal(users.byToken('ben-1')?.oid, 'ben');
  });

  it('knows nobody else', () => {
    const users = new MockUsers([ANNA]);
    for (const value of ['anna-1', 'Basic anna-1', 'Bearer', 'Bearer ', 'Bearer ben-1', 'Bearer anna-1 x']) {
      assert.equal(users.byRequest(asking(value)), null, value);
    }
    assert.equal(users.byRequest(requestOf(null, '/')), null);
    assert.equal(users.byToken(null), null);
  });

  it('answers a principal without the token', () => {
    assert.deepEqual(new MockUsers([ANNA]).byToken('anna-1'), {
      tenant: 'acme',
      oid: 'anna',
      name: 'Anna',
      kind: 'user',
    });
  });

  it('refuses tokens that are empty or doubled, and a tenant that cannot be part of a key', () => {
    assert.throws(() => new MockUsers([ANNA, { ...BEN, token: ANNA.token }]), /token of their own/);
    assert.throws(() => new MockUsers([{ ...ANNA, token: '' }]), /not empty/);
    assert.throws(() => new MockUsers([{ ...ANNA, tenant: '' }]), /tenant/);
  });
});
