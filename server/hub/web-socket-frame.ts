import type { BatchFraming } from '../../core/index.ts';

const FINAL_TEXT = 0x81;
const FINAL_BINARY = 0x82;

/**
 * A whole message as one unmasked, unfragmented frame (RFC 6455 section 5.2). A server's frames have no mask, so the
 * same bytes go to every client: made once for all of them.
 */
export const webSocketFrame: BatchFraming<Buffer> = {
  frame(payload, { format }) {
    const { length } = payload;
    const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
    const frame = Buffer.allocUnsafe(2 + lengthBytes + length);
    frame[0] = format === 'Text' ? FINAL_TEXT : FINAL_BINARY;
    if (lengthBytes === 0) frame[1] = length;
    else if (lengthBytes === 2) {
      frame[1] = 126;
      frame.writeUInt16BE(length, 2);
    } else {
      frame[1] = 127;
      frame.writeBigUInt64BE(BigInt(length), 2);
    }
    frame.set(payload, 2 + lengthBytes);
    return frame;
  },
};
