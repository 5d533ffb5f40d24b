import assert from 'node:assert/strict';
import { setImmediate as allDone } from 'node:timers/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HubMethods } from '../../core/index.ts';
import { collectedHeapBytes } from '../unit/core/hub/collected-heap.ts';
import { ERROR_CLOSE, HANDSHAKE, frame } from '../unit/core/hub/client-messages.ts';
import { TestHub } from '../unit/core/hub/test-hub.ts';

const SEED = 20_261_130;
/** 100,000 inputs in all. */
const PARTS = 5;
const ROUNDS = 20;
/** So many inputs share a hub. */
const ROUND = 1_000;
const WARM_UP = 5;
/** Of 14,000 inputs: 150 bytes kept of each would be more. */
const MAX_GROWTH_BYTES = 2 * 1_048_576;

const METHODS: HubMethods = {
  Echo: (_, ...args) => args,
  Stream: {
    answersStream: true,
    run: async function* (_, value) {
      yield value;
      await Promise.resolve();
    },
  },
  Collect: {
    uploads: 1,
    async run({ uploads: [items = []] }) {
      for await (const each of items) if (each === undefined) throw new Error('an item without a value');
    },
  },
  Ask: ({ connection }) => connection.invoke('Question'),
};

const VALID = [
  { protocol: 'json', version: 1 },
  { type: 1, target: 'Echo', arguments: [1, 'ä😀', null, { a: [true] }] },
  { type: 1, invocationId: '1', target: 'Echo', arguments: [] },
  { type: 1, invocationId: '2', target: 'Collect', arguments: [], streamIds: ['3'] },
  { type: 2, invocationId: '3', item: { a: 1 } },
  { type: 3, invocationId: '3' },
  { type: 1, invocationId: '4', target: 'Ask', arguments: [] },
  { type: 3, invocationId: 's1', result: null },
  { type: 3, invocationId: 's1', error: 'no' },
  { type: 4, invocationId: '5', target: 'Stream', arguments: ['x'] },
  { type: 5, invocationId: '5' },
  { type: 6 },
  { type: 7, error: 'boom', allowReconnect: true },
  { type: 8, sequenceId: 1 },
].map((message) => frame(message));

/** Parts that have broken other people's parsers. */
const NASTY = [
  '\u001e',
  '\u0000',
  '\ufeff',
  '"',
  '\\',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  'true',
  '-',
  '1e400',
  '-1e400',
  '9007199254740993',
  '0.1e-400',
  '1'.repeat(400),
  '"__proto__":{"x":1},',
  '"constructor":{"prototype":{}},',
  '"type":1,',
  '"type":2,',
  '"type":3,',
  '"type":4,',
  '"invocationId":"1",',
  '"invocationId":{},',
  '"streamIds":["1","1"],',
  '"arguments":[[]],',
  '"toString"',
];

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) =>
  `{"type":1,"target":"Echo","arguments":${'['.repeat(depth)}${']'.repeat(depth)}}\u001e`;

const mutation = fc.record({
  at: fc.nat(100),
  deleted: fc.nat(6),
  inserted: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...NASTY).map(bytesOf) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
  ),
});

function mutated(text: string, mutations: readonly { at: number; deleted: number; inserted: Uint8Array }[]) {
  let bytes = bytesOf(text);
  for (const { at, deleted, inserted } of mutations) {
    const place = at % (bytes.length + 1);
    bytes = Uint8Array.of(...bytes.subarray(0, place), ...inserted, ...bytes.subarray(place + deleted));
  }
  return bytes;
}

const input = fc.oneof(
  {
    weight: 40,
    arbitrary: fc
      .tuple(fc.constantFrom(...VALID), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([text, mutations]) => mutated(text, mutations)),
  },
  {
    weight: 20,
    arbitrary: fc
      .tuple(
        fc.array(fc.constantFrom(...VALID), { minLength: 2, maxLength: 6 }),
        fc.array(mutation, { maxLength: 2 }),
      )
      .map(([texts, mutations]) => mutated(texts.join(''), mutations)),
  },
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.of(...bytes, 0x1e)) },
  { weight: 10, arbitrary: fc.json({ maxDepth: 4 }).map((text) => bytesOf(`${text}\u001e`)) },
  {
    weight: 9,
    arbitrary: fc
      .record({
        type: fc.integer({ min: 1, max: 7 }),
        more: fc.object({
          maxDepth: 1,
          key: fc.constantFrom(
            'target',
            'arguments',
            'invocationId',
            'item',
            'result',
            'error',
            'streamIds',
            'allowReconnect',
            'headers',
          ),
        }),
      })
      .map(({ type, more }) =>
        bytesOf(
          frame(
            JSON.stringify({ ...more, type }, (_, value: unknown) =>
              typeof value === 'bigint' ? String(value) : value,
            ),
          ),
        ),
      ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 16_000 }).map((depth) => bytesOf(nested(depth))) },
);

