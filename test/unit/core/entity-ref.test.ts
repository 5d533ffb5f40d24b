import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError, MAX_ENCODED_LENGTH, entityRef, keyPart, refKey } from '../../../core/index.ts';

const isRefusal = (field: string) => (error: unknown) =>
  error instanceof LockError &&
  error.code === 'bad-request' &&
  error.details.field === field &&
  error.message.startsWith(`${field}: `);

describe('entityRef', () => {
  it('keeps plain names as they are, case included', () => {
    assert.deepEqual(entityRef('ApprovalRequest', 'INV-7/2 a'), {
      entityType: 'ApprovalRequest',
      entityUid: 'INV-7/2 a',
    });
  });

  it('makes one record of the composed and the decomposed spelling', () => {
    assert.deepEqual(entityRef('Order', 'Mu\u0308ller'), entityRef('Order', 'M\u00fcller'));
  });

  it('makes one record of a GUID in upper and in lower case, and of nothing that merely looks like one', () => {
    assert.equal(
      entityRef('Order', '0B4F3D9E-9A51-4C6B-8F5E-3C1D2E4F5A6B').entityUid,
      '0b4f3d9e-9a51-4c6b-8f5e-3c1d2e4f5a6b',
    );
    assert.equal(entityRef('Order', 'ABCDEF01').entityUid, 'ABCDEF01');
    const braced = '{0B4F3D9E-9A51-4C6B-8F5E-3C1D2E4F5A6B}';
    assert.equal(entityRef('Order', braced).entityUid, braced);
  });

  it('reserves the type "mine" for the route of that name, but not the uid', () => {
    assert.throws(() => entityRef('mine', '1'), isRefusal('entityType'));
    assert.equal(entityRef('Order', 'mine').entityUid, 'mine');
    assert.equal(entityRef('Mine', '1').entityType, 'Mine');
  });

  it('names the part at fault', () => {
    assert.throws(() => entityRef('', '1'), isRefusal('entityType'));
    assert.throws(() => entityRef('Order', ''), isRefusal('entityUid'));
  });
});

describe('keyPart', () => {
  const refused: readonly (readonly [what: string, value: string])[] = [
    ['an empty text', ''],
    ['a control character', 'a\u0000b'],
    ['a line feed', 'a\nb'],
    ['a C1 control character', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00a'],
    ['a dot segment', '.'],
    ['a double dot segment', '..'],
    ['more than the longest text', 'x'.repeat(MAX_ENCODED_LENGTH + 1)],
    ['a text that grows too long when encoded', 'ä'.repeat(MAX_ENCODED_LENGTH / 6 + 1)],
    ['megabytes', 'x'.repeat(5_000_000)],
  ];
  for (const [what, value] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(() => keyPart('tenant', value), isRefusal('tenant'));
    });
  }

  it('never repeats the refused value, which may be long or hostile', () => {
    assert.throws(
      () => keyPart('tenant', `<b>\u0000${'x'.repeat(50)}`),
      (error: unknown) => error instanceof LockError && !error.message.includes('<b>'),
    );
  });

  const accepted: readonly (readonly [what: string, value: string])[] = [
    ['the longest text', 'x'.repeat(MAX_ENCODED_LENGTH)],
    ['braces, colons, slashes and percent signs', '{a}:b/c%2F'],
    ['a pair of surrogates', '😀'],
    ['three dots', '...'],
    ['a single space', ' '],
  ];
  for (const [what, value] of accepted) {
    it(`takes ${what}`, () => {
      assert.equal(keyPart('tenant', value), value);
    });
  }
});

describe('refKey', () => {
  it('tells apart refs whose parts join to the same text', () => {
    const keys = [
      entityRef('a:b', 'c'),
      entityRef('a', 'b:c'),
      entityRef('a%3Ab', 'c'),
      entityRef('a', 'b%3Ac'),
    ].map(refKey);
    assert.equal(new Set(keys).size, keys.length);
  });
});
