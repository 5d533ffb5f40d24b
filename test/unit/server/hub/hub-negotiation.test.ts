import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiateAnswer } from '../../../../server/hub/hub-negotiation.ts';
import { HUB_TRANSPORTS } from '../../../../server/hub/hub-transport.ts';

describe('the answer to a negotiation', () => {
  let issued = 0;
  const issue = () => {
    issued += 1;
    return { connectionId: 'public', connectionToken: 'secret' };
  };
  const answer = (version: string | null, transports = HUB_TRANSPORTS) =>
    negotiateAnswer(version, transports, issue);
  const all = [
    { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
    { transport: 'ServerSentEvents', transferFormats: ['Text'] },
    { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
  ];

  it('version 1 has a public id and a secret token, newer versions are answered as 1', () => {
    for (const version of ['1', '2', '999', '2147483647', '01', '+1', ' 1 ']) {
      assert.deepEqual(
        answer(version),
        { negotiateVersion: 1, connectionId: 'public', connectionToken: 'secret', availableTransports: all },
        version,
      );
    }
  });

  it('version 0, which is none too, has one id, the secret one', () => {
    for (const version of [null, '0', '-0', '00']) {
      assert.deepEqual(answer(version), {
        negotiateVersion: 0,
        connectionId: 'secret',
        availableTransports: all,
      });
    }
  });

  it('what is no integer of 32 bits is an error, and nothing is issued', () => {
    issued = 0;
    for (const version of ['', 'x', '1.0', '1e0', '0x1', '1 2', '2147483648', '-2147483649', 'NaN', '９']) {
      assert.deepEqual(
        answer(version),
        { error: 'The client requested a non-integer protocol version.' },
        version,
      );
    }
    assert.equal(issued, 0);
  });

  it('a negative version is an error that names it', () => {
    issued = 0;
    for (const version of ['-1', '-2147483648']) {
      assert.deepEqual(answer(version), {
        error: `The client requested version '${version}', but the server does not support this version.`,
      });
    }
    assert.equal(issued, 0);
  });

  it('offers what the endpoint serves, in its order', () => {
    const { availableTransports } = negotiateAnswer('1', ['LongPolling', 'WebSockets'], issue);
    assert.deepEqual(availableTransports, [all[2], all[0]]);
  });

  it('never says what makes clients refuse the server', () => {
    const text = JSON.stringify(answer('1'));
    assert.doesNotMatch(text, /ProtocolVersion|useStatefulReconnect/);
  });
});
