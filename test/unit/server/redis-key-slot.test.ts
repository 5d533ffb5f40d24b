import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keySlot as slotOfTheServer } from '../../../server/redis/key-slot.ts';
import { keySlot } from './key-slot.ts';

describe('keySlot', () => {
  it('gives the specification’s own examples', () => {
    assert.equal(slotOfTheServer('123456789'), 0x31c3 % 16_384);
    assert.equal(slotOfTheServer('foo'), 12_182);
  });

  it('finds a tenant’s slot in whatever its keys are made of', () => {
    for (const key of [
      'lockchange:{acme}',
      'foo{}{bar}',
      'foo{{bar}}zap',
      '{',
      '}{',
      '',
      'lock:{a%7D%3Ab}:ü:数',
    ]) {
      assert.equal(slotOfTheServer(key), keySlot(key), key);
    }
    assert.equal(slotOfTheServer('lock:{acme}:Doc:1'), slotOfTheServer('lockchange:{acme}'));
  });
});
