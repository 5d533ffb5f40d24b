import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  readChangeMessage,
  writeChangeMessage,
  writeDisconnectMessage,
} from '../../../server/redis/change-message.ts';

describe('a message on a change channel', () => {
  it('is the application’s own change', () => {
    const change = { entityType: 'Doc', entityUid: '7', operation: 'Updated', at: 1_796_071_269_107_141 };
    assert.deepEqual(readChangeMessage(writeChangeMessage(change)), { kind: 'change', change });
  });

  it('or a user to disconnect, in a form that versions which know none refuse as malformed', () => {
    const message = writeDisconnectMessage('ann "x"', 'node-1', 1_796_071_269_107_141);
    assert.equal(message, '0 1796071269107141 {"disconnect":"ann \\"x\\"","from":"node-1"}');
    assert.deepEqual(readChangeMessage(message), { kind: 'disconnect', oid: 'ann "x"', from: 'node-1' });
    assert.deepEqual(readChangeMessage('0 5 {"disconnect":"ann"}'), {
      kind: 'disconnect',
      oid: 'ann',
      from: '',
    });
  });

  for (const malformed of [
    '0 5 {"disconnect":""}',
    '0 5 {"disconnect":7}',
    '0 5 {"disconnect":null}',
    '0 5 {"disconnect":"ann","from":7}',
    '0 {"disconnect":"ann"}',
    '7 5 {"disconnect":"ann"}',
    '0 5 ["disconnect"]',
  ]) {
    it(`refuses ${malformed}`, () => assert.throws(() => readChangeMessage(malformed)));
  }
});
