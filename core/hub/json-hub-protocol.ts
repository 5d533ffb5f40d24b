import type { HubInput } from './hub-input.ts';
import type { HubProtocol } from './hub-protocol.ts';
import { InvalidHubMessage } from './invalid-hub-message.ts';
import { readHubMessage } from './read-hub-message.ts';
import { decodeUtf8 } from './utf8.ts';

/** Ends every JSON message, and the handshake of either protocol. */
export const RECORD_SEPARATOR = '\u001e';
const SEPARATOR_BYTE = 0x1e;

/** SignalR's JSON protocol: one JSON object per message, each followed by 0x1E. */
export const jsonHubProtocol: HubProtocol = {
  name: 'json',
  format: 'Text',
  take: takeJsonMessage,
  read(body) {
    let raw: unknown;
    try {
      raw = JSON.parse(decodeUtf8(body));
    } catch (cause) {
      throw new InvalidHubMessage('expected JSON in UTF-8', { cause });
    }
    return readHubMessage(raw);
  },
  write: (message) => JSON.stringify(message) + RECORD_SEPARATOR,
};

/** Takes what precedes the next separator: a message of this protocol, or the handshake of any. */
export function takeJsonMessage(input: HubInput, maxBytes: number): Uint8Array | null {
  const body = input.takeUntil(SEPARATOR_BYTE);
  const length = body === null ? input.length : body.length + 1;
  if (length > maxBytes || (body === null && length === maxBytes)) {
    throw new InvalidHubMessage(`expected ${maxBytes} bytes at most`);
  }
  return body;
}
