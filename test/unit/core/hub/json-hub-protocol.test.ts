import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFAULT_HUB_LIMITS,
  HubInput,
  InvalidHubMessage,
  jsonHubProtocol,
  type HubMessage,
} from '../../../../core/index.ts';

const SEPARATOR = '\u001e';
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => jsonHubProtocol.read(bytes(text));

/** `[[…[]…]]` */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('reading JSON hub messages', () => {
  for (const [text, message] of [
    ['{"type":1,"target":"T","arguments":[1,"a",null]}', { type: 1, target: 'T', arguments: [1, 'a', null] }],
    [
      '{"type":1,"invocationId":"7","target":"T","arguments":[],"streamIds":["1","2"]}',
      { type: 1, invocationId: '7', target: 'T', arguments: [], streamIds: ['1', '2'] },
    ],
    ['{"type":1,"target":"","arguments":[]}', { type: 1, target: '', arguments: [] }],
    ['{"type":2,"invocationId":"7","item":{"a":1}}', { type: 2, invocationId: '7', item: { a: 1 } }],
    ['{"type":2,"invocationId":"7","item":null}', { type: 2, invocationId: '7', item: null }],
    ['{"type":2,"invocationId":"7","item":""}', { type: 2, invocationId: '7', item: '' }],
    ['{"type":3,"invocationId":"7","result":5}', { type: 3, invocationId: '7', result: 5 }],
    ['{"type":3,"invocationId":"7","result":null}', { type: 3, invocationId: '7', result: null }],
    ['{"type":3,"invocationId":"7"}', { type: 3, invocationId: '7' }],
    ['{"type":3,"invocationId":"7","error":"no"}', { type: 3, invocationId: '7', error: 'no' }],
    ['{"type":3,"invocationId":"7","error":null,"result":1}', { type: 3, invocationId: '7', result: 1 }],
    [
      '{"type":4,"invocationId":"7","target":"T","arguments":[]}',
      { type: 4, invocationId: '7', target: 'T', arguments: [] },
    ],
    ['{"type":5,"invocationId":"7"}', { type: 5, invocationId: '7' }],
    ['{"type":6}', { type: 6 }],
    ['{"type":7}', { type: 7 }],
    ['{"type":7,"error":"boom","allowReconnect":true}', { type: 7, error: 'boom', allowReconnect: true }],
  ] as const) {
    it(`takes ${text}`, () => {
      assert.deepEqual(read(text), message);
    });
  }

  it('takes properties in any order, and ignores those that nobody knows', () => {
    assert.deepEqual(
      read(
        ' {"arguments":[["a"]],"headers":{"traceparent":"00-1"},"later":{"type":7},"target":"T","invocationId":"0","type":1}\n',
      ),
      { type: 1, invocationId: '0', target: 'T', arguments: [['a']] },
    );
  });

  it('takes an id that is absent, null or empty as a call that nobody waits for, and no streams the same way', () => {
    for (const fields of ['', ',"invocationId":null', ',"invocationId":""', ',"streamIds":null']) {
      const message = read(`{"type":1,"target":"T","arguments":[]${fields}}`);
      assert.deepEqual(message, { type: 1, target: 'T', arguments: [] }, fields);
    }
  });

  it('ignores types that nobody knows, and those of stateful reconnection', () => {
    for (const type of ['0', '8', '9', '10', '99', '-1', '1.5', '1e300']) {
      assert.equal(read(`{"type":${type},"target":5}`), null, type);
    }
  });

  for (const [what, text] of [
    ['no type', '{}'],
    ['no type but inherited names', '{"__proto__":{"type":6}}'],
    ['a type that is text', '{"type":"6"}'],
    ['a type that is null', '{"type":null}'],
    ['a list', '[6]'],
    ['null', 'null'],
    ['a number', '6'],
    ['text', '"ping"'],
    ['nothing', ''],
    ['a half', '{"type":6'],
    ['two at once', '{"type":6}{"type":6}'],
    ['a byte order mark', '\ufeff{"type":6}'],
    ['a call without a target', '{"type":1,"arguments":[]}'],
    ['a call without arguments', '{"type":1,"target":"T"}'],
    ['a target that is a number', '{"type":1,"target":5,"arguments":[]}'],
    ['arguments that are no list', '{"type":1,"target":"T","arguments":{"0":1}}'],
    ['arguments that are null', '{"type":1,"target":"T","arguments":null}'],
    ['an id that is a number', '{"type":1,"invocationId":1,"target":"T","arguments":[]}'],
    ['stream ids that are numbers', '{"type":1,"target":"T","arguments":[],"streamIds":[1]}'],
    ['an empty stream id', '{"type":1,"target":"T","arguments":[],"streamIds":[""]}'],
    ['stream ids that are text', '{"type":1,"target":"T","arguments":[],"streamIds":"12"}'],
    ['an item without its stream', '{"type":2,"item":1}'],
    ['an item without a value', '{"type":2,"invocationId":"7"}'],
    ['an item of a stream with an empty id', '{"type":2,"invocationId":"","item":1}'],
    ['a completion without an id', '{"type":3,"result":1}'],
    ['a completion with an error and a result', '{"type":3,"invocationId":"7","error":"no","result":1}'],
    ['a completion with an error and null', '{"type":3,"invocationId":"7","error":"no","result":null}'],
    ['a completion whose error is a number', '{"type":3,"invocationId":"7","error":5}'],
    ['a stream call without an id', '{"type":4,"target":"T","arguments":[]}'],
    ['a stream call with an empty id', '{"type":4,"invocationId":"","target":"T","arguments":[]}'],
    ['a cancellation without an id', '{"type":5}'],
    ['a close whose error is a list', '{"type":7,"error":[]}'],
    ['a close with text for a flag', '{"type":7,"allowReconnect":"yes"}'],
    ['NaN', '{"type":NaN}'],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => read(text), InvalidHubMessage);
    });
  }

  it('names the field that does not fit', () => {
    assert.throws(() => read('{"type":1,"target":"T"}'), /^InvalidHubMessage: arguments: /);
    assert.throws(
      () => read('{"type":1,"target":"T","arguments":[],"streamIds":["1",2]}'),
      /^InvalidHubMessage: streamIds\.1: /,
    );
  });

  for (const [what, body] of [
    ['a lone continuation byte', [0x80]],
    ['a sequence that ends too early', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a byte beyond Unicode', [0xf5]],
  ] as const) {
    it(`refuses bytes that are not UTF-8: ${what}`, () => {
      const [before, after] = [bytes('{"type":1,"target":"'), bytes('","arguments":[]}')];
      assert.throws(
        () => jsonHubProtocol.read(Uint8Array.of(...before, ...body, ...after)),
        InvalidHubMessage,
      );
    });
  }

  it('takes 64 levels, the message’s own among them, and not one more', () => {
    const call = (levels: number) => `{"type":1,"target":"T","arguments":${nested(levels - 1)}}`;
    assert.equal(read(call(64))?.type, 1);
    assert.throws(() => read(call(65)), InvalidHubMessage);
    const item = (levels: number) => `{"type":2,"invocationId":"7","item":${nested(levels - 1)}}`;
    assert.equal(read(item(64))?.type, 2);
    assert.throws(() => read(item(65)), InvalidHubMessage);
    const deepest = (32_768 - call(1).length) / 2;
    assert.throws(() => read(call(deepest)), InvalidHubMessage);
  });

  it('hands on a property named __proto__ as data, and lets it change nothing', () => {
    const message = read(
      '{"type":1,"target":"T","arguments":[{"__proto__":{"isAdmin":true}}],"__proto__":{"a":1}}',
    );
    const [argument] = (message as { arguments: readonly object[] }).arguments;
    assert.deepEqual(Object.keys(argument ?? {}), ['__proto__']);
    assert.equal(Object.getPrototypeOf(argument), Object.prototype);
    assert.equal(Object.getPrototypeOf(message), Object.prototype);
    assert.equal('isAdmin' in {}, false);
  });
});

