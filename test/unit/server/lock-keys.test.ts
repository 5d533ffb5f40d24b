import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entityRef, keyPart } from '../../../core/index.ts';
import {
  changeChannel,
  fenceKeyOf,
  indexKey,
  lockKeys,
  readLockKey,
} from '../../../server/redis/lock-keys.ts';
import { keySlot } from './key-slot.ts';

/** What people and attackers put into ids. All of them pass the checks of `keyPart()`. */
const HOSTILE = [
  '}',
  '{',
  '{}',
  '}{',
  '}a{b',
  'a:b',
  ':',
  '::',
  '%7B',
  '%',
  '*',
  '?[a-z]',
  '\'"\\',
  ' ',
  'ü',
  '数',
  '😀',
  'lock:{x}:y:z',
  '../..',
];

describe('the keys of a lock', () => {
  it('have exactly these shapes', () => {
    assert.deepEqual(lockKeys({ tenant: 'contoso', ref: entityRef('ApprovalRequest', '42') }), {
      lock: 'lock:{contoso}:ApprovalRequest:42',
      index: 'lockidx:{contoso}:ApprovalRequest',
      fence: 'lockfence:{contoso}:ApprovalRequest:42',
      sessions: 'locksess:{contoso}:ApprovalRequest:42',
      channel: 'lockchange:{contoso}',
    });
    assert.equal(indexKey('contoso', 'ApprovalRequest'), 'lockidx:{contoso}:ApprovalRequest');
    assert.equal(changeChannel('contoso'), 'lockchange:{contoso}');
    assert.equal(fenceKeyOf('lock:{contoso}:ApprovalRequest:42'), 'lockfence:{contoso}:ApprovalRequest:42');
  });

  it('percent-encode tenant, type and uid', () => {
    assert.deepEqual(lockKeys({ tenant: 'a}:{b', ref: entityRef('x:y', 'ü/1 {2}') }), {
      lock: 'lock:{a%7D%3A%7Bb}:x%3Ay:%C3%BC%2F1%20%7B2%7D',
      index: 'lockidx:{a%7D%3A%7Bb}:x%3Ay',
      fence: 'lockfence:{a%7D%3A%7Bb}:x%3Ay:%C3%BC%2F1%20%7B2%7D',
      sessions: 'locksess:{a%7D%3A%7Bb}:x%3Ay:%C3%BC%2F1%20%7B2%7D',
      channel: 'lockchange:{a%7D%3A%7Bb}',
    });
  });

  it('the slot function is Redis’ own (the specification’s examples)', () => {
    assert.equal(keySlot('123456789'), 0x31c3 % 16_384);
    assert.equal(keySlot('foo'), 12_182);
    assert.equal(keySlot('{user1000}.following'), keySlot('{user1000}.followers'));
    assert.equal(keySlot('foo{}{bar}'), keySlot('foo{}{bar}'));
    assert.notEqual(keySlot('foo{}{bar}'), keySlot('bar'));
    assert.equal(keySlot('foo{{bar}}zap'), keySlot('{bar'));
  });

  it('share one slot within a tenant, the channel included, whatever the parts are', () => {
    for (const tenant of ['contoso', ...HOSTILE]) {
      const slots = new Set<number>();
      for (const type of HOSTILE) {
        for (const uid of HOSTILE) {
          const keys = lockKeys({ tenant: keyPart('tenant', tenant), ref: entityRef(type, uid) });
          for (const key of Object.values<string>({ ...keys })) slots.add(keySlot(key));
        }
      }
      assert.equal(slots.size, 1, `tenant ${tenant}`);
      assert.deepEqual([...slots], [keySlot(encodeURIComponent(tenant))], `tenant ${tenant}`);
    }
  });

  it('would leave that slot if a brace moved: the proof above can fail', () => {
    const { lock } = lockKeys({ tenant: 'contoso', ref: entityRef('A', '1') });
    assert.notEqual(keySlot(lock), keySlot(lock.replace('{', '').replace('}', '')));
    assert.notEqual(keySlot(lock), keySlot(lock.replace('}:A', ':A}')));
  });

  it('no two entities share a key', () => {
    const seen = new Map<string, string>();
    for (const tenant of HOSTILE) {
      for (const type of HOSTILE) {
        for (const uid of HOSTILE) {
          const { lock, fence, sessions } = lockKeys({ tenant, ref: entityRef(type, uid) });
          for (const key of [lock, fence, sessions]) {
            const entity = JSON.stringify([tenant, type, uid]);
            assert.equal(seen.get(key) ?? entity, entity, key);
            seen.set(key, entity);
          }
        }
      }
    }
  });

  it('read back as the entity they name, and as nothing for any other tenant or type', () => {
    for (const uid of HOSTILE) {
      const ref = entityRef('A:B', uid);
      const { lock } = lockKeys({ tenant: '{t}', ref });
      assert.deepEqual(readLockKey('{t}', 'A:B', lock), ref);
      assert.equal(readLockKey('{u}', 'A:B', lock), null);
      assert.equal(readLockKey('{t}', 'A', lock), null);
    }
    assert.equal(readLockKey('t', 'A', 'something else'), null);
    assert.equal(readLockKey('t', 'A', 'lock:{t}:A:%E0%A4%A'), null);
  });
});
