import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LockError, MAX_BODY_BYTES } from '../../../core/index.ts';
import {
  LeaseBody,
  ListQuery,
  NoQuery,
  ReleaseQuery,
  TakeOverBody,
  readBody,
  readQuery,
} from '../../../core/lock-requests.ts';

const refusal = (read: () => unknown): LockError => {
  try {
    read();
  } catch (error) {
    if (error instanceof LockError) return error;
    throw error;
  }
  return assert.fail('was not refused');
};

describe('readBody', () => {
  it('takes an absent body for an empty object, and an absent session for ""', () => {
    for (const text of ['', '  \n', '{}']) assert.deepEqual(readBody(LeaseBody, text), { sessionId: '' });
  });

  it('reads what a page sends', () => {
    assert.deepEqual(readBody(LeaseBody, '{"sessionId":"s-1","fence":1700000000000}'), {
      sessionId: 's-1',
      fence: 1_700_000_000_000,
    });
    assert.deepEqual(readBody(TakeOverBody, '{"fromHolderOid":"anna"}'), {
      sessionId: '',
      fromHolderOid: 'anna',
    });
  });

  const lease: readonly (readonly [body: string, field: string])[] = [
    ['{', 'body'],
    ['undefined', 'body'],
    ['null', 'body'],
    ['[]', 'body'],
    ['[{}]', 'body'],
    ['"text"', 'body'],
    ['42', 'body'],
    ['{"sessionId":1}', 'sessionId'],
    ['{"sessionId":null}', 'sessionId'],
    ['{"sessionId":["a"]}', 'sessionId'],
    ['{"sessionId":"with space"}', 'sessionId'],
    ['{"sessionId":"\\u0000"}', 'sessionId'],
    ['{"sessionId":"\\u00e4"}', 'sessionId'],
    [`{"sessionId":"${'x'.repeat(65)}"}`, 'sessionId'],
    ['{"fence":0}', 'fence'],
    ['{"fence":-1}', 'fence'],
    ['{"fence":1.5}', 'fence'],
    ['{"fence":"1700000000000"}', 'fence'],
    ['{"fence":null}', 'fence'],
    ['{"fence":9007199254740993}', 'fence'],
    ['{"fence":1e400}', 'fence'],
    ['{"leaseMs":1}', 'leaseMs'],
    ['{"holderOid":"anna"}', 'holderOid'],
    ['{"tenant":"umbrella"}', 'tenant'],
    ['{"__proto__":{"sessionId":"x"}}', '__proto__'],
  ];
  for (const [body, field] of lease) {
    it(`refuses the lease body ${body.slice(0, 40)} and names ${field}`, () => {
      const error = refusal(() => readBody(LeaseBody, body));
      assert.equal(error.code, 'bad-request');
      assert.equal(error.details.field, field);
      assert.match(error.message, new RegExp(`^${field}: expected .+\\.$`));
    });
  }

  const takeOver: readonly (readonly [body: string, field: string])[] = [
    ['', 'fromHolderOid'],
    ['{}', 'fromHolderOid'],
    ['{"fromHolderOid":""}', 'fromHolderOid'],
    ['{"fromHolderOid":7}', 'fromHolderOid'],
    [`{"fromHolderOid":"${'x'.repeat(201)}"}`, 'fromHolderOid'],
    ['{"fromHolderOid":"anna","fence":1}', 'fence'],
  ];
  for (const [body, field] of takeOver) {
    it(`refuses the take-over body ${body.slice(0, 40) || '(none)'} and names ${field}`, () => {
      const error = refusal(() => readBody(TakeOverBody, body));
      assert.equal(error.code, 'bad-request');
      assert.equal(error.details.field, field);
    });
  }

  it('says of a required field that is missing that it expected a value', () => {
    assert.equal(refusal(() => readBody(TakeOverBody, '{}')).message, 'fromHolderOid: expected a value.');
  });

  it('answers too-large before it parses, and takes the largest body', () => {
    assert.equal(refusal(() => readBody(LeaseBody, '{'.repeat(MAX_BODY_BYTES + 1))).code, 'too-large');
    assert.deepEqual(readBody(LeaseBody, `{}${' '.repeat(MAX_BODY_BYTES - 2)}`), { sessionId: '' });
  });
});

describe('readQuery', () => {
  it('fills in the defaults and turns numbers into numbers', () => {
    assert.deepEqual(readQuery(ReleaseQuery, {}), { sessionId: '', graceMs: 0 });
    assert.deepEqual(readQuery(ReleaseQuery, { sessionId: 's1', graceMs: '5000' }), {
      sessionId: 's1',
      graceMs: 5_000,
    });
    assert.deepEqual(readQuery(ListQuery, {}), { limit: 1_000 });
    assert.deepEqual(readQuery(ListQuery, { limit: '10', cursor: '1~a' }), { limit: 10, cursor: '1~a' });
    assert.deepEqual(readQuery(NoQuery, {}), {});
  });

  const refused = [
    [ReleaseQuery, { sessionId: ['a', 'b'] }, 'sessionId'],
    [ReleaseQuery, { sessionId: { a: '1' } }, 'sessionId'],
    [ReleaseQuery, { graceMs: '' }, 'graceMs'],
    [ReleaseQuery, { graceMs: '-1' }, 'graceMs'],
    [ReleaseQuery, { graceMs: '1.5' }, 'graceMs'],
    [ReleaseQuery, { graceMs: '0x10' }, 'graceMs'],
    [ReleaseQuery, { graceMs: '30001' }, 'graceMs'],
    [ReleaseQuery, { graceMs: ['1', '2'] }, 'graceMs'],
    [ReleaseQuery, { fence: '1' }, 'fence'],
    [ListQuery, { limit: '0' }, 'limit'],
    [ListQuery, { limit: '1001' }, 'limit'],
    [ListQuery, { limit: 'all' }, 'limit'],
    [ListQuery, { cursor: ['a', 'b'] }, 'cursor'],
    [ListQuery, { tenant: 'umbrella' }, 'tenant'],
    [NoQuery, { anything: '1' }, 'anything'],
  ] as const;
  for (const [schema, query, field] of refused) {
    it(`refuses ${JSON.stringify(query)} and names ${field}`, () => {
      const error = refusal(() => readQuery(schema, query));
      assert.equal(error.code, 'bad-request');
      assert.equal(error.details.field, field);
    });
  }
});