describe('writing JSON hub messages', () => {
  for (const [message, text] of [
    [
      { type: 1, target: 'EntityChanged', arguments: [{ at: 5 }] },
      '{"type":1,"target":"EntityChanged","arguments":[{"at":5}]}',
    ],
    [
      { type: 1, invocationId: 's1', target: 'Ask', arguments: [] },
      '{"type":1,"invocationId":"s1","target":"Ask","arguments":[]}',
    ],
    [{ type: 2, invocationId: '0', item: null }, '{"type":2,"invocationId":"0","item":null}'],
    [{ type: 3, invocationId: '0', result: null }, '{"type":3,"invocationId":"0","result":null}'],
    [{ type: 3, invocationId: '0', error: 'no' }, '{"type":3,"invocationId":"0","error":"no"}'],
    [{ type: 3, invocationId: '0' }, '{"type":3,"invocationId":"0"}'],
    [{ type: 6 }, '{"type":6}'],
    [{ type: 7 }, '{"type":7}'],
    [{ type: 7, allowReconnect: true }, '{"type":7,"allowReconnect":true}'],
    [
      { type: 7, error: 'Connection closed with an error.', allowReconnect: true },
      '{"type":7,"error":"Connection closed with an error.","allowReconnect":true}',
    ],
  ] satisfies readonly (readonly [HubMessage, string])[]) {
    it(`gives ${text}`, () => {
      assert.equal(jsonHubProtocol.write(message), text + SEPARATOR);
    });
  }

  it('never has a separator inside a message, nor half of a surrogate pair', () => {
    const written = jsonHubProtocol.write({ type: 1, target: 'T', arguments: [SEPARATOR, '\ud83d', '😀'] });
    assert.equal(written, '{"type":1,"target":"T","arguments":["\\u001e","\\ud83d","😀"]}' + SEPARATOR);
  });

  it('throws for what JSON cannot say', () => {
    const circular: unknown[] = [];
    circular.push(circular);
    for (const argument of [circular, 1n]) {
      assert.throws(() => jsonHubProtocol.write({ type: 1, target: 'T', arguments: [argument] }), TypeError);
    }
  });
});

