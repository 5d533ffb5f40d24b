import { encode } from '@msgpack/msgpack';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HubInput, InvalidHubMessage, type HubMessage } from '../../../../core/index.ts';
import { messagePackHubProtocol } from '../../../../server/hub/messagepack-hub-protocol.ts';

const MAX_BYTES = 32_768;

/** Hex bytes, spaces for the eye. */
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (written: string | Uint8Array) => Buffer.from(written).toString('hex').toUpperCase();
const read = (body: Uint8Array) => messagePackHubProtocol.read(body);
const readFields = (fields: readonly unknown[]) => read(encode(fields));
const refused = (what: () => unknown, words?: RegExp) =>
  assert.throws(what, (error: unknown) => {
    assert.equal(error instanceof InvalidHubMessage, true, String(error));
    if (words !== undefined) assert.match((error as Error).message, words);
    return true;
  });

/** The vectors of HubProtocol.md, and the fixed forms that clients rely on. */
const VECTORS: readonly { readonly name: string; readonly hex: string; readonly message: HubMessage }[] = [
  {
    name: 'an invocation',
    hex: '96 01 80 A3 78 79 7A A6 6D 65 74 68 6F 64 91 2A 90',
    message: { type: 1, invocationId: 'xyz', target: 'method', arguments: [42], streamIds: [] },
  },
  {
    name: 'an invocation that nobody waits for',
    hex: '96 01 80 C0 A6 6D 65 74 68 6F 64 91 2A 90',
    message: { type: 1, target: 'method', arguments: [42], streamIds: [] },
  },
  {
    name: 'a stream item',
    hex: '94 02 80 A3 78 79 7A 2A',
    message: { type: 2, invocationId: 'xyz', item: 42 },
  },
  {
    name: 'a completion with an error',
    hex: '95 03 80 A3 78 79 7A 01 A5 45 72 72 6F 72',
    message: { type: 3, invocationId: 'xyz', error: 'Error' },
  },
  { name: 'a void completion', hex: '94 03 80 A3 78 79 7A 02', message: { type: 3, invocationId: 'xyz' } },
  {
    name: 'a completion with a result',
    hex: '95 03 80 A3 78 79 7A 03 2A',
    message: { type: 3, invocationId: 'xyz', result: 42 },
  },
  {
    name: 'a completion whose result is null',
    hex: '95 03 80 A3 78 79 7A 03 C0',
    message: { type: 3, invocationId: 'xyz', result: null },
  },
  {
    name: 'a stream invocation',
    hex: '96 04 80 A3 78 79 7A A6 6D 65 74 68 6F 64 91 2A 90',
    message: { type: 4, invocationId: 'xyz', target: 'method', arguments: [42], streamIds: [] },
  },
  { name: 'a cancellation', hex: '93 05 80 A3 78 79 7A', message: { type: 5, invocationId: 'xyz' } },
  { name: 'a ping', hex: '91 06', message: { type: 6 } },
  {
    name: 'a close that lets reconnect',
    hex: '93 07 A3 78 79 7A C3',
    message: { type: 7, error: 'xyz', allowReconnect: true },
  },
  { name: 'a close', hex: '93 07 C0 C2', message: { type: 7, allowReconnect: false } },
];

