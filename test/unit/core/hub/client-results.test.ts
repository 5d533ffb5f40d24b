import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_HUB_TIMING, HubError, type HubMethods, type HubOptions } from '../../../../core/index.ts';
import { HANDSHAKE, PING, call, end, failure, result } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const { clientResultTimeoutMs } = DEFAULT_HUB_TIMING;

async function opened(methods: HubMethods = {}, options: HubOptions = {}) {
  const test = new TestHub({ methods, ...options });
  const client = await test.connect();
  return { connection: client.connection, timers: test.timers, client, wire: client.wire, test };
}

const question = (invocationId: string, ...args: readonly unknown[]) =>
  call(invocationId, 'Question', ...args);

describe('a client that is asked for a result', () => {
  it('is asked by a call with an id of the server’s own, and answers it', async () => {
    const { client, connection } = await opened();
    const answers = [connection.invoke('Question', 1, 'ä'), connection.invoke('Question')];
    assert.deepEqual(await client.heard(), [question('s1', 1, 'ä'), question('s2')]);
    client.say(result('s2', { b: 2 }), result('s1', null));
    assert.deepEqual(await Promise.all(answers), [null, { b: 2 }]);
  });

  it('may have no result to give', async () => {
    const { client, connection } = await opened();
    const answer = connection.invoke('Question');
    client.say(end('s1'));
    assert.equal(await answer, undefined);
  });

  it('may answer with an error, which is a HubError of its words', async () => {
    const { client, connection } = await opened();
    const answer = connection.invoke('Question');
    client.say(failure('s1', "Client didn't provide a result."));
    await assert.rejects(answer, new HubError("Client didn't provide a result."));
  });

  it('has thirty seconds, and its late answer is ignored', async () => {
    const { client, connection, timers } = await opened();
    const answer = connection.invoke('Question');
    const rejected = assert.rejects(
      answer,
      new HubError("The client did not answer 'Question' within 30000 ms."),
    );
    timers.advance(clientResultTimeoutMs - 1);
    client.say(PING);
    timers.advance(1);
    await rejected;
    client.say(result('s1', 1));
    await client.heard();
    assert.equal(connection.isOpen, true);
    assert.equal(timers.pending, 1, 'the heartbeat alone');
  });

  it('leaves no timer behind when it has answered', async () => {
    const { client, connection, timers } = await opened();
    const answer = connection.invoke('Question');
    assert.equal(timers.pending, 2);
    client.say(result('s1', 1));
    await answer;
    assert.equal(timers.pending, 1);
  });

  for (const how of ['leaves', 'is closed', 'breaks the protocol'] as const) {
    it(`owes nothing any more when it ${how}`, async () => {
      const { client, connection, timers } = await opened();
      const answer = connection.invoke('Question');
      const rejected = assert.rejects(
        answer,
        new HubError('The connection was closed before the client answered.'),
      );
      if (how === 'leaves') connection.disconnected();
      else if (how === 'is closed') connection.close();
      else client.say('hello');
      await rejected;
      assert.equal(timers.pending, 0);
    });
  }

  it('answers once, and only what it was asked: another client’s answer counts for nothing', async () => {
    const { client, connection, test } = await opened();
    const other = await test.connect();
    const answer = connection.invoke('Question');
    other.say(result('s1', 'foreign'));
    await other.heard();
    client.say(result('s2', 'unasked'), result('s1', 'mine'), result('s1', 'again'));
    assert.equal(await answer, 'mine');
    assert.deepEqual([connection.isOpen, other.connection.isOpen], [true, true]);
  });

  it('can be asked by its own call, which waits for the answer', async () => {
    const { client } = await opened({
      Ask: async ({ connection }) => ['answered', await connection.invoke('Question')],
    });
    client.say(call('0', 'Ask'));
    assert.deepEqual(await client.heard(), [question('s1')]);
    client.say(result('s1', 42));
    assert.deepEqual(await client.heard(), [result('0', ['answered', 42])]);
  });

  it('tells its own call of its failure in its own words', async () => {
    const { client } = await opened({ Ask: ({ connection }) => connection.invoke('Question') });
    client.say(call('0', 'Ask'), failure('s1', 'early, so ignored'));
    await client.heard();
    client.say(failure('s1', 'No.'));
    assert.deepEqual(await client.heard(), [
      failure('0', "An unexpected error occurred invoking 'Ask' on the server. HubException: No."),
    ]);
  });

  it('cannot be asked inside onConnected, nor before it, and can afterwards', async () => {
    const refusals: unknown[] = [];
    const words = 'Client results inside OnConnectedAsync Hub methods are not allowed.';
    const test = new TestHub({
      onConnected: async (connection) => {
        refusals.push(await connection.invoke('Question').catch((error: unknown) => error));
        await Promise.resolve();
        refusals.push(await connection.invoke('Question').catch((error: unknown) => error));
      },
    });
    const client = await test.connect({ handshake: false });
    await assert.rejects(
      client.connection.invoke('Question'),
      new HubError("Connection 'c1' does not exist."),
    );
    client.connection.receive(HANDSHAKE);
    assert.deepEqual(await client.heard(), [{}]);
    assert.deepEqual(refusals, [new HubError(words), new HubError(words)]);
    const answer = client.connection.invoke('Question');
    client.say(result('s1', 1));
    assert.equal(await answer, 1);
  });

  it('is not asked what cannot be written, and owes nothing', async () => {
    const { client, connection, timers } = await opened();
    await assert.rejects(connection.invoke('Question', 1n), TypeError);
    assert.deepEqual(await client.heard(), []);
    assert.equal(timers.pending, 1);
  });
});
