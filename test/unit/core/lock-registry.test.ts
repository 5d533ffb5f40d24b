import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError, LockRegistry, lockable } from '../../../core/index.ts';
import { BEN } from './people.ts';

describe('lockable', () => {
  it('fills in the timing and lets everybody take over', async () => {
    const type = lockable('Order', { leaseMs: 600_000 });
    assert.deepEqual(type.timing, { leaseMs: 600_000, renewEveryMs: 120_000 });
    const lock = {
      entityType: 'Order',
      entityUid: '1',
      holderOid: 'anna',
      holderName: 'Anna',
      acquiredAtUtc: '',
      expiresAtUtc: '',
      expiresInMs: 1,
      fence: 1,
      at: 1,
    };
    assert.equal(await type.canTakeOver(BEN, lock, lock), true);
  });

  it('refuses a name that cannot be a key, and the one that is a route', () => {
    for (const name of ['', 'a\nb', 'mine']) assert.throws(() => lockable(name), LockError);
  });

  it('refuses a lease that a hidden tab cannot keep alive', () => {
    assert.throws(() => lockable('Order', { leaseMs: 90_000, renewEveryMs: 60_000 }), /leaseMs \(90000\)/);
  });
});

describe('LockRegistry', () => {
  const registry = new LockRegistry([lockable('Order'), lockable('Invoice')]);

  it('knows its types, in the order of their registration', () => {
    assert.deepEqual(registry.entityTypes, ['Order', 'Invoice']);
    assert.equal(registry.get('Invoice').entityType, 'Invoice');
  });

  it('finds a type by the spelling that callers are normalised to', () => {
    assert.equal(new LockRegistry([lockable('Gera\u0308t')]).get('Ger\u00e4t').entityType, 'Ger\u00e4t');
  });

  for (const name of ['order', 'Customer', '', 'constructor', '__proto__']) {
    it(`refuses what nobody registered, and says how to: ${JSON.stringify(name)}`, () => {
      assert.throws(
        () => registry.get(name),
        (error: unknown) =>
          error instanceof LockError &&
          error.code === 'type-not-lockable' &&
          error.message.includes(`lockable("${name}")`),
      );
    });
  }

  it('refuses a type that is registered twice', () => {
    assert.throws(() => new LockRegistry([lockable('Order'), lockable('Order')]), /twice/);
  });
});
