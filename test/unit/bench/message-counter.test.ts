import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageCounter, SHORTEST_CHANGE, type MessageEnd } from '../../bench/hub/message-counter.ts';

const PING = '{"type":6}\u001e';

/** A change of `length` bytes. */
function change(length: number): string {
  return `${'x'.repeat(length - 1)}\u001e`;
}

/** A server's text frame (RFC 6455 section 5.2). */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = 0x81;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

/** Counts a stream that arrives in reads of `size` bytes. */
function countInReads(stream: Buffer, size: number, end: MessageEnd, keepsChanges = false) {
  const counter = new MessageCounter(end, { keepsChanges });
  let changes = 0;
  for (let at = 0; at < stream.length; at += size) {
    // As a socket's shared buffer: what lies behind the read is old.
    const read = Buffer.concat([stream.subarray(at, at + size), Buffer.from(change(SHORTEST_CHANGE))]);
    changes += counter.take(read, Math.min(size, stream.length - at));
  }
  return { changes, texts: counter.texts };
}

describe('the message counter of the bench', () => {
  const texts = [PING, change(SHORTEST_CHANGE), change(450), PING, change(70_000)];
  const frames: Readonly<Record<string, Buffer>> = {
    'a frame for each message': Buffer.concat(texts.map(frame)),
    'one frame for all': frame(texts.join('')),
    'frames of both kinds': Buffer.concat([frame(texts.slice(0, 3).join('')), ...texts.slice(3).map(frame)]),
  };
  for (const [name, stream] of Object.entries(frames)) {
    it(`counts the changes of ${name}, however the reads cut it`, () => {
      for (let size = 1; size <= 600; size += 1) {
        assert.deepEqual(countInReads(stream, size, 'separator'), { changes: 3, texts: [PING, PING] });
      }
    });
  }

  it('keeps the texts of a witness whole', () => {
    for (const [, stream] of Object.entries(frames)) {
      for (const size of [1, 2, 3, 7, 199, 65_536]) {
        assert.deepEqual(countInReads(stream, size, 'separator', true), { changes: 3, texts });
      }
    }
  });

  it('counts one message a frame where messages have no separator', () => {
    const stream = Buffer.concat([frame('2'), frame('x'.repeat(300)), frame('y'.repeat(SHORTEST_CHANGE))]);
    for (let size = 1; size <= 320; size += 1) {
      assert.deepEqual(countInReads(stream, size, 'frame'), { changes: 2, texts: ['2'] });
    }
  });

  it('refuses a control frame, since the server is about to go', () => {
    const close = Buffer.from([0x88, 0x02, 0x03, 0xe8]);
    assert.throws(() => countInReads(close, 4, 'separator'), /control frame, opcode 8/);
  });
});
