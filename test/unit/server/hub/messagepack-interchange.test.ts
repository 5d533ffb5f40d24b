import { NullLogger, type HubMessage as VendorMessage } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HubInput, type HubMessage } from '../../../../core/index.ts';
import { messagePackHubProtocol } from '../../../../server/hub/messagepack-hub-protocol.ts';

const vendor = new MessagePackHubProtocol();

/** What both sides can say exactly: no bigint, no -0, no undefined. */
const payload = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array({ maxLength: 300 }),
    fc.date({ min: new Date(0), max: new Date(8_000_000_000_000), noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 8, noNullPrototype: true },
    ),
  ),
})).value;

const id = fc.string({ minLength: 1 });
const args = fc.array(payload, { maxLength: 5 });
const streamIds = fc.array(id, { maxLength: 3 });

const invocation = fc.record(
  {
    type: fc.constant(1 as const),
    invocationId: id,
    target: fc.string({ minLength: 1 }),
    arguments: args,
    streamIds,
  },
  { requiredKeys: ['type', 'target', 'arguments', 'streamIds'] },
);
const streamInvocation = fc.record({
  type: fc.constant(4 as const),
  invocationId: id,
  target: fc.string({ minLength: 1 }),
  arguments: args,
  streamIds,
});
const streamItem = fc.record({ type: fc.constant(2 as const), invocationId: id, item: payload });
const completion = fc.oneof(
  fc.record({ type: fc.constant(3 as const), invocationId: id }),
  fc.record({ type: fc.constant(3 as const), invocationId: id, error: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant(3 as const), invocationId: id, result: payload }),
);
const cancellation = fc.record({ type: fc.constant(5 as const), invocationId: id });
const ping = fc.constant({ type: 6 as const });
const close = fc.record(
  { type: fc.constant(7 as const), error: fc.string({ minLength: 1 }), allowReconnect: fc.boolean() },
  { requiredKeys: ['type', 'allowReconnect'] },
);

/** What the server sends to a client, and what a client sends to the server. */
const toClient: fc.Arbitrary<HubMessage> = fc.oneof(invocation, streamItem, completion, ping, close);
const toServer: fc.Arbitrary<HubMessage> = fc.oneof(
  invocation,
  streamInvocation,
  streamItem,
  completion,
  cancellation,
  ping,
);

/** All messages of these bytes, which come in these pieces. */
function readAll(whole: Uint8Array, pieceLength: number): (HubMessage | null)[] {
  const input = new HubInput();
  const messages: (HubMessage | null)[] = [];
  for (let at = 0; at < whole.length; at += pieceLength) {
    input.push(whole.subarray(at, at + pieceLength));
    let body = messagePackHubProtocol.take(input, 1_000_000);
    while (body !== null) {
      messages.push(messagePackHubProtocol.read(body));
      body = messagePackHubProtocol.take(input, 1_000_000);
    }
  }
  return messages;
}

/** The vendor's types are an enum of the same numbers. */
function writtenByVendor(message: HubMessage): Uint8Array {
  return new Uint8Array(vendor.writeMessage(message as unknown as VendorMessage));
}

/** A message without what only one side says: headers, absent fields. */
function plain(message: HubMessage | VendorMessage | null): Record<string, unknown> {
  const { headers: _headers, ...fields } = { ...message } as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !(name === 'error' && value === null),
    ),
  );
}

describe('MessagePack between our server and the vendor’s client', () => {
  it('the client reads what the server writes', () => {
    fc.assert(
      fc.property(fc.array(toClient, { minLength: 1, maxLength: 4 }), (messages) => {
        const written = Buffer.concat(
          messages.map((message) => Buffer.from(messagePackHubProtocol.write(message))),
        );
        const exactly = new Uint8Array(written).buffer;
        const readByVendor = vendor.parseMessages(exactly, NullLogger.instance).map(plain);
        // The vendor's reader of calls looks at no stream ids: servers upload nothing.
        const expected = messages.map((message) => {
          const fields = plain(message);
          return 'streamIds' in fields ? { ...fields, streamIds: [] } : fields;
        });
        assert.deepEqual(readByVendor, expected);
      }),
      { numRuns: 300 },
    );
  });

  it('the server reads what the client writes, in pieces of any length', () => {
    fc.assert(
      fc.property(
        fc.array(toServer, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (messages, pieceLength) => {
          const written = new Uint8Array(Buffer.concat(messages.map(writtenByVendor)));
          assert.deepEqual(readAll(written, pieceLength).map(plain), messages.map(plain));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the client’s close and its calls without streams are read', () => {
    assert.deepEqual(readAll(writtenByVendor({ type: 7 }), 100), [{ type: 7, allowReconnect: false }]);
    assert.deepEqual(readAll(writtenByVendor({ type: 1, target: 'm', arguments: [] }), 100), [
      { type: 1, target: 'm', arguments: [] },
    ]);
  });

  it('no bytes make the reader fail in any other way than by a refusal', () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      toServer.chain((message) => {
        const body = Buffer.from(messagePackHubProtocol.write(message));
        return fc
          .tuple(fc.nat({ max: Math.max(body.length - 1, 0) }), fc.nat({ max: 255 }))
          .map(([at, byte]) => {
            const spoilt = new Uint8Array(body);
            spoilt[at] = byte;
            return spoilt;
          });
      }),
    );
    fc.assert(
      fc.property(garbage, (bytes) => {
        try {
          readAll(bytes, 1_000);
        } catch (error) {
          assert.equal((error as Error).constructor.name, 'InvalidHubMessage');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
