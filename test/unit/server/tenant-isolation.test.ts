import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { LockError, answerLockRequest, entityRef, keyPart, lockPaths, refKey } from '../../../core/index.ts';
import { changeChannel, indexKey, lockKeys, readLockKey } from '../../../server/redis/lock-keys.ts';
import { LIST_EXAMPLES } from '../../../core/openapi/lock-examples.ts';
import { serviceAt } from '../core/service-at.ts';
import { keySlot } from './key-slot.ts';

const KNOWN = [
  ...[
    '{',
    '}',
    '{}',
    '}:{',
    ':',
    '::',
    '%',
    '%7D',
    '%2F',
    '%00',
    '%3A',
    '/',
    '../..',
    '*',
    '[a]',
    '"',
    '["a"]',
    ' ',
  ],
  ...['acme', 'ACME', 'acme}:Order', '{acme}', 'Order', 'Order:1', '1', 'lock:{acme}:Order:1', 'lockidx'],
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'mine',
    '.',
    '..',
    '',
    '\u0000',
    'a\r\nb',
    '\u2028',
    '\ud800',
  ],
  ...[
    '\u00e9',
    'e\u0301',
    '\uff21',
    'A',
    '\u0430cme',
    'a\u200bcme',
    '\ufeffacme',
    '\u{1f600}',
    '\u212a',
    'K',
    'x'.repeat(10_000),
  ],
  ...['7C9E6679-7425-40DE-944B-E07FC1F90AE7', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
];
/** Few letters, so that what is cut in different places meets again. */
const delimiters = fc.string({
  unit: fc.constantFrom(':', '{', '}', '%', 'a', 'e', '\u0301', '3', 'A'),
  maxLength: 5,
});
/** Any UTF-16, halves of pairs included. */
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));
const text = fc.oneof(fc.constantFrom(...KNOWN), delimiters, fc.string({ unit: 'grapheme' }), anything);

interface Target {
  readonly tenant: string;
  readonly ref: { readonly entityType: string; readonly entityUid: string };
}

/** The one spelling; null = refused. Anything but a refusal is a fault. */
function target(tenant: string, type: string, uid: string): Target | null {
  try {
    return { tenant: keyPart('tenant', tenant), ref: entityRef(type, uid) };
  } catch (error) {
    assert.ok(error instanceof LockError && error.code === 'bad-request', String(error));
    return null;
  }
}

const targets = fc
  .tuple(text, text, text)
  .map((parts) => target(...parts))
  .filter((made) => made !== null);
/** Two of a kind often share parts: that is where keys could meet. */
const pairs = fc.tuple(targets, targets, fc.nat(7)).map(([one, other, shared]): [Target, Target] => [
  one,
  {
    tenant: (shared & 1) === 0 ? other.tenant : one.tenant,
    ref: {
      entityType: (shared & 2) === 0 ? other.ref.entityType : one.ref.entityType,
      entityUid: (shared & 4) === 0 ? other.ref.entityUid : one.ref.entityUid,
    },
  },
]);

const RUNS = { numRuns: 3_000 };

describe('two entities, whatever their tenants, types and uids are called (F33)', () => {
  it('share a key exactly when they are the same one', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        const [first, second] = [lockKeys(one), lockKeys(other)];
        for (const key of ['lock', 'fence', 'sessions'] as const)
          assert.equal(first[key] === second[key], isSame);
        const ofType = one.tenant === other.tenant && one.ref.entityType === other.ref.entityType;
        assert.equal(first.index === second.index, ofType);
        assert.equal(first.channel === second.channel, one.tenant === other.tenant);
        const all = [first, second].flatMap((keys) => Object.values(keys) as string[]);
        const kinds = new Set(all.map((key) => key.slice(0, key.indexOf(':'))));
        assert.equal(kinds.size, 5, 'no key of one kind is one of another');
        assert.equal(
          refKey(one.ref) === refKey(other.ref),
          JSON.stringify(one.ref) === JSON.stringify(other.ref),
        );
      }),
      RUNS,
    );
  });

  it('have keys of printable ASCII, in the slot of their tenant', () => {
    fc.assert(
      fc.property(targets, (one) => {
        const { lock, index, fence, sessions, channel } = lockKeys(one);
        for (const key of [lock, index, fence, sessions, channel]) {
          assert.match(key, /^lock[a-z]*:\{[\x21-\x7e]+\}(?::[\x21-\x7e]+)?$/);
          assert.equal(key.split('{').length + key.split('}').length, 4, 'one pair of braces');
          assert.equal(keySlot(key), keySlot(changeChannel(one.tenant)));
        }
        assert.equal(lock.split(':').length, 4, 'no part has a colon of its own');
        assert.ok(lock.length < 3 * 200 + 20);
      }),
      RUNS,
    );
  });

  it('are listed by their own tenant’s index alone', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const read = readLockKey(other.tenant, other.ref.entityType, lockKeys(one).lock);
        const isListed =
          indexKey(one.tenant, one.ref.entityType) === indexKey(other.tenant, other.ref.entityType);
        assert.deepEqual(read, isListed ? one.ref : null);
      }),
      RUNS,
    );
  });

  it('are reached by their own path, and by the path of no other', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ([one, other]) => {
        const { service } = serviceAt(1_700_000_000_000);
        const read = async ({ ref }: Target) => {
          const answer = await answerLockRequest(
            Object.assign(Object.create(service) as typeof service, {
              read: (_: unknown, found: unknown) => Promise.resolve({ ...LIST_EXAMPLES['locks'], found }),
            }),
            {
              method: 'GET',
              path: lockPaths.entity(ref),
              query: {},
              body: '',
              principal: { tenant: one.tenant, oid: 'ann', name: 'Ann', kind: 'user' },
            },
          );
          return (answer.body as { found?: unknown }).found;
        };
        assert.deepEqual(await read(one), one.ref);
        assert.deepEqual(await read(other), other.ref);
      }),
      { numRuns: 300 },
    );
  });

  it('are one where they only look different to a computer: Unicode’s composed form, and GUIDs in lower case', () => {
    assert.deepEqual(target('e\u0301', 'e\u0301', 'e\u0301'), target('\u00e9', '\u00e9', '\u00e9'));
    const guid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    assert.deepEqual(target(guid.toUpperCase(), 'Order', guid), target(guid, 'Order', guid.toUpperCase()));
    // What only looks the same to people stays apart.
    for (const [one, other] of [
      ['acme', '\u0430cme'],
      ['acme', 'ACME'],
      ['acme', 'ac\u200bme'],
      ['A', '\uff21'],
    ] as const) {
      assert.notDeepEqual(target(one, 'Order', '1'), target(other, 'Order', '1'));
    }
  });
});