describe('taking JSON hub messages out of the input', () => {
  const MAX = DEFAULT_HUB_LIMITS.maxMessageBytes;
  const input = (text: string) => {
    const waiting = new HubInput();
    waiting.push(bytes(text));
    return waiting;
  };
  const take = (waiting: HubInput) => {
    const body = jsonHubProtocol.take(waiting, MAX);
    return body === null ? null : new TextDecoder().decode(body);
  };

  it('takes one after the other, and waits for the rest of the last', () => {
    const waiting = input(`one${SEPARATOR}${SEPARATOR}thr`);
    assert.deepEqual([take(waiting), take(waiting), take(waiting)], ['one', '', null]);
    waiting.push(bytes(`ee${SEPARATOR}`));
    assert.deepEqual([take(waiting), take(waiting)], ['three', null]);
  });

  it('takes 32,768 bytes with the separator, and not one more, whole or not', () => {
    assert.equal(take(input('x'.repeat(MAX - 1) + SEPARATOR))?.length, MAX - 1);
    assert.throws(() => take(input('x'.repeat(MAX) + SEPARATOR)), InvalidHubMessage);
    assert.equal(take(input('x'.repeat(MAX - 1))), null);
    assert.throws(() => take(input('x'.repeat(MAX))), InvalidHubMessage);
  });

  it('counts bytes, not characters', () => {
    const fits = 'x' + 'ä'.repeat((MAX - 2) / 2);
    assert.equal(take(input(fits + SEPARATOR)), fits);
    assert.throws(() => take(input(`x${fits}${SEPARATOR}`)), InvalidHubMessage);
  });

  it('measures each message by itself, however many wait', () => {
    const waiting = input(('x'.repeat(20_000) + SEPARATOR).repeat(4));
    for (let count = 1; count <= 4; count += 1) assert.equal(take(waiting)?.length, 20_000);
    assert.equal(take(waiting), null);
  });
});
