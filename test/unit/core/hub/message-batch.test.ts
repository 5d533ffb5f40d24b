import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { MessageBatch, OutgoingMessage, jsonHubProtocol, type HubProtocol } from '../../../../core/index.ts';
import { frame, told } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const BYTES: HubProtocol = {
  ...jsonHubProtocol,
  name: 'bytes',
  format: 'Binary',
  write: (message) => new TextEncoder().encode(frame(message)),
};

describe('MessageBatch', () => {
  const message = (value: unknown) => new OutgoingMessage(told('T', value));
  const text = (...values: readonly unknown[]) => values.map((value) => frame(told('T', value))).join('');

  it('is its messages in their order, as text and as bytes', () => {
    const batch = MessageBatch.empty().with(message(1)).with(message('ä')).with(message(3));
    assert.equal(batch.text(jsonHubProtocol), text(1, 'ä', 3));
    for (const protocol of [jsonHubProtocol, BYTES]) {
      assert.equal(new TextDecoder().decode(batch.bytes(protocol)), text(1, 'ä', 3));
    }
    assert.equal(MessageBatch.empty().bytes(BYTES).length, 0);
  });

  it('carries text beside bytes: a handshake’s reply before the first messages', () => {
    const batch = MessageBatch.empty().with(new OutgoingMessage('{}\u001e')).with(message('ä'));
    assert.equal(new TextDecoder().decode(batch.bytes(BYTES)), `{}\u001e${text('ä')}`);
  });

  it('is the same batch for the same messages, and another one for others', () => {
    const turn = MessageBatch.empty();
    const [a, b] = [message('a'), message('b')];
    const ab = turn.with(a).with(b);
    assert.equal(turn.with(a).with(b), ab);
    assert.notEqual(turn.with(b).with(a), ab);
    assert.equal(turn.with(b).with(a).text(jsonHubProtocol), text('b', 'a'));
    assert.equal(ab.text(jsonHubProtocol), text('a', 'b'));
  });

  it('is framed once for each protocol and framing', () => {
    const batch = MessageBatch.empty().with(message(1));
    const frames: string[] = [];
    const framing = (name: string) => ({
      frame: (payload: Uint8Array, { name: protocol }: HubProtocol) => {
        frames.push(`${name} ${protocol}`);
        return payload.slice();
      },
    });
    const [one, other] = [framing('one'), framing('other')];
    const framed = batch.framed(jsonHubProtocol, one);
    assert.equal(batch.framed(jsonHubProtocol, one), framed);
    assert.notEqual(batch.framed(BYTES, one), framed);
    assert.notEqual(batch.framed(jsonHubProtocol, other), framed);
    assert.deepEqual(frames, ['one json', 'one bytes', 'other json']);
  });
});

describe('what many connections are sent in one turn', () => {
  it('is one object for all who are sent the same, also in a burst', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 50 }, () => test.connect()));
    for (let burst = 0; burst < 20; burst += 1) test.hub.all().send('News', burst);
    await allDone();
    const [first] = clients.map(({ wire }) => wire.writes);
    assert.equal(first?.length, 1, 'one write');
    for (const { wire } of clients) assert.equal(wire.writes[0], first[0]);
  });

  it('is written once for each message and protocol, not for each connection', async () => {
    const test = new TestHub();
    const clients = await Promise.all(Array.from({ length: 50 }, () => test.connect()));
    const write = mock.method(JSON, 'stringify');
    for (let burst = 0; burst < 3; burst += 1) test.hub.all().send('News', burst);
    await allDone();
    const calls = write.mock.callCount();
    write.mock.restore();
    assert.equal(calls, 3);
    assert.equal(clients.length, 50);
  });

  it('is written for nobody where nobody hears it', async () => {
    const test = new TestHub();
    await test.connect();
    const write = mock.method(JSON, 'stringify');
    test.hub.groups('nobody').send('News');
    test.hub.user('acme', 'nobody').send('News');
    const calls = write.mock.callCount();
    write.mock.restore();
    assert.equal(calls, 0);
  });

  it('begins anew with each turn', async () => {
    const test = new TestHub();
    const client = await test.connect();
    test.hub.all().send('One');
    await allDone();
    test.hub.all().send('Two');
    await allDone();
    assert.deepEqual(client.wire.texts, [frame(told('One')), frame(told('Two'))]);
  });

  it('reaches each connection exactly in order, whoever is sent what, and in as few objects as there are sequences', async () => {
    const CLIENTS = 6;
    const GROUPS = ['a', 'b', 'c'];
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ toGroups: fc.subarray(GROUPS) }) },
      { weight: 2, arbitrary: fc.constant({ toAll: true }) },
      { weight: 3, arbitrary: fc.record({ toOne: fc.nat(CLIENTS - 1) }) },
      { weight: 1, arbitrary: fc.record({ joins: fc.nat(CLIENTS - 1), group: fc.constantFrom(...GROUPS) }) },
      { weight: 1, arbitrary: fc.record({ leaves: fc.nat(CLIENTS - 1), group: fc.constantFrom(...GROUPS) }) },
      { weight: 1, arbitrary: fc.constant({ turn: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const test = new TestHub({ defer: setImmediate });
        const clients = await Promise.all(
          Array.from({ length: CLIENTS }, async () => ({
            client: await test.connect({ handshake: false }),
            groups: new Set<string>(),
            expected: [] as unknown[],
          })),
        );
        for (const { client } of clients) client.say({ protocol: 'json', version: 1 });
        await allDone();
        for (const { client } of clients) assert.deepEqual(client.wire.take(), [{}]);
        let number = 0;
        const endTurn = async () => {
          await allDone();
          const writes = clients.map(({ client }) => client.wire.writes);
          // One write at most; the same text is the same object.
          const byText = new Map<string, object>();
          clients.forEach(({ client }, index) => {
            const own = writes[index] ?? [];
            assert.ok(own.length <= 1, 'one write in a turn at most');
            for (const written of own) {
              const [text = ''] = client.wire.texts;
              assert.equal(byText.get(text) ?? written, written);
              byText.set(text, written);
            }
          });
          for (const one of clients) {
            assert.deepEqual(one.client.wire.take(), one.expected);
            one.expected.length = 0;
          }
        };
        for (const each of steps) {
          number += 1;
          const expect = (isMeant: (groups: ReadonlySet<string>, index: number) => boolean) =>
            clients.forEach(({ groups, expected }, index) => {
              if (isMeant(groups, index)) expected.push(told('News', number));
            });
          if ('toGroups' in each) {
            test.hub.groups(...each.toGroups).send('News', number);
            expect((groups) => each.toGroups.some((group) => groups.has(group)));
          } else if ('toAll' in each) {
            test.hub.all().send('News', number);
            expect(() => true);
          } else if ('toOne' in each) {
            clients[each.toOne]?.client.connection.send('News', number);
            expect((_, index) => index === each.toOne);
          } else if ('joins' in each) {
            clients[each.joins]?.client.connection.join(each.group);
            clients[each.joins]?.groups.add(each.group);
          } else if ('leaves' in each) {
            clients[each.leaves]?.client.connection.leave(each.group);
            clients[each.leaves]?.groups.delete(each.group);
          } else await endTurn();
        }
        await endTurn();
      }),
      { numRuns: 300 },
    );
  });
});
