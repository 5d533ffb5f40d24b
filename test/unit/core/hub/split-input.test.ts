import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HubMethods } from '../../../../core/index.ts';
import { HANDSHAKE, frame } from './client-messages.ts';
import { TestHub } from './test-hub.ts';

const METHODS: HubMethods = {
  Echo: (_, ...args) => args,
  Fail: () => {
    throw new Error('never told');
  },
  Collect: {
    uploads: 1,
    async run({ uploads: [items = []] }) {
      const all: unknown[] = [];
      for await (const each of items) all.push(each);
      return all;
    },
  },
  Ask: ({ connection }, question) => connection.invoke('Question', question),
};

/** What a client may say, as a list of messages that belong together. */
const conversation = fc
  .array(
    fc.oneof(
      fc.record({
        kind: fc.constantFrom('Echo', 'Fail', 'Nowhere'),
        args: fc.array(fc.jsonValue(), { maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('Collect'), items: fc.array(fc.jsonValue(), { maxLength: 15 }) }),
      fc.record({ kind: fc.constant('Note'), text: fc.string({ unit: 'binary' }) }),
      fc.record({ kind: fc.constant('Ping') }),
      fc.record({ kind: fc.constant('Unknown'), type: fc.integer({ min: 8, max: 99 }) }),
      fc.record({ kind: fc.constant('Ask') }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => {
    let next = 0;
    let asked = 0;
    const id = () => String((next += 1));
    return parts.flatMap((part): readonly unknown[] => {
      switch (part.kind) {
        case 'Collect': {
          const streamId = id();
          const items = 'items' in part ? part.items : [];
          return [
            { type: 1, invocationId: id(), target: 'Collect', arguments: [], streamIds: [streamId] },
            ...items.map((item) => ({ type: 2, invocationId: streamId, item })),
            { type: 3, invocationId: streamId },
          ];
        }
        case 'Note':
          return [{ type: 1, target: 'Echo', arguments: ['text' in part ? part.text : ''] }];
        case 'Ping':
          return [{ type: 6 }];
        case 'Unknown':
          return [{ type: 'type' in part ? part.type : 99, sequenceId: 1 }];
        case 'Ask':
          // The answer is there before the question: it counts for nothing, whatever the pieces.
          asked += 1;
          return [{ type: 3, invocationId: `s${asked + 1_000}`, result: asked }];
        default:
          return [
            { type: 1, invocationId: id(), target: part.kind, arguments: 'args' in part ? part.args : [] },
          ];
      }
    });
  });

/** Everything that a client hears whose bytes come in these pieces. */
async function heard(pieces: readonly Uint8Array[], pause: (index: number) => boolean) {
  const test = new TestHub({ methods: METHODS });
  const client = await test.connect({ handshake: false });
  for (const [index, piece] of pieces.entries()) {
    client.connection.receive(piece);
    if (pause(index)) await allDone();
  }
  await allDone();
  const answers = client.wire.texts.join('');
  const { closes, aborts, isPaused } = client.wire;
  client.connection.disconnected();
  return { answers, closes, aborts, isPaused, rest: test.timers.pending };
}

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const borders = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return borders.slice(1).map((border, index) => bytes.slice(borders[index], border));
}

describe('the byte stream of a client', () => {
  it('means the same however it is cut, handshake and messages, with or without pauses between', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.array(fc.nat(20_000), { maxLength: 30 }),
        fc.array(fc.boolean(), { minLength: 31, maxLength: 31 }),
        async (messages, places, pauses) => {
          const bytes = new TextEncoder().encode(
            HANDSHAKE + messages.map((message) => frame(message)).join(''),
          );
          const whole = await heard([bytes], () => false);
          assert.deepEqual(whole.closes, []);
          assert.equal(whole.rest, 0);
          assert.ok(whole.answers.startsWith(frame('{}')), 'the reply comes first');
          assert.deepEqual(await heard(cut(bytes, places), (index) => pauses[index] ?? false), whole);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('means the same byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const bytes = new TextEncoder().encode(
          HANDSHAKE + messages.map((message) => frame(message)).join(''),
        );
        const single = [...bytes].map((byte) => Uint8Array.of(byte));
        assert.deepEqual(await heard(single, () => false), await heard([bytes], () => false));
      }),
      { numRuns: 50 },
    );
  });

  it('ends at the same place when it breaks a rule, however it is cut', async () => {
    const breach = fc.constantFrom('hello', '', '{}', '{"type":1}', '{"type":7}', 'x'.repeat(40_000));
    await fc.assert(
      fc.asyncProperty(
        conversation,
        breach,
        conversation,
        fc.array(fc.nat(60_000), { maxLength: 20 }),
        async (before, broken, after, places) => {
          const text = (messages: readonly unknown[]) => messages.map((message) => frame(message)).join('');
          const start = new TextEncoder().encode(HANDSHAKE + text(before));
          const rest = new TextEncoder().encode(frame(broken) + text(after));
          // What came before is answered first: whether it would have been is a matter of time, not of pieces.
          const pieces = cut(rest, places);
          const whole = await heard([start, rest], (index) => index === 0);
          assert.deepEqual(whole.closes, [1000]);
          assert.deepEqual(await heard([start, ...pieces], (index) => index === 0), whole);
        },
      ),
      { numRuns: 200 },
    );
  });
});
