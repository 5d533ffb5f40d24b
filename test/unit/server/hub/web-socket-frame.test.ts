import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonHubProtocol } from '../../../../core/index.ts';
import { messagePackHubProtocol } from '../../../../server/hub/messagepack-hub-protocol.ts';
import { webSocketFrame } from '../../../../server/hub/web-socket-frame.ts';

describe('a WebSocket frame of a hub', () => {
  it('says its length in the shortest form, final and without a mask (RFC 6455 section 5.2)', () => {
    for (const [length, head] of [
      [0, '8100'],
      [125, '817d'],
      [126, '817e007e'],
      [65_535, '817effff'],
      [65_536, '817f0000000000010000'],
    ] as const) {
      const payload = Buffer.alloc(length, 7);
      const frame = webSocketFrame.frame(payload, jsonHubProtocol);
      assert.equal(frame.subarray(0, frame.length - length).toString('hex'), head);
      assert.deepEqual(frame.subarray(frame.length - length), payload);
    }
  });

  it('is text for JSON and binary for MessagePack', () => {
    assert.equal(webSocketFrame.frame(Buffer.from('x'), jsonHubProtocol)[0], 0x81);
    assert.equal(webSocketFrame.frame(Buffer.from('x'), messagePackHubProtocol)[0], 0x82);
  });
});