describe('the MessagePack protocol', () => {
  for (const { name, hex, message } of VECTORS) {
    it(`${name} is written and read as documented`, () => {
      const body = bytes(hex);
      assert.equal(hexOf(messagePackHubProtocol.write(message)), hexOf([body.length, ...body] as never));
      assert.deepEqual(read(body), message);
    });
  }

  it('a ping is 02 91 06 on the wire', () => {
    assert.equal(hexOf(messagePackHubProtocol.write({ type: 6 })), '029106');
  });

  it('the server writes all six fields of an invocation, and reads five', () => {
    const written = messagePackHubProtocol.write({ type: 1, target: 'method', arguments: [42] });
    assert.equal(hexOf(written), hexOf(bytes('0E 96 01 80 C0 A6 6D 65 74 68 6F 64 91 2A 90')));
    for (const type of [1, 4] as const) {
      const fields = [type, {}, '7', 'method', [1, 'two']];
      const expected = { type, invocationId: '7', target: 'method', arguments: [1, 'two'] };
      assert.deepEqual(readFields(fields), expected);
      assert.deepEqual(readFields([...fields, ['8']]), { ...expected, streamIds: ['8'] });
      assert.deepEqual(readFields([...fields, null]), expected);
    }
  });

  it('an id that is nil or empty is none: nobody waits', () => {
    for (const id of [null, '']) {
      assert.deepEqual(readFields([1, {}, id, 'method', []]), { type: 1, target: 'method', arguments: [] });
    }
  });

  it('messages that cannot go without an id are refused without one', () => {
    for (const id of [null, '', 7]) {
      refused(() => readFields([2, {}, id, 1]), /invocationId/);
      refused(() => readFields([3, {}, id, 2]), /invocationId/);
      refused(() => readFields([4, {}, id, 'method', []]), /invocationId/);
      refused(() => readFields([5, {}, id]), /invocationId/);
    }
  });

  it('headers are carried and not looked at', () => {
    assert.deepEqual(readFields([1, { traceparent: '00-1-2-3' }, null, 'm', []]), {
      type: 1,
      target: 'm',
      arguments: [],
    });
  });

  it('more fields than are known are ignored, fewer are refused', () => {
    assert.deepEqual(readFields([2, {}, 'a', 1, 'more', 'still more']), {
      type: 2,
      invocationId: 'a',
      item: 1,
    });
    assert.deepEqual(readFields([6, 'more']), { type: 6 });
    assert.deepEqual(readFields([7, null]), { type: 7, allowReconnect: false });
    assert.deepEqual(readFields([7]), { type: 7, allowReconnect: false });
    for (const fields of [
      [1, {}, null, 'm'],
      [1, {}],
      [2, {}, 'a'],
      [3, {}, 'a'],
      [3, {}, 'a', 1],
      [3, {}, 'a', 3],
      [3, {}, 'a', 4, 1],
      [4, {}, 'a', 'm'],
      [5, {}],
    ]) {
      refused(() => readFields(fields));
    }
  });

  it('what is no message is refused, an unknown type is ignored', () => {
    for (const value of [null, 7, 'text', {}, [], ['1'], [null]]) refused(() => read(encode(value)));
    assert.equal(readFields([99, {}, 'x']), null);
    assert.equal(readFields([8, 36]), null);
    assert.equal(readFields([9, 36]), null);
    refused(() => read(bytes('')), /MessagePack/);
    refused(() => read(bytes('C1')), /MessagePack/);
    refused(() => read(bytes('92 06')), /MessagePack/);
    refused(() => read(bytes('91 06 91 06')), /MessagePack/);
  });

  it('fields of the wrong kind are refused, by name', () => {
    refused(() => readFields([1, {}, null, 7, []]), /target/);
    refused(() => readFields([1, {}, null, 'm', 'x']), /arguments/);
    refused(() => readFields([1, {}, null, 'm', [], 'x']), /streamIds/);
    refused(() => readFields([1, {}, null, 'm', [], [7]]), /streamIds/);
    refused(() => readFields([3, {}, 'a', 1, 7]), /error/);
    refused(() => readFields([7, 7]), /error/);
    refused(() => readFields([7, null, 'yes']), /allowReconnect/);
  });

  describe('payloads', () => {
    const itemOf = (body: Uint8Array) => {
      const message = read(body);
      assert.equal(message?.type, 2);
      return (message as { readonly item: unknown }).item;
    };
    const ITEM = '94 02 80 A1 78';

    it('a timestamp is a Date in both directions', () => {
      const at = new Date('2026-11-30T12:34:56.789Z');
      const written = messagePackHubProtocol.write({ type: 2, invocationId: 'x', item: at }) as Uint8Array;
      assert.deepEqual(itemOf(written.subarray(1)), at);
      assert.deepEqual(itemOf(bytes(`${ITEM} D6 FF 00 00 00 01`)), new Date(1_000));
    });

    it('an int64 is a number, exact up to 2^53', () => {
      assert.equal(itemOf(bytes(`${ITEM} CF 00 1F FF FF FF FF FF FF`)), Number.MAX_SAFE_INTEGER);
      assert.equal(itemOf(bytes(`${ITEM} D3 FF E0 00 00 00 00 00 01`)), -Number.MAX_SAFE_INTEGER);
      assert.equal(itemOf(bytes(`${ITEM} CF FF FF FF FF FF FF FF FF`)), 2 ** 64);
    });

    it('bytes stay bytes, undefined is left out of maps and nil elsewhere', () => {
      assert.deepEqual(itemOf(bytes(`${ITEM} C4 02 01 02`)), new Uint8Array([1, 2]));
      const written = messagePackHubProtocol.write({
        type: 1,
        target: 'm',
        arguments: [{ a: undefined, b: 1 }, undefined],
      });
      assert.deepEqual(read((written as Uint8Array).subarray(1)), {
        type: 1,
        target: 'm',
        arguments: [{ b: 1 }, null],
        streamIds: [],
      });
    });

    it('names stay as they are', () => {
      const item = { EntityUid: 1, entityUid: 2, 'ü ': 3 };
      assert.deepEqual(itemOf(encode([2, {}, 'x', item])), item);
    });

    it('no payload reaches a prototype', () => {
      const key = Buffer.from('__proto__').toString('hex');
      refused(() => read(bytes(`${ITEM} 81 A9 ${key} 81 A1 61 01`)), /MessagePack/);
      refused(() => read(bytes(`${ITEM} 81 91 01 01`)), /MessagePack/);
      assert.equal('a' in {}, false);
      assert.deepEqual(itemOf(encode([2, {}, 'x', { constructor: 1, toString: 2 }])), {
        constructor: 1,
        toString: 2,
      });
    });

    it('nesting beyond 64 levels is refused, also where the length lies', () => {
      const nested = (levels: number) => `${ITEM} ${'91'.repeat(levels)} 01`;
      assert.doesNotThrow(() => read(bytes(nested(62))));
      refused(() => read(bytes(nested(65))), /levels/);
      refused(() => read(bytes(nested(32_000))));
    });

    it('lengths that the message cannot hold are refused before anything is made of them', () => {
      const before = process.memoryUsage.rss();
      const beganAt = performance.now();
      for (const huge of [
        'DD 01 FF FF FF',
        'DF 01 FF FF FF',
        'DC FF FF',
        'DB 7F FF FF FF',
        'C6 7F FF FF FF',
      ]) {
        refused(() => read(bytes(`${ITEM} ${huge}`)));
      }
      refused(() => read(bytes(`${ITEM} ${'DD 01 FF FF FF'.repeat(6_000)}`)));
      refused(() => read(bytes(`${ITEM} ${'DC 7F FF'.repeat(10_000)}`)));
      assert.equal(performance.now() - beganAt < 500, true, 'quickly');
      assert.equal(process.memoryUsage.rss() - before < 50_000_000, true, 'and in little memory');
    });
  });

  describe('its framing', () => {
    const inputOf = (...chunks: Uint8Array[]) => {
      const input = new HubInput();
      for (const chunk of chunks) input.push(chunk);
      return input;
    };
    const take = (...chunks: Uint8Array[]) => messagePackHubProtocol.take(inputOf(...chunks), MAX_BYTES);

    it('lengths take 1 to 3 bytes as they need, and are read as they were written', () => {
      for (const [length, prefix] of [
        [0x00, '00'],
        [0x7f, '7F'],
        [0x80, '80 01'],
        [5_248, '80 29'],
        [0x3fff, 'FF 7F'],
        [0x4000, '80 80 01'],
        [32_765, 'FD FF 01'],
      ] as const) {
        assert.equal(take(bytes(prefix), new Uint8Array(length))?.length, length, prefix);
        if (length > 0) assert.equal(take(bytes(prefix), new Uint8Array(length - 1)), null, prefix);
      }
    });

    it('written lengths are the shortest', () => {
      for (const [length, prefix] of [
        [100, '6B'],
        [200, 'CF01'],
        [20_000, 'A89C01'],
        [3_000_000, 'CA8DB701'],
      ] as const) {
        const written = messagePackHubProtocol.write({
          type: 2,
          invocationId: 'x',
          item: new Uint8Array(length),
        });
        const body = encode([2, {}, 'x', new Uint8Array(length)]);
        assert.equal(hexOf((written as Uint8Array).subarray(0, written.length - body.length)), prefix);
      }
    });

    it('lengths of 4 and 5 bytes are read, where so much is allowed; 0x7fffffff is the most', () => {
      const takeUpTo = (maxBytes: number, prefix: string) =>
        messagePackHubProtocol.take(inputOf(bytes(prefix)), maxBytes);
      assert.equal(takeUpTo(2 ** 31 + 10, '80 80 80 01'), null);
      assert.equal(takeUpTo(2 ** 31 + 10, 'FF FF FF FF 07'), null);
      for (const tooLong of ['FF FF FF FF 08', '80 80 80 80 08', 'FF FF FF FF FF', 'FF FF FF FF FF 01']) {
        refused(() => takeUpTo(2 ** 40, tooLong), /length|bytes/);
      }
    });

    it('a message over the limit is refused as soon as its length is known, framing included', () => {
      refused(() => take(bytes('80 80 02')), /32768/);
      refused(() => take(bytes('FF FF FF FF 07')), /32768/);
      refused(() => take(bytes('FE FF 01')), /32768/);
      assert.equal(take(bytes('FD FF 01')), null);
    });

    it('messages straddle frames, at every place, and several come in one', () => {
      const written = VECTORS.map(({ message }) => Buffer.from(messagePackHubProtocol.write(message)));
      const long = messagePackHubProtocol.write({ type: 2, invocationId: 'x', item: 'y'.repeat(300) });
      const all = Buffer.concat([...written, Buffer.from(long)]);
      for (let at = 0; at <= all.length; at += 1) {
        const input = new HubInput();
        const types: unknown[] = [];
        for (const chunk of [all.subarray(0, at), all.subarray(at)]) {
          input.push(chunk);
          let body = messagePackHubProtocol.take(input, MAX_BYTES);
          while (body !== null) {
            types.push(read(body)?.type);
            body = messagePackHubProtocol.take(input, MAX_BYTES);
          }
        }
        assert.deepEqual(types, [...VECTORS.map(({ message }) => message.type), 2]);
      }
    });
  });
});