/** What a client may be told, whatever it says: answers to what it asked, and one documented end. */
const HANDSHAKE_REFUSALS = [
  /^The protocol '.*' is not supported\.$/s,
  /^The server does not support version .* of the '.*' protocol\.$/s,
  /^Handshake was canceled\.$/,
  /^An unexpected error occurred during connection handshake\.$/,
];

function checkReaction(
  messages: readonly unknown[],
  closes: readonly number[],
  isOpen: boolean,
  hadHandshake: boolean,
) {
  const last = messages.at(-1) as { readonly type?: number; readonly error?: string } | undefined;
  if (isOpen) {
    assert.deepEqual(closes, []);
    return;
  }
  if (closes.length === 0) {
    assert.ok(!hadHandshake && messages.length === 0, 'it waits for the rest of its handshake');
    return;
  }
  assert.deepEqual(closes, [1000]);
  if (last?.type === undefined) {
    const { error = '' } = last ?? {};
    assert.ok(
      HANDSHAKE_REFUSALS.some((words) => words.test(error)),
      `refused with: ${error}`,
    );
    return;
  }
  const isGoodbye = JSON.stringify(last) === '{"type":7}';
  if (!isGoodbye) assert.deepEqual(last, ERROR_CLOSE);
}

/** Says each input to a connection of its own, with or without a handshake before it. Answers how they ended. */
async function react(inputs: readonly Uint8Array[]) {
  const ends = { open: 0, waiting: 0, closed: 0 };
  const test = new TestHub({ methods: METHODS });
  const clients = await Promise.all(
    inputs.map(async (bytes, index) => {
      const client = await test.connect({ handshake: false });
      const hadHandshake = index % 4 !== 0;
      if (hadHandshake) client.connection.receive(HANDSHAKE);
      const half = bytes.length >> 1;
      client.connection.receive(bytes.subarray(0, half));
      client.connection.receive(bytes.subarray(half));
      return { client, hadHandshake };
    }),
  );
  await allDone();
  for (const { client, hadHandshake } of clients) {
    const { connection, wire } = client;
    const { isOpen } = connection;
    const wasOpen = hadHandshake || wire.texts[0]?.startsWith('{}') === true;
    checkReaction(wire.messages, wire.closes, isOpen, wasOpen);
    ends[isOpen ? 'open' : wire.closes.length > 0 ? 'closed' : 'waiting'] += 1;
    connection.disconnected();
  }
  await allDone();
  assert.equal(test.hub.connectionCount, 0);
  assert.equal(test.timers.pending, 0);
  const faults = test.log.lines.filter(({ level }) => level === 'error');
  assert.deepEqual(faults, [], 'nothing of this is a fault of the server');
  return ends;
}

describe('malformed input', () => {
  for (let part = 0; part < PARTS; part += 1) {
    it(`always ends in a documented reaction, and crashes and leaves nothing (part ${part + 1})`, async (t) => {
      const startedMs = performance.now();
      const total = { open: 0, waiting: 0, closed: 0 };
      let heapBytes = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const seed = SEED + part * ROUNDS + round;
        const ends = await react(fc.sample(input, { numRuns: ROUND, seed })).catch((error: unknown) => {
          throw new Error(`With the inputs of seed ${seed}:`, { cause: error });
        });
        total.open += ends.open;
        total.waiting += ends.waiting;
        total.closed += ends.closed;
        // The first rounds also fill what lives as long as the process: compiled code, caches.
        if (round === WARM_UP) heapBytes = collectedHeapBytes();
      }
      const growthBytes = collectedHeapBytes() - heapBytes;
      const tookMs = Math.round(performance.now() - startedMs);
      t.diagnostic(`from seed ${SEED + part * ROUNDS}: ${JSON.stringify(total)}`);
      t.diagnostic(`${tookMs} ms, heap ${growthBytes} bytes`);
      assert.ok(growthBytes < MAX_GROWTH_BYTES, `the heap grew by ${growthBytes} bytes`);
      assert.ok(total.closed > 1_000 && total.open > 1_000 && total.waiting > 100, JSON.stringify(total));
    });
  }

  it('of one long-lived client costs no memory: messages that are ignored, ids that nobody knows', async () => {
    const test = new TestHub({ methods: METHODS, limits: { maxMessagesPerSecond: 1_000_000_000 } });
    const client = await test.connect();
    const wire = client.wire;
    const say = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        client.say(
          { type: 5, invocationId: `c${number}` },
          { type: 2, invocationId: `u${number}`, item: number },
          { type: 3, invocationId: `r${number}`, result: number },
          { type: 90, sequenceId: number },
          { type: 1, invocationId: `n${number}`, target: `Nowhere${number}`, arguments: [] },
        );
        if (number % 50 === 0) {
          await allDone();
          wire.take();
        }
      }
      await allDone();
      wire.take();
    };
    await say(2_000);
    const before = collectedHeapBytes();
    await say(20_000);
    const growthBytes = collectedHeapBytes() - before;
    assert.equal(client.connection.isOpen, true);
    client.connection.disconnected();
    assert.ok(growthBytes < 1_048_576, `the heap grew by ${growthBytes} bytes over 100,000 messages`);
  });
});
